/* The process inside of a pod, and the streams of its host in another container of that pod. Where the runtime is gVisor a
 * process opens the descriptors of all processes of its user by /proc, also of those that are not dumpable: a command could
 * read what the host sends, and write frames as if it were the process inside. A process in another container has another
 * /proc and another user. Both containers have one network namespace, and so an abstract socket. It takes two connections
 * before anything of the sandbox runs, so that no one else can make them, and then is closed. (Who has made one cannot be
 * checked: SO_PEERCRED of gVisor names the process that inquires.) The first one carries the frames, the second one the
 * arguments of the process inside, and in the other direction its errors and at last a zero and its exit code. */
#define _GNU_SOURCE
#include "join.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "relay.h"
#include "wire.h"

#define NAME "agentclash-streams"

enum { ARGUMENTS_BYTES = 64 << 10, ARGUMENTS_MAX = 1024, TEXT_BYTES = 8192, CONNECT_TRIES = 400, CONNECT_PAUSE_MS = 25 };
enum { EXIT_OF_SIGNAL = 128 };

static const struct sockaddr_un address = {AF_UNIX, "\0" NAME};
static const socklen_t address_length = offsetof(struct sockaddr_un, sun_path) + sizeof NAME;

static ssize_t read_some(int from, char *bytes, size_t length) {
  ssize_t got;
  while ((got = read(from, bytes, length)) < 0 && errno == EINTR) {}
  return got;
}

/* Up to its end; drops what exceeds the size. */
static size_t read_all(int from, char *bytes, size_t size) {
  size_t length = 0;
  char waste[512];
  for (;;) {
    int is_full = length == size;
    ssize_t got = read_some(from, is_full ? waste : bytes + length, is_full ? sizeof waste : size - length);
    if (got <= 0) return length;
    if (!is_full) length += (size_t)got;
  }
}

static int accept_one(int listener) {
  int fd;
  while ((fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) < 0 && errno == EINTR) {}
  return fd;
}

/* Each argument ends with a zero. */
static int become_inside(int frames, int control) {
  static char bytes[ARGUMENTS_BYTES + 1];
  static char *argument[ARGUMENTS_MAX + 3] = {"inside", "joined"};
  size_t length = read_all(control, bytes, ARGUMENTS_BYTES), count = 2;
  for (char *at = bytes; at < bytes + length && count < ARGUMENTS_MAX; at += strlen(at) + 1) argument[count++] = at;
  if (dup2(frames, 0) < 0 || dup2(frames, 1) < 0 || dup2(control, 2) < 0) return END_INTERNAL;
  signal(SIGPIPE, SIG_DFL);
  execv("/proc/self/exe", argument);
  return END_INTERNAL;
}

/* Runs this program on from a copy in memory that cannot change: root of an image can truncate its file on gVisor, which
 * would end all that runs from it. Returns where there is no such copy to be had. */
static void run_from_memory(void) {
  static char chunk[64 << 10];
  char *arguments[] = {program_invocation_name, JOIN_AWAIT_IN_MEMORY, NULL};
  int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), to = memfd_create("inside", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  ssize_t got = from < 0 || to < 0 ? -1 : 1;
  while (got > 0 && (got = read_some(from, chunk, sizeof chunk)) > 0) {
    if (write_all(to, chunk, (size_t)got)) got = -1;
  }
  if (got == 0 && !fcntl(to, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)) {
    fexecve(to, arguments, environ);
  }
  close(from);
  close(to);
}

int join_await(int is_in_memory) {
  if (!is_in_memory) run_from_memory();
  int status = 0, null = open("/dev/null", O_RDWR | O_CLOEXEC), listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  prctl(PR_SET_DUMPABLE, 0);
  signal(SIGPIPE, SIG_IGN);
  /* The node keeps all that is written to the streams of a container. */
  for (int fd = 0; fd < 3; fd++) dup2(null, fd);
  if (bind(listener, (const struct sockaddr *)&address, address_length) || listen(listener, 2)) return END_INTERNAL;
  int frames = accept_one(listener), control = accept_one(listener);
  close(listener);
  if (frames < 0 || control < 0) return END_INTERNAL;
  pid_t inside = fork();
  if (inside < 0) return END_INTERNAL;
  if (inside == 0) _exit(become_inside(frames, control));
  close(frames);
  for (pid_t ended; (ended = waitpid(-1, &status, 0)) != inside;) {
    if (ended < 0 && errno != EINTR) return END_INTERNAL;
  }
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_OF_SIGNAL + WTERMSIG(status);
  write_all(control, (char[2]){0, (char)code}, 2);
  return code;
}

static int connect_soon(void) {
  for (int tries = 0; tries < CONNECT_TRIES; tries++) {
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || !connect(fd, (const struct sockaddr *)&address, address_length)) return fd;
    close(fd);
    poll(NULL, 0, CONNECT_PAUSE_MS);
  }
  return -1;
}

static pid_t start_pump(int from, int to, int frames, int end) {
  pid_t pid = fork();
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close(from == 0 ? 1 : 0);
  close(2);
  relay_pump(from, to);
  shutdown(frames, end);
  _exit(0);
}

int join_streams(int count, char **arguments) {
  static char text[TEXT_BYTES];
  prctl(PR_SET_DUMPABLE, 0);
  signal(SIGPIPE, SIG_IGN);
  int frames = connect_soon(), control = frames < 0 ? -1 : connect_soon(), status;
  if (control < 0) return END_INTERNAL;
  for (int i = 0; i < count; i++) {
    if (write_all(control, arguments[i], strlen(arguments[i]) + 1)) return END_INTERNAL;
  }
  shutdown(control, SHUT_WR);
  pid_t output = start_pump(frames, 1, frames, SHUT_RDWR), input = start_pump(0, frames, frames, SHUT_WR);
  if (output < 0 || input < 0) return END_INTERNAL;
  close(frames);
  size_t length = read_all(control, text, sizeof text);
  int is_reported = length >= 2 && text[length - 2] == 0;
  if (is_reported) length -= 2;
  write_all(2, text, length);
  while (waitpid(output, &status, 0) < 0 && errno == EINTR) {}
  kill(input, SIGKILL);
  return is_reported ? (unsigned char)text[length + 1] : EXIT_OF_SIGNAL + SIGKILL;
}
