#ifndef LAUNCHER_ROOT_H
#define LAUNCHER_ROOT_H

#include <sys/types.h>

/* A descriptor of a user namespace whose ids 0 to 65535 are those of the host from `first` on. */
int make_user_namespace(uid_t first);

/* Mounts the layers, the highest first, at `directory`, with what is written on the disk mounted at `disk`. */
void mount_root(const char *disk, const char *directory, char **layers, int count, uid_t first, int namespace);

/* Makes a directory of a mounted root, and its parents, where they are missing. */
void make_root_directory(const char *root, const char *path, uid_t owner);

#endif
