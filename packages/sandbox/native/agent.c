/* The first process of a sandbox: executes the requests of the host, frames on 0 and 1, and reaps everything.
 * Usage: agent PIDS LEASE_MS [CGROUP_FD...], or agent confined FILTER PIDS LEASE_MS: in places whose runtime does not put
 * our filter on commands, and where this is not the first process but one more of their user. Either after
 * `root USER DIRECTORY... --`: on the writable root of an image, whose changes are then what a snapshot takes. All of it
 * after `relay USER`: behind a process of root that has the streams of the runtime, as this user; or after `joined`: behind
 * one of another container (`join.c`), on whose sockets it was started. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "confine.h"
#include "figures.h"
#include "files.h"
#include "modes.h"
#include "relay.h"
#include "root.h"
#include "task.h"
#include "tunnels.h"

enum { EVENTS = 64 };

static char inbox[FRAME_HEADER + FRAME_PAYLOAD_MAX];
static size_t inbox_length;

int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* A signal, so that the lease holds even while a write to a stuck host blocks. Anything in the sandbox can send one
 * too, so it counts only when the timer has really run out. */
static void on_alarm(int number) {
  struct itimerval left;
  (void)number;
  if (!getitimer(ITIMER_REAL, &left) && !timerisset(&left.it_value)) _exit(END_LEASE);
}

static void set_lease(uint32_t ms) {
  struct itimerval lease = {{0, 0}, {ms / 1000, ms % 1000 * 1000}};
  setitimer(ITIMER_REAL, &lease, NULL);
}

static void listen_for_host(struct agent *agent, uint32_t id, char *payload, size_t length) {
  if (length != 4 || tunnels_listen(agent, (uint16_t)get32((unsigned char *)payload))) _exit(END_INTERNAL);
  send_frame(AGENT_DONE, id, "", 0);
}

static void send_figures(uint32_t id) {
  unsigned char all[8 * FIGURES];
  for (int figure = 0; figure < FIGURES; figure++) put64(all + 8 * figure, figure_read((enum figure)figure));
  send_frame(AGENT_DONE, id, all, sizeof all);
}

static void on_frame(struct agent *agent, uint32_t type, uint32_t id, char *payload, size_t length) {
  if (IS_TUNNEL_ID(id)) return tunnel_frame(agent, type, id, payload, length);
  struct task *task = task_find(agent, id);
  switch (type) {
    case HOST_START: task_start(agent, id, payload, length); return;
    case HOST_INPUT: if (task) input_add(agent, task, payload, length); return;
    case HOST_INPUT_END: if (task) input_end(task); return;
    case HOST_CANCEL: if (task) task_kill(agent, task, 0); return;
    case HOST_EXPIRE: if (task) task_kill(agent, task, 1); return;
    case HOST_CREDIT: if (task && length == 4) output_credit(agent, task, get32((unsigned char *)payload)); return;
    case HOST_KILL_ALL: kill_everything(agent); send_frame(AGENT_DONE, id, "", 0); return;
    case HOST_PING: send_frame(AGENT_DONE, id, "", 0); return;
    case HOST_LEASE: if (length == 4) set_lease(get32((unsigned char *)payload)); return;
    case HOST_FIGURES: send_figures(id); return;
    case HOST_LISTEN: listen_for_host(agent, id, payload, length); return;
    default: _exit(END_PROTOCOL);
  }
}

static void read_host(struct agent *agent) {
  ssize_t got = read(0, inbox + inbox_length, sizeof inbox - inbox_length);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got <= 0) _exit(END_HOST_GONE);
  inbox_length += (size_t)got;
  size_t at = 0;
  while (inbox_length - at >= FRAME_HEADER) {
    unsigned char *header = (unsigned char *)inbox + at;
    size_t length = get32(header);
    if (length > FRAME_PAYLOAD_MAX) _exit(END_PROTOCOL);
    if (inbox_length - at < FRAME_HEADER + length) break;
    on_frame(agent, get32(header + 4), get32(header + 8), inbox + at + FRAME_HEADER, length);
    at += FRAME_HEADER + length;
  }
  inbox_length -= at;
  memmove(inbox, inbox + at, inbox_length);
}

static void reap(struct agent *agent, int children) {
  struct signalfd_siginfo waste;
  int status;
  while (read(children, &waste, sizeof waste) > 0) {}
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) task_child(agent, pid, status);
}

static void on_event(struct agent *agent, struct port *port) {
  if (port->fd < 0) return; /* closed by an earlier event of this round */
  switch (port->kind) {
    case PORT_HOST: read_host(agent); return;
    case PORT_CHILDREN: reap(agent, port->fd); return;
    case PORT_STDIN: input_ready(agent, port->task); return;
    case PORT_CONTROL: command_control(agent, port->task); return;
    case PORT_LISTENER: tunnels_accept(agent, port); return;
    case PORT_TUNNEL: tunnel_ready(agent, port); return;
    default: output_ready(agent, port);
  }
}

static void watch(struct agent *agent, struct port *port) {
  epoll_ctl(agent->epoll, EPOLL_CTL_ADD, port->fd, &(struct epoll_event){EPOLLIN, {.ptr = port}});
}

static int watch_children(void) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  return signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void prepare(struct agent *agent, int count, char **arguments) {
  prctl(PR_SET_DUMPABLE, 0); /* no process of the sandbox may look into this one or its descriptors */
  prctl(PR_SET_CHILD_SUBREAPER, 1); /* where it is not the first process of all */
  signal(SIGPIPE, SIG_IGN);
  signal(SIGALRM, on_alarm);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  agent->epoll = epoll_create1(EPOLL_CLOEXEC);
  agent->null = open("/dev/null", O_RDWR | O_CLOEXEC);
  agent->limits.pids = atol(arguments[0]);
  set_lease((uint32_t)strtoul(arguments[1], NULL, 10));
  for (int i = 2; i < count && agent->limits.cgroup_count < CGROUPS_MAX; i++) {
    int fd = atoi(arguments[i]);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    agent->limits.cgroups[agent->limits.cgroup_count++] = fd;
  }
}

/* True where another process of this user, as commands are, opens the streams of this one (see `relay.c`). */
static int streams_are_exposed(void) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    for (int fd = 0; fd < 2; fd++) {
      char path[64];
      snprintf(path, sizeof path, "/proc/%d/fd/%d", getppid(), fd);
      if (open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) >= 0 || open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) >= 0) _exit(1);
    }
    _exit(0);
  }
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

/* Returns how many arguments it consumed. */
static int use_root(int count, char **arguments) {
  int end = 2;
  while (end < count && strcmp(arguments[end], "--")) end++;
  if (end >= count) _exit(END_INTERNAL);
  if (root_prepare(arguments[1], end - 2, arguments + 2)) {
    dprintf(2, "the root of the image: %s\n", strerror(errno));
    _exit(END_INTERNAL);
  }
  changes_begin();
  return end + 1;
}

int main(int count, char **arguments) {
  static struct agent agent;
  int exit_code = mode_run(count - 1, arguments + 1);
  if (exit_code != NO_MODE) return exit_code;
  if (count > 2 && !strcmp(arguments[1], "relay")) {
    relay_begin(arguments[2]);
    count -= 2;
    arguments += 2;
  } else if (count > 1 && !strcmp(arguments[1], "joined")) {
    count--;
    arguments++;
  }
  if (count > 1 && !strcmp(arguments[1], "root")) {
    int used = use_root(count - 1, arguments + 1);
    count -= used;
    arguments += used;
  }
  if (count > 3 && !strcmp(arguments[1], "confined")) {
    if (confine(arguments[2])) return dprintf(2, "the filter %s: %s\n", arguments[2], strerror(errno)), END_INTERNAL;
    agent.limits.spared = getpid();
    count -= 2;
    arguments += 2;
  }
  if (count < 3) return END_INTERNAL;
  prepare(&agent, count - 1, arguments + 1);
  if (agent.limits.spared && streams_are_exposed()) {
    dprintf(2, "exposed: processes of this user can open the streams of another one that is not dumpable\n");
    return END_EXPOSED;
  }
  struct port host = {.kind = PORT_HOST, .fd = 0}, children = {.kind = PORT_CHILDREN, .fd = watch_children()};
  if (agent.epoll < 0 || agent.null < 0 || children.fd < 0) return END_INTERNAL;
  if (dup2(agent.null, 2) < 0) return END_INTERNAL; /* a pipe, which commands on gVisor could open by /proc */
  watch(&agent, &host);
  watch(&agent, &children);
  agent.spawner = spawner_start(&agent.limits, &agent.spawner_channel);
  send_frame(AGENT_READY, 0, "", 0);
  for (;;) {
    struct epoll_event events[EVENTS];
    int count_ready = epoll_wait(agent.epoll, events, EVENTS, tasks_check_time(&agent));
    for (int i = 0; i < count_ready; i++) on_event(&agent, events[i].data.ptr);
    tasks_settle(&agent);
    tunnels_settle(&agent);
  }
}
