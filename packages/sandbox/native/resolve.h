/* Path resolution that checks and opens in one walk. */
#ifndef RESOLVE_H
#define RESOLVE_H

#include <limits.h>
#include <sys/stat.h>

#include "wire.h"

enum resolve_flag { FOLLOW_LAST = 1, MAKE_PARENTS = 2, MAY_BE_ABSENT = 4 };

/* Where a path leads. When `exists`, `fd` (O_PATH) is the very object that was checked. */
struct place {
  int exists;
  int fd;
  int parent;               /* directory of the last step (O_PATH); -1 when the walk ended on `.` or `..` */
  char name[NAME_MAX + 1];  /* name in `parent` */
  struct stat stat;
  char path[PATH_MAX];      /* absolute, without links */
};

/* Walks `path` as the kernel would, one component at a time on descriptors, so that nothing can be swapped
 * between the check and the opening. What lies outside `roots` is FILE_ERROR_NOT_PERMITTED whether or not it exists. */
enum file_error resolve(struct place *place, const struct request *scope, const char *path, int flags);
void place_close(struct place *place);

/* Opens the object itself again for reading or writing. -1 and errno on failure. */
int place_open(const struct place *place, int flags);

enum file_error error_of_errno(int number);

#endif
