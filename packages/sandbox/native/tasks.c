#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "task.h"

/* How long a shim may take to kill its command before everything in the sandbox is killed instead. */
enum { ESCALATE_MS = 1000 };

typedef enum fault worker(const struct request *request);

static worker *const WORKERS[] = {
  [VERB_READ] = file_read, [VERB_WRITE] = file_write, [VERB_LIST] = file_list,      [VERB_STAT] = file_stat,
  [VERB_REMOVE] = file_remove, [VERB_SNAPSHOT] = tar_write, [VERB_RESTORE] = tar_read,
};

/* The pipes of a task: `ours` stays with the agent, `theirs` goes to the process. */
struct pipes { int ours[PORTS], theirs[PORTS]; };

static int pipe_for(struct pipes *pipes, enum port_kind kind, int task_writes) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return -1;
  pipes->ours[kind] = ends[!task_writes];
  pipes->theirs[kind] = ends[task_writes];
  return 0;
}

static int pipes_make(struct pipes *pipes, int with_stdin, int with_control) {
  int pair[2];
  memset(pipes, 0xff, sizeof *pipes);
  if (pipe_for(pipes, PORT_STDOUT, 1) || pipe_for(pipes, PORT_STDERR, 1)) return -1;
  if (with_stdin && pipe_for(pipes, PORT_STDIN, 0)) return -1;
  if (!with_control) return 0;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) return -1;
  pipes->ours[PORT_CONTROL] = pair[0];
  pipes->theirs[PORT_CONTROL] = pair[1];
  return 0;
}

static void close_all(const int *fds) {
  for (int i = 0; i < PORTS; i++) {
    if (fds[i] >= 0) close(fds[i]);
  }
}

static void ports_open(struct agent *agent, struct task *task, const struct pipes *pipes) {
  port_open(agent, task, PORT_STDOUT, pipes->ours[PORT_STDOUT], EPOLLIN | EPOLLONESHOT);
  port_open(agent, task, PORT_STDERR, pipes->ours[PORT_STDERR], EPOLLIN | EPOLLONESHOT);
  if (pipes->ours[PORT_STDIN] >= 0) port_open(agent, task, PORT_STDIN, pipes->ours[PORT_STDIN], EPOLLONESHOT);
  if (pipes->ours[PORT_CONTROL] >= 0) port_open(agent, task, PORT_CONTROL, pipes->ours[PORT_CONTROL], EPOLLIN);
}

static void end_task(struct task *task, enum exit_kind kind, int code) {
  task->has_ended = task->all_dead = 1;
  task->exit_kind = kind;
  task->exit_code = code;
}

static int spawner_ready(struct agent *agent) {
  if (agent->spawner <= 0) agent->spawner = spawner_start(&agent->limits, &agent->spawner_channel);
  return agent->spawner > 0 ? 0 : -1;
}

static int request_file(const char *bytes, size_t length) {
  int fd = memfd_create("request", MFD_CLOEXEC);
  if (fd >= 0 && write_all(fd, bytes, length)) {
    close(fd);
    return -1;
  }
  return fd;
}

static enum fault open_cwd(const struct request *request, int *fd) {
  struct place place;
  enum fault fault = resolve(&place, request, request->cwd.item[0], FOLLOW_LAST);
  if (fault) return fault;
  *fd = fcntl(place.fd, F_DUPFD_CLOEXEC, 3);
  int is_directory = S_ISDIR(place.stat.st_mode);
  place_close(&place);
  return is_directory ? FAULT_NONE : FAULT_NOT_DIRECTORY;
}

/* For a command `cwd` is the path to resolve, already absolute. */
static enum fault start_command(struct agent *agent, struct task *task, const struct request *request, const char *bytes, size_t length) {
  struct pipes pipes;
  int cwd = -1, file = -1;
  enum fault fault = request->args.count == 0 ? FAULT_IO : open_cwd(request, &cwd);
  if (fault) {
    if (cwd >= 0) close(cwd);
    return fault;
  }
  file = request_file(bytes, length);
  int failed = pipes_make(&pipes, request->flags & FLAG_STDIN, 1) || file < 0 || spawner_ready(agent);
  int input = pipes.theirs[PORT_STDIN] >= 0 ? pipes.theirs[PORT_STDIN] : agent->null;
  if (!failed) {
    int fds[COMMAND_FDS] = {input, pipes.theirs[PORT_STDOUT], pipes.theirs[PORT_STDERR], pipes.theirs[PORT_CONTROL], cwd, file};
    failed = spawner_send(agent->spawner_channel, fds);
  }
  close(cwd);
  if (file >= 0) close(file);
  close_all(pipes.theirs);
  if (failed) return close_all(pipes.ours), FAULT_IO;
  ports_open(agent, task, &pipes);
  return FAULT_NONE;
}

static void worker_run(const struct pipes *pipes, int input, const struct request *request) {
  dup2(input, 0);
  dup2(pipes->theirs[PORT_STDOUT], 1);
  dup2(pipes->theirs[PORT_STDERR], 2);
  close_from(3);
  _exit(WORKERS[request->verb](request));
}

static enum fault start_worker(struct agent *agent, struct task *task, const struct request *request) {
  struct pipes pipes;
  int failed = pipes_make(&pipes, request->flags & FLAG_STDIN, 0);
  if (!failed) {
    task->worker = fork();
    if (task->worker == 0) worker_run(&pipes, pipes.theirs[PORT_STDIN] >= 0 ? pipes.theirs[PORT_STDIN] : agent->null, request);
    failed = task->worker < 0;
  }
  close_all(pipes.theirs);
  if (failed) return close_all(pipes.ours), FAULT_IO;
  ports_open(agent, task, &pipes);
  return FAULT_NONE;
}

static int is_worker_verb(uint32_t verb) { return verb < sizeof WORKERS / sizeof *WORKERS && WORKERS[verb]; }

void task_start(struct agent *agent, uint32_t id, char *bytes, size_t length) {
  struct request request = {0};
  struct task *task = calloc(1, sizeof *task);
  if (!task || task_find(agent, id)) _exit(END_PROTOCOL);
  /* A command's request goes on to its shim, byte for byte, so it is parsed before anything can change it. */
  if (request_parse(&request, bytes, length)) _exit(END_PROTOCOL);
  if (request.verb != VERB_EXEC && (!is_worker_verb(request.verb) || request.args.count == 0)) _exit(END_PROTOCOL);
  *task = (struct task){.id = id, .verb = request.verb, .window = request.window, .output_left = request.output_max, .next = agent->tasks};
  for (int kind = 0; kind < PORTS; kind++) task->port[kind].fd = -1;
  agent->tasks = task;
  if (request.timeout_ms) task->deadline = now_ms() + request.timeout_ms;
  enum fault fault = request.verb == VERB_EXEC ? start_command(agent, task, &request, bytes, length) : start_worker(agent, task, &request);
  if (fault) end_task(task, EXIT_REFUSED, (int)fault);
  free(request.cwd.item);
  free(request.roots.item);
  free(request.args.item);
  free(request.extra.item);
}

struct task *task_find(struct agent *agent, uint32_t id) {
  struct task *task = agent->tasks;
  while (task && (task->id != id || task->is_reported)) task = task->next;
  return task;
}

void task_kill(struct agent *agent, struct task *task, int because_of_time) {
  if (task->is_killed || task->has_ended) return;
  task->is_killed = 1;
  task->deadline = 0;
  if (because_of_time) task->exit_flags |= EXIT_TIMED_OUT;
  if (task->worker > 0) {
    kill(task->worker, SIGKILL);
    output_stop(agent, task);
  } else {
    send(task->port[PORT_CONTROL].fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    task->escalate_at = now_ms() + ESCALATE_MS;
  }
}

/* A word from the shim. Its end without one means that somebody killed it, and with it the command's exit code. */
void task_control(struct task *task) {
  struct shim_message message;
  ssize_t got = recv(task->port[PORT_CONTROL].fd, &message, sizeof message, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got != sizeof message) {
    if (!task->has_ended) end_task(task, EXIT_SIGNAL, SIGKILL);
    task->all_dead = 1;
    port_close(&task->port[PORT_CONTROL]);
  } else if (message.word == SHIM_ALL_DEAD) {
    task->all_dead = 1;
  } else if (message.word == SHIM_NOT_STARTED) {
    end_task(task, EXIT_CODE, 126);
    static const char text[] = "cannot start a process: limit reached\n";
    send_frame(AGENT_STDERR, task->id, text, sizeof text - 1);
  } else {
    task->has_ended = 1;
    task->exit_kind = WIFSIGNALED(message.status) ? EXIT_SIGNAL : EXIT_CODE;
    task->exit_code = WIFSIGNALED(message.status) ? WTERMSIG(message.status) : WEXITSTATUS(message.status);
  }
}

void task_child(struct agent *agent, pid_t pid, int status) {
  if (pid == agent->spawner) {
    /* A command outside its limits is worse than none. */
    if (WIFEXITED(status) && WEXITSTATUS(status) == SPAWNER_UNLIMITED) _exit(END_UNLIMITED);
    close(agent->spawner_channel);
    agent->spawner = 0;
  }
  for (struct task *task = agent->tasks; task; task = task->next) {
    if (task->worker != pid) continue;
    task->worker = -1;
    if (WIFSIGNALED(status)) end_task(task, EXIT_SIGNAL, WTERMSIG(status));
    else end_task(task, EXIT_CODE, WEXITSTATUS(status));
  }
}

static int is_open(const struct task *task) { return task->port[PORT_STDOUT].fd >= 0 || task->port[PORT_STDERR].fd >= 0; }

static void report(struct task *task) {
  if (task->worker == 0) output_drain(task);
  unsigned char result[4] = {task->exit_kind, (unsigned char)task->exit_flags, (unsigned char)task->exit_code, 0};
  send_frame(AGENT_EXIT, task->id, result, sizeof result);
  task->is_reported = 1;
  port_close(&task->port[PORT_STDIN]);
  port_close(&task->port[PORT_CONTROL]);
}

/* Reports what is over; forgets what is reported once nothing can write to its pipes any more. */
void tasks_settle(struct agent *agent) {
  for (struct task **link = &agent->tasks; *link;) {
    struct task *task = *link;
    int is_over = task->has_ended && (task->worker ? !is_open(task) : !task->is_killed || task->all_dead);
    if (is_over && !task->is_reported) report(task);
    if (task->is_reported && !is_open(task)) {
      *link = task->next;
      free(task->input);
      free(task);
    } else {
      link = &task->next;
    }
  }
}

static int64_t sooner(int64_t a, int64_t b) { return a == 0 || (b > 0 && b < a) ? b : a; }

/* Does what is due; returns the milliseconds until more is, or -1. */
int tasks_check_time(struct agent *agent) {
  int64_t now = now_ms(), next = 0;
  int must_escalate = 0;
  for (struct task *task = agent->tasks; task; task = task->next) {
    if (task->deadline && task->deadline <= now) task_kill(agent, task, 1);
    if (task->is_reported || task->all_dead) task->escalate_at = task->deadline = 0;
    must_escalate |= task->escalate_at && task->escalate_at <= now;
    next = sooner(sooner(next, task->deadline), task->escalate_at);
    for (int kind = PORT_STDOUT; kind <= PORT_STDERR; kind++) {
      struct port *port = &task->port[kind];
      if (port->resume_at && port->resume_at <= now) output_resume(agent, port);
      next = sooner(next, port->resume_at);
    }
  }
  if (must_escalate) {
    kill_everything(agent);
    return 0;
  }
  return next == 0 ? -1 : next > now ? (int)(next - now) : 0;
}

/* One signal to all at once, which no fork can outrun; then every process of the sandbox is ours to reap. */
void kill_everything(struct agent *agent) {
  int status;
  kill(-1, SIGKILL);
  for (pid_t pid; (pid = waitpid(-1, &status, 0)) > 0 || errno == EINTR;) {
    if (pid > 0) task_child(agent, pid, status);
  }
  for (struct task *task = agent->tasks; task; task = task->next) {
    if (!task->has_ended && task->worker == 0) end_task(task, EXIT_SIGNAL, SIGKILL);
    task->all_dead = 1;
  }
}
