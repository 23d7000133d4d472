#ifndef LAUNCHER_H
#define LAUNCHER_H

/* LAUNCH_STARTED: no status of `waitpid` is negative. */
enum { LAUNCH_STARTED = -1, LAUNCH_FAILED = 71, ARGUMENTS_MAX = 1024 };

/* Ends the process with the reason, from errno, on its stderr. */
_Noreturn void fail(const char *what, const char *which);
void write_text(const char *path, const char *text);

/* Becomes the command that the options describe. */
_Noreturn void launch(int count, char **argument);

/* Launches for the process that started this one, until its end. */
_Noreturn void serve(const char *socket_path);

#endif
