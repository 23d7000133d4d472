/* Commands are started by the spawner, a child of the agent that joins the sandbox's cgroups once: what it forks is
 * born inside the limits, while the agent itself stays outside them and cannot be starved or killed by them. */
#ifndef SPAWNER_H
#define SPAWNER_H

#include <stdint.h>
#include <sys/types.h>

enum { CGROUPS_MAX = 8, SPAWNER_UNLIMITED = 70 };

struct limits {
  long pids;
  int cgroups[CGROUPS_MAX]; /* cgroup.procs, opened for writing by root */
  int cgroup_count;
  pid_t spared; /* the agent, where commands could signal it: it is one more process of their user there; 0 elsewhere */
};

/* The descriptors of a command. `control` carries enum shim_word to the agent and any byte (kill all of it) to the shim. */
enum command_fd { COMMAND_STDIN, COMMAND_STDOUT, COMMAND_STDERR, COMMAND_CONTROL, COMMAND_CWD, COMMAND_REQUEST, COMMAND_FDS };

enum shim_word { SHIM_STARTED = 1, SHIM_EXITED, SHIM_ALL_DEAD, SHIM_NOT_STARTED };
/* `ran_ms`: of SHIM_EXITED, from the fork of the command to its end. */
struct shim_message { int word, status; uint32_t ran_ms; };

/* Forks the spawner; returns its pid or -1. `*channel` is the agent's end, for spawner_send. */
pid_t spawner_start(const struct limits *limits, int *channel);

/* Hands one command over without blocking; 0 or -1. The descriptors stay open here. */
int spawner_send(int channel, const int fds[COMMAND_FDS]);

/* One process that runs one command and is the reaper of all its descendants. Does not return. */
void shim_run(const struct limits *limits, const int fds[COMMAND_FDS]);

/* Stops and kills every process that descends from this one. Racing forks may need another round. */
void kill_descendants(void);

void close_from(int lowest);

#endif
