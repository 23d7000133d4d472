/* What the program does beside serving a host: errands in places where there is no other program. */
#define _GNU_SOURCE
#include "modes.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire.h"

enum { PROBE_MS = 2000, UNREACHED = 1 };

/* The first process of a pod: keeps it alive and reaps what nobody else does. */
static _Noreturn void hold(void) {
  prctl(PR_SET_DUMPABLE, 0);
  for (;;) {
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
    if (waitpid(-1, NULL, 0) < 0) poll(NULL, 0, 1000);
  }
}

/* Puts this very program to another place, from an image that need not hold any other. */
static int copy(const char *target) {
  static char chunk[64 << 10];
  int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  int to = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
  ssize_t got = from < 0 || to < 0 ? -1 : 1;
  while (got > 0 && (got = read(from, chunk, sizeof chunk)) > 0) {
    if (write_all(to, chunk, (size_t)got)) got = -1;
  }
  return got < 0 || fchmod(to, 0755) ? END_INTERNAL : 0;
}

/* Whether a TCP connection to a numeric address can be made. */
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
  if (count == 2 && !strcmp(arguments[0], "copy")) return copy(arguments[1]);
  if (count == 3 && !strcmp(arguments[0], "probe")) return probe(arguments[1], arguments[2]);
  return NO_MODE;
}
