/* Prepares one sandbox process and becomes bwrap. Everything that needs root happens here, before any other code runs.
 * Usage: launcher serve SOCKET, or launcher [OPTION...] -- COMMAND ARGUMENT...
 *   --uid N          drop to this uid and gid, with no other groups
 *   --stay-root      the command drops to the uid by itself; it ends with the launcher
 *   --open PATH      open for writing (cgroup.procs); `@OPEN` in the command becomes the descriptors, one argument each
 *   --seccomp PATH   open for reading; `@SECCOMP` in the command becomes the descriptor
 *   --files N        hard limit of open files
 *   --disk DIR SIZE  mount a tmpfs of SIZE bytes there, in a mount namespace of its own, owned by the uid
 *   --image FILE DIR mount this ext4 image there instead and unlink it
 *   --terminals DIR MAX  mount pseudo-terminals of its own there, so many at most
 *   --overlay UPPER LOWER DIR  mount both directories there as one, read-only
 *   --root DISK DIR LAYER... ;  mount these layers, the highest first, as a writable root at DIR; what is written lies on
 *                    DISK. `@USERNS` in the command becomes the descriptor of its user namespace, whose ids begin with the uid
 *   --root-dir DIR PATH  make a directory in the root at DIR
 *   --dir PATH       make a directory owned by the uid (on the disk) */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/loop.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launcher.h"
#include "launcher_root.h"

enum { OPENED_MAX = 8, OOM_SCORE = 300 };

static struct {
  long uid;
  int stays_root;
  int opened[OPENED_MAX], opened_count, seccomp, user_namespace, highest;
  rlim_t files;
} plan = {.uid = -1, .seccomp = -1, .user_namespace = -1, .highest = 2, .files = 65536};

_Noreturn void fail(const char *what, const char *which) {
  dprintf(2, "launcher: %s %s: %s\n", what, which, strerror(errno));
  _exit(LAUNCH_FAILED);
}

/* Kept open over exec, numbered without gaps from 3, so that all above can be closed. */
static int keep(int fd, const char *what) {
  if (fd == plan.highest + 1) fcntl(fd, F_SETFD, 0);
  else if (dup2(fd, plan.highest + 1) < 0 || close(fd)) fail("keep", what);
  return ++plan.highest;
}

static int open_kept(const char *path, int flags) {
  int fd = open(path, flags | O_CLOEXEC);
  if (fd < 0) fail("open", path);
  return keep(fd, path);
}

void write_text(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0 || write(fd, text, strlen(text)) < 0 || close(fd)) fail("write", path);
}

/* A user other than root may mount in a user namespace of its own. That right ends with exec, because the uid is kept. */
static void own_mounts(void) {
  static int done;
  char map[64];
  uid_t uid = geteuid();
  gid_t gid = getegid();
  if (done++) return;
  if (unshare(uid == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS)) fail("unshare", "mounts");
  if (uid != 0) {
    write_text("/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "%u %u 1", uid, uid);
    write_text("/proc/self/uid_map", map);
    snprintf(map, sizeof map, "%u %u 1", gid, gid);
    write_text("/proc/self/gid_map", map);
  }
  if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL)) fail("mount", "private");
}

/* Named by descriptors, so that no character of a path is taken for an option. */
static void mount_overlay(const char *upper, const char *lower, const char *directory) {
  char options[128];
  own_mounts();
  int above = open(upper, O_PATH | O_DIRECTORY | O_CLOEXEC), below = open(lower, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (above < 0 || below < 0) fail("open", above < 0 ? upper : lower);
  snprintf(options, sizeof options, "lowerdir=/proc/self/fd/%d:/proc/self/fd/%d", above, below);
  if (mount("layers", directory, "overlay", MS_RDONLY | MS_NOSUID | MS_NODEV, options)) fail("overlay", directory);
  close(above);
  close(below);
}

/* Empty files take no bytes of a disk, and memory of the host all the same. */
static void mount_tmpfs(const char *directory, const char *size, const char *inodes) {
  char options[128];
  own_mounts();
  snprintf(options, sizeof options, "mode=0755,size=%s,nr_inodes=%s", size, inodes);
  if (mount("disk", directory, "tmpfs", MS_NOSUID | MS_NODEV, options)) fail("mount", directory);
}

/* The kernel counts pseudo-terminals for the whole host: without a limit one sandbox takes those of all others. */
static void mount_terminals(const char *directory, const char *max) {
  char options[128];
  own_mounts();
  snprintf(options, sizeof options, "newinstance,ptmxmode=0666,mode=0620,max=%s", max);
  if (mount("terminals", directory, "devpts", MS_NOSUID | MS_NOEXEC, options)) fail("mount", directory);
}

/* The loop device frees itself with the last mount, and the image has no name any more: nothing to clean up. */
static void mount_image(const char *image, const char *directory) {
  char device[32];
  int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), file = open(image, O_RDWR | O_CLOEXEC), loop = -1;
  if (control < 0 || file < 0) fail("open", control < 0 ? "/dev/loop-control" : image);
  own_mounts();
  struct loop_config config = {.fd = (unsigned)file, .info.lo_flags = LO_FLAGS_AUTOCLEAR};
  for (int attempt = 0; loop < 0; attempt++) {
    int number = ioctl(control, LOOP_CTL_GET_FREE);
    snprintf(device, sizeof device, "/dev/loop%d", number);
    loop = number < 0 ? -1 : open(device, O_RDWR | O_CLOEXEC);
    if (loop >= 0 && ioctl(loop, LOOP_CONFIGURE, &config)) {
      close(loop);
      loop = -1;
    }
    if (loop < 0 && attempt == 16) fail("loop", image);
  }
  if (mount(device, directory, "ext4", MS_NOSUID | MS_NODEV, "")) fail("mount", directory);
  unlink(image);
}

static void make_directory(const char *path) {
  if (mkdir(path, 0755) && errno != EEXIST) fail("mkdir", path);
  if (plan.uid >= 0 && chown(path, (uid_t)plan.uid, (gid_t)plan.uid)) fail("chown", path);
}

/* Consumes the arguments up to `;` and returns how many. */
static int make_root(int count, char **argument) {
  int end = 2;
  while (end < count && strcmp(argument[end], ";")) end++;
  if (end >= count || end == 2 || plan.uid < 0) errno = EINVAL, fail("option", "--root");
  own_mounts();
  plan.user_namespace = keep(make_user_namespace((uid_t)plan.uid), "the user namespace");
  mount_root(argument[0], argument[1], argument + 2, end - 2, (uid_t)plan.uid, plan.user_namespace);
  return end + 1;
}

/* Consumes the options; returns the index of the command. */
static int run_options(int count, char **argument) {
  int i = 1;
  for (; i < count && strcmp(argument[i], "--"); i++) {
    int left = count - i - 1;
    const char *option = argument[i];
    if (!strcmp(option, "--uid") && left > 0) plan.uid = atol(argument[++i]);
    else if (!strcmp(option, "--stay-root")) plan.stays_root = 1;
    else if (!strcmp(option, "--files") && left > 0) plan.files = (rlim_t)atol(argument[++i]);
    else if (!strcmp(option, "--dir") && left > 0) make_directory(argument[++i]);
    else if (!strcmp(option, "--seccomp") && left > 0) plan.seccomp = open_kept(argument[++i], O_RDONLY);
    else if (!strcmp(option, "--open") && left > 0 && plan.opened_count < OPENED_MAX) plan.opened[plan.opened_count++] = open_kept(argument[++i], O_WRONLY);
    else if (!strcmp(option, "--disk") && left > 2) mount_tmpfs(argument[i + 1], argument[i + 2], argument[i + 3]), i += 3;
    else if (!strcmp(option, "--terminals") && left > 1) mount_terminals(argument[i + 1], argument[i + 2]), i += 2;
    else if (!strcmp(option, "--image") && left > 1) mount_image(argument[i + 1], argument[i + 2]), i += 2;
    else if (!strcmp(option, "--overlay") && left > 2) mount_overlay(argument[i + 1], argument[i + 2], argument[i + 3]), i += 3;
    else if (!strcmp(option, "--root-dir") && left > 1) make_root_directory(argument[i + 1], argument[i + 2], (uid_t)plan.uid), i += 2;
    else if (!strcmp(option, "--root") && left > 3) i += make_root(left, argument + i + 1);
    else errno = EINVAL, fail("option", option);
  }
  return i + 1;
}

static char *number(int value) {
  char *text = malloc(12);
  if (!text) fail("memory", "");
  snprintf(text, 12, "%d", value);
  return text;
}

static char **command_of(int count, char **argument) {
  static char *command[ARGUMENTS_MAX];
  int length = 0;
  for (int i = 0; i < count; i++) {
    if (length + OPENED_MAX >= ARGUMENTS_MAX) errno = E2BIG, fail("command", "");
    if (!strcmp(argument[i], "@SECCOMP")) command[length++] = number(plan.seccomp);
    else if (!strcmp(argument[i], "@USERNS")) command[length++] = number(plan.user_namespace);
    else if (!strcmp(argument[i], "@OPEN")) for (int k = 0; k < plan.opened_count; k++) command[length++] = number(plan.opened[k]);
    else command[length++] = argument[i];
  }
  return command;
}

static void set_limits(void) {
  struct rlimit files;
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  getrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_max > plan.files) files.rlim_max = plan.files;
  if (files.rlim_cur > files.rlim_max) files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  setrlimit(RLIMIT_MSGQUEUE, &(struct rlimit){0, 0});
  setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){65536, 65536});
  /* Short of memory, the host should kill what is in sandboxes first. */
  int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd >= 0) {
    dprintf(fd, "%d", OOM_SCORE);
    close(fd);
  }
}

static void drop_privileges(void) {
  if (plan.stays_root && prctl(PR_SET_PDEATHSIG, SIGKILL)) fail("follow", "the launcher");
  if (plan.uid >= 0 && !plan.stays_root) {
    gid_t gid = (gid_t)plan.uid;
    uid_t uid = (uid_t)plan.uid;
    if (setgroups(0, NULL) || setresgid(gid, gid, gid) || setresuid(uid, uid, uid)) fail("drop", "uid");
    if (getuid() != uid || geteuid() != uid || setuid(0) == 0) fail("drop", "uid for good");
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) fail("set", "no_new_privs");
}

void launch(int count, char **argument) {
  umask(022);
  syscall(SYS_close_range, 3U, ~0U, 0);
  int start = run_options(count, argument);
  if (start >= count) errno = EINVAL, fail("command", "missing");
  char **command = command_of(count - start, argument + start);
  set_limits();
  drop_privileges();
  syscall(SYS_close_range, (unsigned)plan.highest + 1, ~0U, 0);
  execv(command[0], command);
  fail("exec", command[0]);
}

int main(int count, char **argument) {
  if (count == 3 && !strcmp(argument[1], "serve")) serve(argument[2]);
  launch(count, argument);
}
