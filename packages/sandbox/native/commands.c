#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resolve.h"
#include "task.h"

/* Commands can kill the spawner, so one of them may have to be given out again. */
enum { TRIES_MAX = 4 };

static int request_file(const char *bytes, size_t length) {
  int fd = memfd_create("request", MFD_CLOEXEC);
  if (fd >= 0 && write_all(fd, bytes, length)) {
    close(fd);
    return -1;
  }
  return fd;
}

/* For a command `cwd` is the path to resolve, already absolute. */
static enum file_error open_cwd(const struct request *request, int *fd) {
  struct place place;
  enum file_error error = resolve(&place, request, request->cwd.item[0], FOLLOW_LAST);
  if (error) return error;
  *fd = fcntl(place.fd, F_DUPFD_CLOEXEC, 3);
  int is_directory = S_ISDIR(place.stat.st_mode);
  place_close(&place);
  return is_directory ? FILE_OK : FILE_ERROR_NOT_DIRECTORY;
}

/* The spawner that failed a command is replaced, unless that has happened already. */
static int spawner_ready(struct agent *agent, pid_t failed) {
  int status;
  if (failed > 0 && agent->spawner == failed) {
    kill(failed, SIGKILL);
    while (waitpid(failed, &status, 0) < 0 && errno == EINTR) {}
    task_child(agent, failed, status);
  }
  if (agent->spawner <= 0) agent->spawner = spawner_start(&agent->limits, &agent->spawner_channel);
  return agent->spawner > 0 ? 0 : -1;
}

static int give_out(struct agent *agent, struct task *task) {
  int pair[2];
  for (; task->tries < TRIES_MAX; task->tries++) {
    if (spawner_ready(agent, task->spawner)) return -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) return -1;
    task->spawner = agent->spawner;
    task->given[COMMAND_CONTROL] = pair[1];
    int failed = spawner_send(agent->spawner_channel, task->given);
    close(pair[1]);
    task->given[COMMAND_CONTROL] = -1;
    if (!failed) {
      task->tries++;
      return port_open(agent, task, PORT_CONTROL, pair[0], EPOLLIN);
    }
    close(pair[0]);
  }
  return -1;
}

void command_forget(struct task *task) {
  close_all(task->given, COMMAND_FDS);
  memset(task->given, 0xff, sizeof task->given);
}

enum file_error command_start(struct agent *agent, struct task *task, const struct request *request, const char *bytes, size_t length) {
  struct pipes pipes;
  int cwd = -1;
  enum file_error error = request->args.count == 0 ? FILE_ERROR_IO : open_cwd(request, &cwd);
  task->given[COMMAND_CWD] = cwd;
  if (error) return command_forget(task), error;
  int failed = pipes_make(&pipes, request->flags & FLAG_STDIN);
  int input = pipes.theirs[PORT_STDIN] >= 0 ? pipes.theirs[PORT_STDIN] : fcntl(agent->null, F_DUPFD_CLOEXEC, 3);
  task->given[COMMAND_STDIN] = input;
  task->given[COMMAND_STDOUT] = pipes.theirs[PORT_STDOUT];
  task->given[COMMAND_STDERR] = pipes.theirs[PORT_STDERR];
  task->given[COMMAND_REQUEST] = request_file(bytes, length);
  failed = failed || input < 0 || task->given[COMMAND_REQUEST] < 0 || give_out(agent, task);
  if (!failed) return ports_open(agent, task, &pipes), FILE_OK;
  close_all(pipes.ours, PORTS);
  command_forget(task);
  return FILE_ERROR_IO;
}

/* The shim has ended without a report about the command: it was killed, or the spawner before it. */
static void on_silence(struct agent *agent, struct task *task) {
  int was_started = task->given[COMMAND_REQUEST] < 0;
  port_close(&task->port[PORT_CONTROL]);
  task->all_dead = 1;
  if (task->has_ended) return;
  if (was_started || task->is_killed || give_out(agent, task)) end_task(task, EXIT_SIGNAL, SIGKILL);
  else task->all_dead = 0;
}

static void command_started(struct task *task) {
  int64_t deadline = now_ms() + task->timeout_ms;
  if (task->deadline > deadline) task->deadline = deadline;
  command_forget(task);
  send_frame(AGENT_STARTED, task->id, NULL, 0);
}

void command_control(struct agent *agent, struct task *task) {
  struct shim_message message;
  ssize_t got = recv(task->port[PORT_CONTROL].fd, &message, sizeof message, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got != sizeof message) return on_silence(agent, task);
  switch (message.word) {
    case SHIM_STARTED: command_started(task); return;
    case SHIM_ALL_DEAD: task->all_dead = 1; return;
    case SHIM_NOT_STARTED: {
      static const char text[] = "cannot start a process: limit reached\n";
      end_task(task, EXIT_CODE, 126);
      send_frame(AGENT_STDERR, task->id, text, sizeof text - 1);
      return;
    }
    default:
      task->has_ended = 1;
      task->exit_kind = WIFSIGNALED(message.status) ? EXIT_SIGNAL : EXIT_CODE;
      task->ran_ms = message.ran_ms;
      task->exit_code = WIFSIGNALED(message.status) ? WTERMSIG(message.status) : WEXITSTATUS(message.status);
  }
}
