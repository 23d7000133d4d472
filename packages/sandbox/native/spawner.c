#define _GNU_SOURCE
#include "spawner.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine.h"

enum { SPAWNER_CHANNEL = 3 };

/* The highest number is positive: gVisor reads it as signed, and closing one by one takes seconds there. */
void close_from(int lowest) {
  if (!syscall(SYS_close_range, (long)lowest, (long)INT_MAX, 0L)) return;
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  for (int fd = lowest; fd < (int)limit.rlim_cur; fd++) close(fd);
}

static int receive(int channel, int fds[COMMAND_FDS]) {
  char byte, control[CMSG_SPACE(sizeof(int) * COMMAND_FDS)];
  struct iovec data = {&byte, 1};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  ssize_t got;
  while ((got = recvmsg(channel, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
  struct cmsghdr *header = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (!header || header->cmsg_len != CMSG_LEN(sizeof(int) * COMMAND_FDS)) return -1;
  memcpy(fds, CMSG_DATA(header), sizeof(int) * COMMAND_FDS);
  return 0;
}

int spawner_send(int channel, const int fds[COMMAND_FDS]) {
  char byte = 0, control[CMSG_SPACE(sizeof(int) * COMMAND_FDS)] = {0};
  struct iovec data = {&byte, 1};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int) * COMMAND_FDS);
  memcpy(CMSG_DATA(header), fds, sizeof(int) * COMMAND_FDS);
  return sendmsg(channel, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == 1 ? 0 : -1;
}

static void spawner_run(const struct limits *limits, int channel) {
  for (int i = 0; i < limits->cgroup_count; i++) {
    if (write(limits->cgroups[i], "0", 1) != 1) _exit(SPAWNER_UNLIMITED);
  }
  if (limits->spared && confine_signals(limits->spared)) _exit(SPAWNER_UNLIMITED);
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(channel, SPAWNER_CHANNEL);
  for (int fd = 0; fd < SPAWNER_CHANNEL; fd++) dup2(null, fd);
  close_from(SPAWNER_CHANNEL + 1);
  signal(SIGCHLD, SIG_IGN);
  for (int fds[COMMAND_FDS]; !receive(SPAWNER_CHANNEL, fds);) {
    pid_t shim = fork();
    if (shim == 0) {
      close(SPAWNER_CHANNEL); /* a request must not outlive the spawner in its queue */
      shim_run(limits, fds);
    }
    if (shim < 0) {
      struct shim_message refusal = {SHIM_NOT_STARTED, errno};
      send(fds[COMMAND_CONTROL], &refusal, sizeof refusal, MSG_NOSIGNAL);
    }
    for (int i = 0; i < COMMAND_FDS; i++) close(fds[i]);
  }
  _exit(0);
}

pid_t spawner_start(const struct limits *limits, int *channel) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) return -1;
  pid_t pid = fork();
  if (pid == 0) spawner_run(limits, pair[1]);
  close(pair[1]);
  if (pid < 0) close(pair[0]);
  *channel = pair[0];
  return pid;
}
