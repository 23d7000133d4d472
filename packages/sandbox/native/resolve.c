#define _GNU_SOURCE
#include "resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINKS_MAX = 40 };

struct walk {
  const struct request *scope;
  int flags, at, links;
  char rest[4 * PATH_MAX];
};

enum file_error error_of_errno(int number) {
  switch (number) {
    case ENOENT: return FILE_ERROR_NOT_FOUND;
    case ENOTDIR: return FILE_ERROR_NOT_DIRECTORY;
    case EISDIR: return FILE_ERROR_IS_DIRECTORY;
    case ELOOP: return FILE_ERROR_LOOP;
    case ENAMETOOLONG: return FILE_ERROR_INVALID_PATH;
    case ENOSPC: case EDQUOT: return FILE_ERROR_NO_SPACE;
    case EMFILE: case EFBIG: return FILE_ERROR_TOO_LARGE;
    case EACCES: case EPERM: case EROFS: case EBUSY: return FILE_ERROR_NOT_PERMITTED;
    default: return FILE_ERROR_IO;
  }
}

/* The kernel's own name of a descriptor: absolute and without links. */
static int name_of(int fd, char path[PATH_MAX]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0 || length == PATH_MAX - 1) return -1;
  path[length] = 0;
  return 0;
}

static int is_within(const char *path, const struct strings *roots) {
  for (uint32_t i = 0; i < roots->count; i++) {
    size_t length = strlen(roots->item[i]);
    if (length == 1 && roots->item[i][0] == '/') return 1;
    if (strncmp(path, roots->item[i], length) == 0 && (path[length] == 0 || path[length] == '/')) return 1;
  }
  return 0;
}

/* The absolute name of `name` in the directory that the walk has reached. */
static int name_below(const struct walk *walk, const char *name, char path[PATH_MAX]) {
  if (name_of(walk->at, path)) return -1;
  size_t length = strlen(path);
  if (length == 1) length = 0;
  if (length + 1 + strlen(name) >= PATH_MAX) return -1;
  path[length] = '/';
  strcpy(path + length + 1, name);
  return 0;
}

/* The reason of an error is disclosed only when it happened inside the roots. */
static enum file_error error_at(const struct walk *walk, const char *name, enum file_error error) {
  char path[PATH_MAX];
  if (name_below(walk, name, path) || !is_within(path, &walk->scope->roots)) return FILE_ERROR_NOT_PERMITTED;
  return error;
}

static enum file_error begin(struct walk *walk, const char *path) {
  size_t length = strlen(path);
  if (length == 0 || length > PATH_MAX) return FILE_ERROR_INVALID_PATH;
  for (const char *at = path; *at;) {
    size_t component = strcspn(at, "/");
    if (component > NAME_MAX) return FILE_ERROR_INVALID_PATH;
    at += component;
    if (*at) at++;
  }
  const char *cwd = path[0] == '/' ? "" : walk->scope->cwd.item[0];
  snprintf(walk->rest, sizeof walk->rest, "%s%s%s", cwd, *cwd ? "/" : "", path);
  walk->at = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  return walk->at < 0 ? FILE_ERROR_IO : FILE_OK;
}

/* Takes the next component off `rest`. 0 when none is left. `last` is set when nothing follows, `directory` when
 * slashes do. */
static int next(struct walk *walk, char name[NAME_MAX + 1], int *last, int *directory) {
  char *at = walk->rest + strspn(walk->rest, "/");
  if (!*at) return 0;
  size_t length = strcspn(at, "/");
  if (length > NAME_MAX) {
    name[0] = 0;
    return -1;
  }
  memcpy(name, at, length);
  name[length] = 0;
  char *after = at + length;
  *directory = *after == '/';
  after += strspn(after, "/");
  *last = *after == 0;
  memmove(walk->rest, after, strlen(after) + 1);
  return 1;
}

static enum file_error follow(struct walk *walk, int link, const char *name, int directory) {
  char target[PATH_MAX], rest[sizeof walk->rest];
  if (++walk->links > LINKS_MAX) return error_at(walk, name, FILE_ERROR_LOOP);
  ssize_t length = readlinkat(link, "", target, sizeof target - 1);
  if (length <= 0) return error_at(walk, name, FILE_ERROR_NOT_FOUND);
  target[length] = 0;
  int full = snprintf(rest, sizeof rest, "%s%s%s", target, directory ? "/" : "", walk->rest);
  if (full >= (int)sizeof rest) return error_at(walk, name, FILE_ERROR_LOOP);
  memcpy(walk->rest, rest, (size_t)full + 1);
  if (target[0] != '/') return FILE_OK;
  int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) return FILE_ERROR_IO;
  close(walk->at);
  walk->at = root;
  return FILE_OK;
}

static int make_directory(struct walk *walk, const char *name) {
  char path[PATH_MAX];
  if (name_below(walk, name, path) || !is_within(path, &walk->scope->roots)) {
    errno = EPERM;
    return -1;
  }
  if (mkdirat(walk->at, name, 0755) && errno != EEXIST) return -1;
  return openat(walk->at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

static enum file_error absent(struct walk *walk, struct place *place, const char *name, int directory) {
  if (error_at(walk, name, FILE_OK)) return FILE_ERROR_NOT_PERMITTED;
  if (directory) return FILE_ERROR_IS_DIRECTORY;
  place->exists = 0;
  place->parent = walk->at;
  walk->at = -1;
  strcpy(place->name, name);
  return name_below(&(struct walk){.at = place->parent}, name, place->path) ? FILE_ERROR_INVALID_PATH : FILE_OK;
}

/* Moves to `fd`; the directory left behind is kept as the parent of the last step. */
static void advance(struct walk *walk, struct place *place, int fd, const char *name) {
  if (place->parent >= 0) close(place->parent);
  place->parent = walk->at;
  walk->at = fd;
  strcpy(place->name, name);
}

static enum file_error step(struct walk *walk, struct place *place, int *over) {
  char name[NAME_MAX + 1];
  int last = 0, directory = 0;
  int more = next(walk, name, &last, &directory);
  if (more < 0) return error_at(walk, "", FILE_ERROR_INVALID_PATH);
  if (more == 0) return *over = 1, FILE_OK;
  if (!strcmp(name, ".")) return FILE_OK;
  int upward = !strcmp(name, "..");
  int fd = openat(walk->at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT && last && (walk->flags & MAY_BE_ABSENT)) {
    *over = 1;
    return absent(walk, place, name, directory);
  }
  if (fd < 0 && errno == ENOENT && !last && (walk->flags & MAKE_PARENTS)) fd = make_directory(walk, name);
  if (fd < 0) return error_at(walk, name, error_of_errno(errno));
  struct stat stat;
  if (fstat(fd, &stat)) return close(fd), FILE_ERROR_IO;
  enum file_error error = FILE_OK;
  if (S_ISLNK(stat.st_mode) && (!last || directory || (walk->flags & FOLLOW_LAST))) {
    error = follow(walk, fd, name, directory);
    close(fd);
    return error;
  }
  if ((!last || directory) && !S_ISDIR(stat.st_mode)) {
    close(fd);
    return error_at(walk, name, FILE_ERROR_NOT_DIRECTORY);
  }
  advance(walk, place, fd, name);
  if (upward) {
    close(place->parent);
    place->parent = -1;
  }
  return FILE_OK;
}

static enum file_error arrive(struct walk *walk, struct place *place) {
  place->exists = 1;
  place->fd = walk->at;
  walk->at = -1;
  if (name_of(place->fd, place->path)) return FILE_ERROR_INVALID_PATH;
  if (!is_within(place->path, &walk->scope->roots)) return FILE_ERROR_NOT_PERMITTED;
  if (fstat(place->fd, &place->stat)) return FILE_ERROR_IO;
  return place->stat.st_nlink == 0 ? FILE_ERROR_NOT_FOUND : FILE_OK;
}

enum file_error resolve(struct place *place, const struct request *scope, const char *path, int flags) {
  *place = (struct place){.fd = -1, .parent = -1};
  struct walk walk = {.scope = scope, .flags = flags, .at = -1};
  enum file_error error = begin(&walk, path);
  int over = 0;
  while (!error && !over) error = step(&walk, place, &over);
  if (!error && walk.at >= 0) error = arrive(&walk, place);
  if (walk.at >= 0) close(walk.at);
  if (error) place_close(place);
  return error;
}

void place_close(struct place *place) {
  if (place->fd >= 0) close(place->fd);
  if (place->parent >= 0) close(place->parent);
  place->fd = place->parent = -1;
}

int place_open(const struct place *place, int flags) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", place->fd);
  return open(link, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}
