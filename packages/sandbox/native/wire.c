#include "wire.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REQUEST_HEADER = 48 };

uint32_t get32(const unsigned char *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint64_t get64(const unsigned char *bytes) {
  return (uint64_t)get32(bytes) | (uint64_t)get32(bytes + 4) << 32;
}

void put32(unsigned char *bytes, uint32_t value) {
  for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(value >> (8 * i));
}

void put64(unsigned char *bytes, uint64_t value) {
  put32(bytes, (uint32_t)value);
  put32(bytes + 4, (uint32_t)(value >> 32));
}

int write_all(int fd, const void *bytes, size_t length) {
  const char *at = bytes;
  while (length > 0) {
    ssize_t written = write(fd, at, length);
    if (written < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN) return -1;
      poll(&(struct pollfd){fd, POLLOUT, 0}, 1, -1); /* what gVisor has of a socket of the host never blocks */
      continue;
    }
    at += written;
    length -= (size_t)written;
  }
  return 0;
}

/* A list is {u32 count} and strings {u32 length, bytes, NUL}; a string holds no NUL of its own. */
static int parse_strings(struct strings *list, char **at, const char *end) {
  if (end - *at < 4) return -1;
  list->count = get32((unsigned char *)*at);
  *at += 4;
  if (list->count > (size_t)(end - *at) / 5) return -1;
  list->item = calloc(list->count + 1, sizeof *list->item);
  if (!list->item) return -1;
  for (uint32_t i = 0; i < list->count; i++) {
    if (end - *at < 5) return -1;
    uint32_t length = get32((unsigned char *)*at);
    *at += 4;
    if (length >= (size_t)(end - *at) || memchr(*at, 0, length + 1) != *at + length) return -1;
    list->item[i] = *at;
    *at += length + 1;
  }
  return 0;
}

int request_parse(struct request *request, char *bytes, size_t length) {
  if (length < REQUEST_HEADER) return -1;
  unsigned char *head = (unsigned char *)bytes;
  request->verb = get32(head);
  request->flags = get32(head + 4);
  request->timeout_ms = get32(head + 8);
  request->window = get32(head + 12);
  request->output_max = get64(head + 16);
  for (int i = 0; i < 3; i++) request->number[i] = get64(head + 24 + 8 * i);
  char *at = bytes + REQUEST_HEADER;
  const char *end = bytes + length;
  if (parse_strings(&request->cwd, &at, end) || parse_strings(&request->roots, &at, end)) return -1;
  if (parse_strings(&request->args, &at, end) || parse_strings(&request->extra, &at, end)) return -1;
  return request->cwd.count == 1 && at == end ? 0 : -1;
}
