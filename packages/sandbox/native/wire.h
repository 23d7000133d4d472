/* The frame protocol between the host and the agent, and the bytes of a task request.
 * All integers are little endian. A frame is {u32 payload length, u32 type, u32 task id} and its payload. */
#ifndef WIRE_H
#define WIRE_H

#include <stddef.h>
#include <stdint.h>

enum { FRAME_HEADER = 12, FRAME_PAYLOAD_MAX = 2 << 20, INPUT_WINDOW = 256 << 10 };

enum host_frame { HOST_START = 1, HOST_INPUT, HOST_INPUT_END, HOST_CANCEL, HOST_CREDIT, HOST_KILL_ALL, HOST_PING, HOST_LEASE, HOST_LISTEN, HOST_EXPIRE, HOST_FIGURES };
enum agent_frame { AGENT_READY = 1, AGENT_STDOUT, AGENT_STDERR, AGENT_CREDIT, AGENT_EXIT, AGENT_DONE, AGENT_OPENED, AGENT_OUTPUT_END, AGENT_STARTED };

/* Why the agent ended by itself; the host reads it as bwrap's exit code. */
enum agent_end { END_HOST_GONE = 0, END_LEASE = 41, END_PROTOCOL = 42, END_UNLIMITED = 43, END_INTERNAL = 44, END_EXPOSED = 45 };

enum verb { VERB_EXEC = 1, VERB_READ, VERB_WRITE, VERB_LIST, VERB_STAT, VERB_REMOVE, VERB_SNAPSHOT, VERB_RESTORE };

/* Exit codes of file workers, and codes of EXIT_REFUSED. */
enum file_error {
  FILE_OK = 0,
  FILE_ERROR_NOT_FOUND,
  FILE_ERROR_NOT_PERMITTED,
  FILE_ERROR_IS_DIRECTORY,
  FILE_ERROR_NOT_DIRECTORY,
  FILE_ERROR_NOT_REGULAR,
  FILE_ERROR_LOOP,
  FILE_ERROR_TOO_LARGE,
  FILE_ERROR_NO_SPACE,
  FILE_ERROR_INVALID_PATH,
  FILE_ERROR_IO,
  FILE_ERROR_MALFORMED,
};

/* The payload of AGENT_EXIT: kind, flags, code, 0, and for a command the u32 milliseconds that it ran. */
enum exit_kind { EXIT_CODE = 0, EXIT_SIGNAL, EXIT_REFUSED };
enum exit_flag { EXIT_TIMED_OUT = 1, EXIT_TRUNCATED = 2, EXIT_OOM_KILLED = 4 };

/* Numbers of a request by verb: READ offset, length, largest result. WRITE size, mode. LIST entries, kinds.
 * SNAPSHOT largest content. */
struct request {
  uint32_t verb, flags, timeout_ms, window;
  uint64_t output_max, number[3];
  struct strings { uint32_t count; char **item; } cwd, roots, args, extra;
};

enum request_flag { FLAG_STDIN = 1, FLAG_PARENTS = 2, FLAG_RECURSIVE = 4, FLAG_CHANGES = 8 };

/* Points into `bytes`, which must outlive the request; NULL-terminated lists. Returns 0, or -1 when malformed. */
int request_parse(struct request *request, char *bytes, size_t length);

uint32_t get32(const unsigned char *bytes);
void put32(unsigned char *bytes, uint32_t value);
void put64(unsigned char *bytes, uint64_t value);

/* Writes all, retrying on EINTR; 0 or -1. */
int write_all(int fd, const void *bytes, size_t length);

#endif
