/* The rights that a process gives up before it runs commands of others, where it has them still. */
#ifndef CONFINE_H
#define CONFINE_H

#include <sys/types.h>

/* Puts the system call filter of this file (an array of struct sock_filter) on this process and all that it forks from
 * now on, without a way back. 0, or -1 with errno. */
int confine(const char *filter);

/* Forbids this process, and all that it forks from now on, to signal `process`, which runs as the same user: also by
 * `kill -1`, which would include it. 0, or -1 with errno. */
int confine_signals(pid_t process);

#endif
