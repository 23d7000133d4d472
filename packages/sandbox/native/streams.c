#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "task.h"

enum { CHUNK = 64 << 10, DISCARD_PIPE = 1 << 20, DISCARD_PAUSE_MS = 2 };

static char chunk[CHUNK];

void send_frame(enum agent_frame type, uint32_t id, const void *payload, size_t length) {
  unsigned char header[FRAME_HEADER];
  put32(header, (uint32_t)length);
  put32(header + 4, type);
  put32(header + 8, id);
  struct iovec parts[2] = {{header, sizeof header}, {(void *)payload, length}};
  ssize_t sent;
  while ((sent = writev(1, parts, 2)) < 0 && errno == EINTR) {}
  if (sent < 0 && errno != EAGAIN) _exit(END_HOST_GONE);
  size_t done = sent < 0 ? 0 : (size_t)sent, in_header = done < sizeof header ? done : sizeof header;
  int failed = write_all(1, header + in_header, sizeof header - in_header);
  done -= in_header;
  if (failed || write_all(1, (const char *)payload + done, length - done)) _exit(END_HOST_GONE);
}

int port_open(struct agent *agent, struct task *task, enum port_kind kind, int fd, uint32_t events) {
  struct port *port = &task->port[kind];
  *port = (struct port){task, kind, fd, 0};
  fcntl(fd, F_SETFL, O_NONBLOCK);
  return epoll_ctl(agent->epoll, EPOLL_CTL_ADD, fd, &(struct epoll_event){events, {.ptr = port}});
}

void port_close(struct port *port) {
  if (port->fd >= 0) close(port->fd);
  port->fd = -1;
  port->resume_at = 0;
}

static int pipe_for(struct pipes *pipes, enum port_kind kind, int task_writes) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return -1;
  pipes->ours[kind] = ends[!task_writes];
  pipes->theirs[kind] = ends[task_writes];
  return 0;
}

int pipes_make(struct pipes *pipes, int with_stdin) {
  memset(pipes, 0xff, sizeof *pipes);
  if (pipe_for(pipes, PORT_STDOUT, 1) || pipe_for(pipes, PORT_STDERR, 1)) return -1;
  return with_stdin ? pipe_for(pipes, PORT_STDIN, 0) : 0;
}

void close_all(const int *fds, int count) {
  for (int i = 0; i < count; i++) {
    if (fds[i] >= 0) close(fds[i]);
  }
}

void ports_open(struct agent *agent, struct task *task, const struct pipes *pipes) {
  port_open(agent, task, PORT_STDOUT, pipes->ours[PORT_STDOUT], EPOLLIN | EPOLLONESHOT);
  port_open(agent, task, PORT_STDERR, pipes->ours[PORT_STDERR], EPOLLIN | EPOLLONESHOT);
  if (pipes->ours[PORT_STDIN] >= 0) port_open(agent, task, PORT_STDIN, pipes->ours[PORT_STDIN], EPOLLONESHOT);
}

static void arm(struct agent *agent, struct port *port, uint32_t events) {
  epoll_ctl(agent->epoll, EPOLL_CTL_MOD, port->fd, &(struct epoll_event){events | EPOLLONESHOT, {.ptr = port}});
}

/* Output without a reader is discarded unseen, a pipe's fill at a time with a pause between: the writer is
 * neither blocked nor able to keep the agent busy. */
static void discard(struct agent *agent, struct port *port) {
  fcntl(port->fd, F_SETPIPE_SZ, DISCARD_PIPE);
  ssize_t got = splice(port->fd, NULL, agent->null, NULL, DISCARD_PIPE, SPLICE_F_NONBLOCK);
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) port_close(port);
  else port->resume_at = now_ms() + DISCARD_PAUSE_MS;
}

/* Reads once and sends what the cap allows; returns the bytes read, 0 at the end, -1 when there are none now. */
static ssize_t pass_on(struct task *task, struct port *port, size_t most) {
  ssize_t got = read(port->fd, chunk, most < CHUNK ? most : CHUNK);
  if (got <= 0) return got;
  size_t kept = (uint64_t)got < task->output_left ? (size_t)got : (size_t)task->output_left;
  if (kept < (size_t)got) task->exit_flags |= EXIT_TRUNCATED;
  task->output_left -= kept;
  if (port->kind == PORT_STDOUT) task->unacknowledged += (uint32_t)kept;
  if (kept > 0) send_frame(port->kind == PORT_STDOUT ? AGENT_STDOUT : AGENT_STDERR, task->id, chunk, kept);
  return got;
}

void output_ready(struct agent *agent, struct port *port) {
  struct task *task = port->task;
  if (task->is_reported || (task->exit_flags & EXIT_TRUNCATED)) return discard(agent, port);
  size_t credit = task->window && port->kind == PORT_STDOUT ? task->window - task->unacknowledged : CHUNK;
  if (credit == 0) return; /* stays disarmed until the host has caught up */
  ssize_t got = pass_on(task, port, credit);
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) port_close(port);
  else arm(agent, port, EPOLLIN);
}

void output_resume(struct agent *agent, struct port *port) {
  port->resume_at = 0;
  arm(agent, port, EPOLLIN);
}

/* No reader waits for more of it: what is still in the pipes is discarded. */
void output_stop(struct agent *agent, struct task *task) {
  task->exit_flags |= EXIT_TRUNCATED;
  for (int kind = PORT_STDOUT; kind <= PORT_STDERR; kind++) {
    if (task->port[kind].fd >= 0) arm(agent, &task->port[kind], EPOLLIN);
  }
}

/* Reads the output from before the end of a command, and no more: a background job may continue to write for ever. */
void output_drain(struct task *task) {
  for (int kind = PORT_STDOUT; kind <= PORT_STDERR; kind++) {
    struct port *port = &task->port[kind];
    int left = 0;
    if (port->fd < 0 || ioctl(port->fd, FIONREAD, &left)) continue;
    while (left > 0 && !(task->exit_flags & EXIT_TRUNCATED)) {
      ssize_t got = pass_on(task, port, (size_t)left);
      if (got <= 0) break;
      left -= (int)got;
    }
  }
}

void output_credit(struct agent *agent, struct task *task, uint32_t bytes) {
  int was_full = task->window && task->unacknowledged >= task->window;
  task->unacknowledged = bytes < task->unacknowledged ? task->unacknowledged - bytes : 0;
  if (was_full && task->port[PORT_STDOUT].fd >= 0) arm(agent, &task->port[PORT_STDOUT], EPOLLIN);
}

static void acknowledge(struct task *task, size_t bytes) {
  unsigned char credit[4];
  put32(credit, (uint32_t)bytes);
  if (!task->is_reported) send_frame(AGENT_CREDIT, task->id, credit, sizeof credit);
}

void input_add(struct agent *agent, struct task *task, const void *bytes, size_t length) {
  struct port *port = &task->port[PORT_STDIN];
  if (port->fd < 0) return acknowledge(task, length);
  if (!task->input) task->input = malloc(INPUT_WINDOW);
  if (!task->input || task->input_length + length > INPUT_WINDOW) _exit(END_PROTOCOL);
  memcpy(task->input + task->input_length, bytes, length);
  task->input_length += length;
  input_ready(agent, task);
}

void input_end(struct task *task) {
  task->input_ended = 1;
  if (task->input_length == 0) port_close(&task->port[PORT_STDIN]);
}

void input_ready(struct agent *agent, struct task *task) {
  struct port *port = &task->port[PORT_STDIN];
  ssize_t written = write(port->fd, task->input, task->input_length);
  int is_closed = written < 0 && errno != EAGAIN && errno != EINTR;
  if (is_closed) written = (ssize_t)task->input_length; /* it has no reader: drop it, and let the host continue */
  if (written > 0) {
    task->input_length -= (size_t)written;
    memmove(task->input, task->input + written, task->input_length);
    acknowledge(task, (size_t)written);
  }
  if (is_closed || (task->input_ended && task->input_length == 0)) port_close(port);
  else if (task->input_length > 0) arm(agent, port, EPOLLOUT);
}
