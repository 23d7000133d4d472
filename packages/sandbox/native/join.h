#ifndef JOIN_H
#define JOIN_H

/* The first process of a container: starts the process inside for the one process of another container of the pod that
 * connects, and ends with its exit code. */
int join_await(int is_in_memory);

/* The mode by which it continues from memory. */
#define JOIN_AWAIT_IN_MEMORY "await-in-memory"

/* That process: takes these arguments of the process inside to it and relays its streams; returns its exit code. */
int join_streams(int count, char **arguments);

#endif
