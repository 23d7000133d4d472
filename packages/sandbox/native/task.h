/* One request in flight: a command under its shim, or a file worker. */
#ifndef TASK_H
#define TASK_H

#include <stdint.h>
#include <sys/types.h>

#include "spawner.h"
#include "wire.h"

enum port_kind { PORT_STDOUT, PORT_STDERR, PORT_STDIN, PORT_CONTROL, PORTS, PORT_HOST, PORT_CHILDREN, PORT_LISTENER, PORT_TUNNEL };

/* The pipes of a task: `ours` stays with the agent, `theirs` goes to the process. */
struct pipes { int ours[PORTS], theirs[PORTS]; };

/* The data of an epoll event. A closed port has fd -1. */
struct port {
  struct task *task;
  enum port_kind kind;
  int fd;
  int64_t resume_at; /* ms; a port that waits for its next turn, 0 otherwise */
};

struct task {
  uint32_t id, verb, window, unacknowledged;
  uint64_t output_left;
  struct port port[PORTS];
  pid_t worker;  /* 0 for commands */
  pid_t spawner; /* that a command was given to */
  int given[COMMAND_FDS]; /* what it was given, kept until its shim runs: the spawner may die before that */
  int tries;
  char *input;
  size_t input_length;
  int input_ended;
  int has_ended, all_dead, is_killed, is_reported; /* the life of a task, in this order */
  uint64_t oom_kills; /* of the sandbox, when this began */
  enum exit_kind exit_kind;
  int exit_code, exit_flags;
  uint32_t timeout_ms, ran_ms; /* of a command; the latter once it has ended */
  int64_t deadline, escalate_at; /* ms; 0: none */
  struct task *next;
};

struct agent {
  int epoll, null;
  struct limits limits;
  pid_t spawner;
  int spawner_channel;
  struct task *tasks;
};

int64_t now_ms(void);

/* streams.c: between the pipes of tasks and the frames of the host. */
void send_frame(enum agent_frame type, uint32_t id, const void *payload, size_t length);
int port_open(struct agent *agent, struct task *task, enum port_kind kind, int fd, uint32_t events);
void port_close(struct port *port);
int pipes_make(struct pipes *pipes, int with_stdin);
void ports_open(struct agent *agent, struct task *task, const struct pipes *pipes);
void close_all(const int *fds, int count);
void output_ready(struct agent *agent, struct port *port);
void output_resume(struct agent *agent, struct port *port);
void output_stop(struct agent *agent, struct task *task);
void output_drain(struct task *task);
void output_credit(struct agent *agent, struct task *task, uint32_t bytes);
void input_add(struct agent *agent, struct task *task, const void *bytes, size_t length);
void input_end(struct task *task);
void input_ready(struct agent *agent, struct task *task);

/* commands.c: from the request to the shim. */
enum file_error command_start(struct agent *agent, struct task *task, const struct request *request, const char *bytes, size_t length);
void command_control(struct agent *agent, struct task *task);
void command_forget(struct task *task);

/* tasks.c: from the request to the exit frame. */
void task_start(struct agent *agent, uint32_t id, char *bytes, size_t length);
struct task *task_find(struct agent *agent, uint32_t id);
void task_kill(struct agent *agent, struct task *task, int because_of_time);
void end_task(struct task *task, enum exit_kind kind, int code);
void task_child(struct agent *agent, pid_t pid, int status);
void tasks_settle(struct agent *agent);
int tasks_check_time(struct agent *agent);
void kill_everything(struct agent *agent);

#endif
