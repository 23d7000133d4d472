/* Prepares the writable root of an image, before anything of the sandbox runs. */
#define _GNU_SOURCE
#include "root.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ID_ROOT = 0 };

/* A directory of the image keeps its mode, and its owner unless that is to be `owner`. */
enum ownership { KEEP_OWNER, CHANGE_OWNER };

static int make_directory(const char *path, mode_t mode, uid_t owner, enum ownership ownership) {
  char part[PATH_MAX];
  int is_new = 0;
  if (strlen(path) >= sizeof part) return errno = ENAMETOOLONG, -1;
  for (size_t length = 0; length == 0 || path[length];) {
    length += 1 + strcspn(path + length + 1, "/");
    snprintf(part, sizeof part, "%.*s", (int)length, path);
    is_new = !mkdir(part, 0755);
    if (!is_new && errno != EEXIST) return -1;
  }
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return -1;
  int is_given = owner != ID_ROOT && (is_new || ownership == CHANGE_OWNER);
  int failed = (is_given && fchown(fd, owner, owner)) || (is_new && fchmod(fd, mode));
  close(fd);
  return failed ? -1 : 0;
}

/* The proxy and the listeners of a sandbox are on its loopback, which programs look up there. */
static int write_hosts(void) {
  int fd = open("/etc/hosts", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return errno == EEXIST || errno == ENOENT ? 0 : -1;
  int failed = dprintf(fd, "127.0.0.1 localhost\n") < 0;
  return close(fd) || failed ? -1 : 0;
}

int drop_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  static const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
  return syscall(SYS_capset, &header, none) ? -1 : 0;
}

int become(uid_t user) {
  for (int capability = 0; capability <= CAP_LAST_CAP; capability++) {
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) && errno != EINVAL) return -1;
  }
  /* gVisor has none of these. */
  if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) && errno != EINVAL) return -1;
  if (setgroups(0, NULL) || setresgid(user, user, user) || setresuid(user, user, user)) return -1;
  return drop_capabilities();
}

int root_prepare(const char *id, int count, char **directories) {
  uid_t user = (uid_t)strtoul(id, NULL, 10);
  umask(022);
  enum ownership ownership = CHANGE_OWNER;
  int failed = write_hosts() || make_directory("/tmp", 01777, ID_ROOT, KEEP_OWNER);
  for (int i = 0; i < count && !failed; i++) {
    if (!strcmp(directories[i], ROOT_READABLE)) ownership = KEEP_OWNER;
    else failed = make_directory(directories[i], 0755, user, ownership);
  }
  return failed || (user != ID_ROOT && become(user)) ? -1 : 0;
}
