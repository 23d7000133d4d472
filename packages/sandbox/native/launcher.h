#ifndef LAUNCHER_H
#define LAUNCHER_H

enum { LAUNCH_FAILED = 71, ARGUMENTS_MAX = 1024 };

/* Becomes the command, as the options say. */
_Noreturn void launch(int count, char **argument);

/* Launches for the process that started this one, until its end. */
_Noreturn void serve(const char *socket_path);

#endif
