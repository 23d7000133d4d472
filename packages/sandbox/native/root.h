#ifndef ROOT_H
#define ROOT_H

/* Directories after this one keep the owner that the image gives them. */
#define ROOT_READABLE ":"

/* Makes the directories, which then belong to the user with this id, and becomes that user. -1 and errno on failure. */
int root_prepare(const char *id, int count, char **directories);

#endif
