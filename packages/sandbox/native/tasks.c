#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "figures.h"
#include "files.h"
#include "task.h"

/* How long a shim may take to kill its command before everything in the sandbox is killed instead. */
enum { ESCALATE_MS = 1000 };

enum { START_MS_MAX = 10000 }; /* as in limit-clock.ts */

typedef enum file_error worker(const struct request *request);

static worker *const WORKERS[] = {
  [VERB_READ] = file_read, [VERB_WRITE] = file_write, [VERB_LIST] = file_list,      [VERB_STAT] = file_stat,
  [VERB_REMOVE] = file_remove, [VERB_SNAPSHOT] = tar_write, [VERB_RESTORE] = tar_read,
};

void end_task(struct task *task, enum exit_kind kind, int code) {
  task->has_ended = task->all_dead = 1;
  task->exit_kind = kind;
  task->exit_code = code;
}

static void worker_run(const struct pipes *pipes, int input, const struct request *request) {
  dup2(input, 0);
  dup2(pipes->theirs[PORT_STDOUT], 1);
  dup2(pipes->theirs[PORT_STDERR], 2);
  close_from(3);
  _exit(WORKERS[request->verb](request));
}

static enum file_error start_worker(struct agent *agent, struct task *task, const struct request *request) {
  struct pipes pipes;
  int failed = pipes_make(&pipes, request->flags & FLAG_STDIN);
  if (!failed) {
    task->worker = fork();
    if (task->worker == 0) worker_run(&pipes, pipes.theirs[PORT_STDIN] >= 0 ? pipes.theirs[PORT_STDIN] : agent->null, request);
    failed = task->worker < 0;
  }
  close_all(pipes.theirs, PORTS);
  if (failed) return close_all(pipes.ours, PORTS), FILE_ERROR_IO;
  ports_open(agent, task, &pipes);
  return FILE_OK;
}

static int is_worker_verb(uint32_t verb) { return verb < sizeof WORKERS / sizeof *WORKERS && WORKERS[verb]; }

void task_start(struct agent *agent, uint32_t id, char *bytes, size_t length) {
  struct request request = {0};
  struct task *task = calloc(1, sizeof *task);
  if (!task || task_find(agent, id)) _exit(END_PROTOCOL);
  if (request_parse(&request, bytes, length)) _exit(END_PROTOCOL);
  if (request.verb != VERB_EXEC && (!is_worker_verb(request.verb) || request.args.count == 0)) _exit(END_PROTOCOL);
  *task = (struct task){.id = id, .verb = request.verb, .window = request.window, .output_left = request.output_max, .next = agent->tasks};
  for (int kind = 0; kind < PORTS; kind++) task->port[kind].fd = -1;
  memset(task->given, 0xff, sizeof task->given);
  agent->tasks = task;
  task->oom_kills = figure_read(FIGURE_OOM_KILLS);
  task->timeout_ms = request.timeout_ms;
  /* The time that a start takes is the platform's, up to a bound: commands of the same user can stop the spawner. */
  if (request.timeout_ms) task->deadline = now_ms() + request.timeout_ms + (request.verb == VERB_EXEC ? START_MS_MAX : 0);
  enum file_error error = request.verb == VERB_EXEC ? command_start(agent, task, &request, bytes, length) : start_worker(agent, task, &request);
  if (error) end_task(task, EXIT_REFUSED, (int)error);
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
  /* A command that has ended in time is not ended by it, however late its end is read. */
  for (int message = 0; because_of_time && message < 2 && !task->has_ended && task->port[PORT_CONTROL].fd >= 0; message++) command_control(agent, task);
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
  if (figure_read(FIGURE_OOM_KILLS) > task->oom_kills) task->exit_flags |= EXIT_OOM_KILLED;
  unsigned char result[8] = {task->exit_kind, (unsigned char)task->exit_flags, (unsigned char)task->exit_code, 0};
  put32(result + 4, task->ran_ms);
  send_frame(AGENT_EXIT, task->id, result, sizeof result);
  task->is_reported = 1;
  port_close(&task->port[PORT_STDIN]);
  port_close(&task->port[PORT_CONTROL]);
  command_forget(task);
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

/* Where the whole process namespace is ours (no parent in it), one signal to all at once, which no fork can outrun. */
static void kill_others(void) {
  if (getppid() == 0) kill(-1, SIGKILL);
  else kill_descendants();
}

/* Every process of the sandbox is ours to reap. */
void kill_everything(struct agent *agent) {
  int status;
  kill_others();
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) >= 0 || errno == EINTR;) {
    if (pid > 0) task_child(agent, pid, status);
    if (pid != 0) continue;
    poll(NULL, 0, 1);
    kill_others();
  }
  for (struct task *task = agent->tasks; task; task = task->next) {
    if (!task->has_ended && task->worker == 0) end_task(task, EXIT_SIGNAL, SIGKILL);
    task->all_dead = 1;
  }
}
