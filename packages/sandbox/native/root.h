#ifndef ROOT_H
#define ROOT_H

#include <sys/types.h>

/* Directories after this one keep the owner that the image gives them. */
#define ROOT_READABLE ":"

/* Makes the directories, which then belong to the user with this id, and becomes that user. -1 and errno on failure. */
int root_prepare(const char *id, int count, char **directories);

/* Of the process, for the rest of it and its children. Both return 0, or -1. */
int drop_capabilities(void);

/* For good: without capabilities and with no_new_privs there is no way back. */
int become(uid_t user);

#endif
