/* The modes of the program beside serving a host: tasks where there is no other program. */
#define _GNU_SOURCE
#include "modes.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "join.h"
#include "wire.h"

enum { PROBE_MS = 2000, UNREACHED = 1 };

/* The first process of a pod: keeps it alive and reaps orphaned processes. */
static _Noreturn void hold(void) {
  prctl(PR_SET_DUMPABLE, 0);
  for (;;) {
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
    if (waitpid(-1, NULL, 0) < 0) poll(NULL, 0, 1000);
  }
}

/* Opens a new file below `directory`. */
static int create(const char *directory, const char *name, mode_t mode) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
}

/* Puts this very program to another place, from an image that need not hold any other. */
static int copy(const char *target) {
  static char chunk[64 << 10];
  int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  int to = create(target, "inside", 0755);
  ssize_t got = from < 0 || to < 0 ? -1 : 1;
  while (got > 0 && (got = read(from, chunk, sizeof chunk)) > 0) {
    if (write_all(to, chunk, (size_t)got)) got = -1;
  }
  return got < 0 || fchmod(to, 0755) ? END_INTERNAL : 0;
}

static int nibble(char digit) {
  const char *digits = "0123456789abcdef", *at = digit ? strchr(digits, digit) : NULL;
  return at ? (int)(at - digits) : -1;
}

#ifdef __x86_64__
#define MACHINE "x64="
#else
#define MACHINE "arm64="
#endif

/* Writes the filter for this machine, out of `x64=HEX,arm64=HEX`: the creator of the pod cannot know its architecture. */
static int write_filter(const char *target, const char *filters) {
  static unsigned char bytes[64 << 10];
  size_t length = 0;
  const char *at = strstr(filters, MACHINE);
  if (!at) return END_INTERNAL;
  for (at += strlen(MACHINE); *at && *at != ',' && length < sizeof bytes; at += 2) {
    int high = nibble(at[0]), low = high < 0 ? -1 : nibble(at[1]);
    if (low < 0) return END_INTERNAL;
    bytes[length++] = (unsigned char)(high << 4 | low);
  }
  int to = create(target, "filter", 0444);
  return to < 0 || write_all(to, bytes, length) || close(to) ? END_INTERNAL : 0;
}

/* Names for the ids of commands, for images that have none for them. */
static int write_accounts(const char *target, unsigned user) {
  int users = create(target, "passwd", 0444), groups = create(target, "group", 0444);
  if (users < 0 || groups < 0) return END_INTERNAL;
  int failed = dprintf(users, "root:x:0:0:root:/nonexistent:/usr/sbin/nologin\nagent:x:%u:%u::/home/agent:/bin/sh\n"
                              "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n", user, user) < 0;
  failed |= dprintf(groups, "root:x:0:\nagent:x:%u:\nnogroup:x:65534:\n", user) < 0;
  return failed | close(users) | close(groups) ? END_INTERNAL : 0;
}

/* Directories in a pod's volumes that belong to the user of commands, which those that a node makes do not. */
static int make_directories(int count, char **directories) {
  int failed = 0;
  for (int i = 0; i < count && !failed; i++) failed = mkdir(directories[i], 0755) || chmod(directories[i], 0755);
  if (failed) perror("directories");
  return failed ? END_INTERNAL : 0;
}

/* Lays out the files of the platform in a pod: this program, its filter, and the name of the user of commands. */
static int prepare(const char *target, const char *filters, const char *user) {
  int failed = copy(target) || write_filter(target, filters) || write_accounts(target, (unsigned)strtoul(user, NULL, 10));
  if (failed) perror("prepare");
  return failed ? END_INTERNAL : 0;
}

/* The environment that the runtime gives processes of the image, variables with a zero after each. */
static int environment(void) {
  int failed = 0;
  for (char **at = environ; *at && !failed; at++) failed = write_all(1, *at, strlen(*at) + 1);
  return failed ? END_INTERNAL : 0;
}

/* Tests a TCP connection to a numeric address. */
static int probe(const char *host, const char *port) {
  struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = v4.sin_port};
  int is_v4 = inet_pton(AF_INET, host, &v4.sin_addr) == 1, error = 0;
  if (!is_v4 && inet_pton(AF_INET6, host, &v6.sin6_addr) != 1) return END_INTERNAL;
  int fd = socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return UNREACHED;
  const struct sockaddr *address = is_v4 ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6;
  if (!connect(fd, address, is_v4 ? sizeof v4 : sizeof v6)) return 0;
  struct pollfd connected = {.fd = fd, .events = POLLOUT};
  if (errno != EINPROGRESS || poll(&connected, 1, PROBE_MS) <= 0) return UNREACHED;
  getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &(socklen_t){sizeof error});
  return error ? UNREACHED : 0;
}

int mode_run(int count, char **arguments) {
  if (count == 1 && !strcmp(arguments[0], "hold")) hold();
  if (count == 1 && !strcmp(arguments[0], "await")) return join_await(0);
  if (count == 1 && !strcmp(arguments[0], JOIN_AWAIT_IN_MEMORY)) return join_await(1);
  if (count > 1 && !strcmp(arguments[0], "join")) return join_streams(count - 1, arguments + 1);
  if (count == 1 && !strcmp(arguments[0], "environment")) return environment();
  if (count > 3 && !strcmp(arguments[0], "prepare")) {
    int failed = prepare(arguments[1], arguments[2], arguments[3]);
    return failed ? failed : make_directories(count - 4, arguments + 4);
  }
  if (count > 1 && !strcmp(arguments[0], "directories")) return make_directories(count - 1, arguments + 1);
  if (count == 3 && !strcmp(arguments[0], "probe")) return probe(arguments[1], arguments[2]);
  return NO_MODE;
}
