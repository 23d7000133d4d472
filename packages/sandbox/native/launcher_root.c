/* The writable root of a sandbox that has an image: its layers, shown with the ids of the sandbox's own user namespace, and
 * above them a directory on its disk. Needs root, and Linux 5.12 or newer. */
#define _GNU_SOURCE
#include "launcher_root.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/mount.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher.h"

enum { IDS = 65536, OPTIONS_MAX = 4096 };

static void write_ids(pid_t process, const char *file, uid_t first) {
  char path[64], map[64];
  snprintf(path, sizeof path, "/proc/%d/%s", process, file);
  snprintf(map, sizeof map, "0 %u %d", first, IDS);
  write_text(path, map);
}

/* Owned by the user of the sandbox, who may then enter it. No namespace can be made below it. */
static _Noreturn void hold_namespace(uid_t first, int requests, int replies) {
  char byte = 0;
  if (setgroups(0, NULL) || setresgid(first, first, first) || setresuid(first, first, first)) fail("drop", "uid");
  if (unshare(CLONE_NEWUSER)) fail("unshare", "user");
  if (write(requests, &byte, 1) != 1 || read(replies, &byte, 1) != 1) _exit(LAUNCH_FAILED);
  write_text("/proc/sys/user/max_user_namespaces", "0");
  if (write(requests, &byte, 1) != 1) _exit(LAUNCH_FAILED);
  if (read(replies, &byte, 1) < 0) _exit(LAUNCH_FAILED);
  _exit(0);
}

static void await(int fd) {
  char byte;
  if (read(fd, &byte, 1) != 1) errno = ECHILD, fail("make", "a user namespace");
}

int make_user_namespace(uid_t first) {
  int requests[2], replies[2];
  char path[64];
  if (pipe2(requests, O_CLOEXEC) || pipe2(replies, O_CLOEXEC)) fail("make", "pipes");
  pid_t holder = fork();
  if (holder < 0) fail("fork", "");
  if (holder == 0) {
    close(requests[0]);
    close(replies[1]);
    hold_namespace(first, requests[1], replies[0]);
  }
  close(requests[1]);
  close(replies[0]);
  await(requests[0]);
  write_ids(holder, "uid_map", first);
  write_ids(holder, "gid_map", first);
  if (write(replies[1], "", 1) != 1) fail("make", "a user namespace");
  await(requests[0]);
  snprintf(path, sizeof path, "/proc/%d/ns/user", holder);
  int namespace = open(path, O_RDONLY | O_CLOEXEC);
  if (namespace < 0) fail("open", path);
  close(replies[1]);
  close(requests[0]);
  while (waitpid(holder, NULL, 0) < 0 && errno == EINTR) {}
  return namespace;
}

/* A copy of the mount that shows the owner 0 of a file as the first id of the namespace. */
static void show_layer(const char *layer, const char *at, int namespace) {
  struct mount_attr attributes = {
    .attr_set = MOUNT_ATTR_IDMAP | MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
    .userns_fd = (uint64_t)namespace,
  };
  int tree = (int)syscall(SYS_open_tree, AT_FDCWD, layer, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  if (tree < 0) fail("open", layer);
  if (syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH, &attributes, sizeof attributes)) fail("map the ids of", layer);
  if (mkdir(at, 0700) || syscall(SYS_move_mount, tree, "", AT_FDCWD, at, MOVE_MOUNT_F_EMPTY_PATH)) fail("mount", layer);
  close(tree);
}

/* The kernel's own file systems, and our program, are mounted there: a link would lead elsewhere. */
static void check_mount_points(int root) {
  static const char *const names[] = {"proc", "dev", ".agentclash"};
  struct stat stat;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (fstatat(root, names[i], &stat, AT_SYMLINK_NOFOLLOW)) continue;
    if (!S_ISDIR(stat.st_mode)) errno = ENOTDIR, fail("use the image, as it has", names[i]);
  }
}

/* Of the lowest layer that has one, as the image's root would have it. */
static void make_upper(const char *path, uid_t first) {
  if (mkdir(path, 0755) || chown(path, first, first)) fail("make", path);
}

/* Layers are named by numbers, relative to their directory: options of a mount hold no more than a page. */
void mount_root(const char *disk, const char *directory, char **layers, int count, uid_t first, int namespace) {
  char options[OPTIONS_MAX], name[16];
  int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (here < 0 || chdir(disk)) fail("enter", disk);
  if (mkdir("layers", 0700) || chdir("layers")) fail("make", "layers");
  size_t length = (size_t)snprintf(options, sizeof options, "userxattr,upperdir=../upper,workdir=../work,lowerdir=");
  for (int i = 0; i < count; i++) {
    snprintf(name, sizeof name, "%d", i);
    show_layer(layers[i], name, namespace);
    if (length + sizeof name >= sizeof options) errno = E2BIG, fail("mount", "layers");
    length += (size_t)snprintf(options + length, sizeof options - length, "%s%s", i > 0 ? ":" : "", name);
  }
  make_upper("../upper", first);
  if (mkdir("../work", 0700)) fail("make", "work");
  if (mount("image", directory, "overlay", MS_NOSUID | MS_NODEV, options)) fail("mount", "the root");
  int root = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) fail("open", directory);
  check_mount_points(root);
  close(root);
  if (fchdir(here)) fail("leave", disk);
  close(here);
}

/* Something of the host is mounted there later: a link of the image would lead that elsewhere. */
void make_root_directory(const char *root, const char *path, uid_t owner) {
  char name[256];
  int at = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (at < 0) fail("open", root);
  for (path += strspn(path, "/"); *path; path += strspn(path, "/")) {
    size_t length = strcspn(path, "/");
    if (length >= sizeof name) errno = ENAMETOOLONG, fail("make", path);
    snprintf(name, sizeof name, "%.*s", (int)length, path);
    path += length;
    int is_new = !mkdirat(at, name, 0755);
    if (is_new && fchownat(at, name, owner, owner, AT_SYMLINK_NOFOLLOW)) fail("own", name);
    int next = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0) fail("use the image, as it has", name);
    close(at);
    at = next;
  }
  close(at);
}
