/* Between the streams of a runtime and the process inside. On gVisor every process opens the descriptors of the others of
 * its user by /proc, also of those that are not dumpable: a command could read what the host sends, and write frames as
 * if it were the process inside. So those streams belong to processes of root alone. The process inside has a socket,
 * which cannot be opened a second time. */
#define _GNU_SOURCE
#include "relay.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "root.h"
#include "wire.h"

enum { CHUNK = 64 << 10, EXIT_OF_SIGNAL = 128 };

void relay_pump(int from, int to) {
  static char chunk[CHUNK];
  ssize_t got;
  while ((got = read(from, chunk, sizeof chunk)) > 0 || (got < 0 && errno == EINTR)) {
    if (got > 0 && write_all(to, chunk, (size_t)got)) return;
  }
}

static void shed(void) {
  prctl(PR_SET_DUMPABLE, 0);
  signal(SIGPIPE, SIG_IGN);
  if (drop_capabilities()) _exit(END_INTERNAL);
}

static _Noreturn void pump_input(int channel) {
  shed();
  close(1);
  relay_pump(0, channel);
  shutdown(channel, SHUT_WR);
  _exit(0);
}

static _Noreturn void pump_output(int channel, pid_t inside) {
  int status = 0;
  shed();
  close(0);
  relay_pump(channel, 1);
  while (waitpid(inside, &status, 0) < 0 && errno == EINTR) {}
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_OF_SIGNAL + WTERMSIG(status));
}

static void become_inside(int channel, uid_t user) {
  if (dup2(channel, 0) < 0 || dup2(channel, 1) < 0 || (user && become(user))) _exit(END_INTERNAL);
}

void relay_begin(const char *user) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) _exit(END_INTERNAL);
  pid_t inside = fork();
  if (inside < 0) _exit(END_INTERNAL);
  if (inside == 0) return become_inside(pair[1], (uid_t)strtoul(user, NULL, 10));
  close(pair[1]);
  pid_t input = fork();
  if (input < 0) _exit(END_INTERNAL);
  if (input == 0) pump_input(pair[0]);
  pump_output(pair[0], inside);
}
