/* `hold`, `await`, `join ARGUMENT...`, `environment`, `prepare TARGET FILTERS USER [DIRECTORY...]`, `directories
 * DIRECTORY...` and `probe ADDRESS PORT`; see modes.c and join.c. */
#ifndef MODES_H
#define MODES_H

enum { NO_MODE = -1 };

/* The exit code of the mode that the arguments name, or NO_MODE. */
int mode_run(int count, char **arguments);

#endif
