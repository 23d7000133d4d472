#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "tar.h"

/* Directory modes and times are set last: a read-only directory could not be filled, and filling changes times. */
struct finish { char *name; mode_t mode; time_t modified; struct finish *next; };

/* An open directory on the way to the last entry, and how much of its name leads there. */
struct level { int fd; size_t length; };

struct restore {
  const struct request *request;
  char reached[PATH_MAX];
  struct level level[PATH_MAX / 2 + 1]; /* the first is / */
  size_t depth;
  uint64_t entries, bytes;
  char *long_name, *long_link;
  struct finish *finish;
};

enum { NAMES_BYTES_MAX = 16 << 20 };

static enum file_error read_exactly(void *bytes, size_t length) {
  for (char *at = bytes; length > 0;) {
    ssize_t got = read(0, at, length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return FILE_ERROR_IO;
    if (got == 0) return FILE_ERROR_MALFORMED;
    at += got;
    length -= (size_t)got;
  }
  return FILE_OK;
}

static uint64_t padded(uint64_t size) { return (size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK; }

static enum file_error skip(uint64_t length) {
  static char waste[64 << 10];
  enum file_error error = FILE_OK;
  while (length > 0 && !error) {
    size_t part = length < sizeof waste ? length : sizeof waste;
    error = read_exactly(waste, part);
    length -= part;
  }
  return error;
}

static uint64_t octal_of(const char *field, size_t width) {
  uint64_t value = 0;
  for (size_t i = 0; i < width && field[i] >= '0' && field[i] <= '7'; i++) value = value * 8 + (uint64_t)(field[i] - '0');
  return value;
}

static void omit(const char *name, const char *reason) {
  char path[PATH_MAX + NAME_MAX + 2];
  snprintf(path, sizeof path, "/%s", name);
  report_omitted(path, reason);
}

static int is_of_changes(const struct restore *restore) { return restore->request->flags & FLAG_CHANGES; }

/* Valid until the next call. */
static const char *absolute_of(const char *name) {
  static char path[PATH_MAX + 1];
  snprintf(path, sizeof path, "/%s", name);
  return path;
}

/* A name is taken only when it is plain (no `..`, no empty part) and, made absolute, lies in the workspace. */
static int is_plain_and_within(const struct restore *restore, const char *name) {
  if (strlen(name) >= PATH_MAX) return 0;
  for (const char *at = name; *at;) {
    size_t length = strcspn(at, "/");
    if (length == 0 || length > NAME_MAX || (length == 2 && !strncmp(at, "..", 2)) || (length == 1 && *at == '.')) return 0;
    at += length + (at[length] == '/');
  }
  if (is_of_changes(restore)) return !is_excluded(restore->request, absolute_of(name));
  const struct strings *roots = &restore->request->roots;
  for (uint32_t i = 0; i < roots->count; i++) {
    size_t length = strlen(roots->item[i] + 1);
    if (!strncmp(name, roots->item[i] + 1, length) && (name[length] == 0 || name[length] == '/')) return 1;
  }
  return 0;
}

/* The directory that holds the last part of `name`, reached without following a link; `*last` becomes that part. What
 * the way has in common with the last one stays open, since else deep trees took the square of their depth. Valid
 * until the next call. */
static int open_parent(struct restore *restore, const char *name, const char **last, int create) {
  const char *slash = strrchr(name, '/');
  size_t wanted = slash ? (size_t)(slash - name) : 0;
  *last = slash ? slash + 1 : name;
  for (; restore->depth > 0; restore->depth--) {
    const struct level *top = &restore->level[restore->depth];
    if (top->length <= wanted && !memcmp(restore->reached, name, top->length) && name[top->length] == '/') break;
    close(top->fd);
  }
  while (restore->level[restore->depth].length < wanted) {
    const struct level *top = &restore->level[restore->depth];
    size_t start = top->length + (restore->depth > 0), length = strcspn(name + start, "/");
    char part[NAME_MAX + 1];
    snprintf(part, sizeof part, "%.*s", (int)length, name + start);
    int below = openat(top->fd, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below < 0 && errno == ENOENT && create && !mkdirat(top->fd, part, 0755)) {
      below = openat(top->fd, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
    if (below < 0) return -1;
    restore->level[++restore->depth] = (struct level){below, start + length};
    memcpy(restore->reached, name, start + length);
  }
  return restore->level[restore->depth].fd;
}

static enum file_error take_content(int fd, uint64_t size) {
  static char chunk[64 << 10];
  for (uint64_t left = size; left > 0;) {
    size_t part = left < sizeof chunk ? left : sizeof chunk;
    enum file_error error = read_exactly(chunk, part);
    if (error) return error;
    if (write_all(fd, chunk, part)) return error_of_errno(errno);
    left -= part;
  }
  return skip(padded(size) - size);
}

/* Ids are kept where this process may give files away; set-id bits and devices never are. */
static mode_t bits_of(const struct restore *restore, const struct tar_header *header) {
  return octal_of(header->mode, sizeof header->mode) & (is_of_changes(restore) ? 01777 : 0777);
}

static void give_away(const struct restore *restore, int parent, const char *name, const struct tar_header *header) {
  if (!is_of_changes(restore) || geteuid() != 0) return;
  uid_t user = (uid_t)octal_of(header->uid, sizeof header->uid);
  gid_t group = (gid_t)octal_of(header->gid, sizeof header->gid);
  if (fchownat(parent, name, user, group, AT_SYMLINK_NOFOLLOW)) omit(name, "owner_not_kept");
}

/* The image may have another kind of file of that name. */
static void clear_place(const struct restore *restore, int parent, const char *name) {
  if (is_of_changes(restore)) remove_tree(parent, name);
  else unlinkat(parent, name, 0);
}

static enum file_error make_file(struct restore *restore, int parent, const char *name, const struct tar_header *header) {
  uint64_t size = octal_of(header->size, sizeof header->size);
  clear_place(restore, parent, name);
  int fd = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return error_of_errno(errno);
  enum file_error error = take_content(fd, size);
  time_t modified = (time_t)octal_of(header->mtime, sizeof header->mtime);
  give_away(restore, parent, name, header);
  fchmod(fd, bits_of(restore, header));
  futimens(fd, (struct timespec[]){{modified, 0}, {modified, 0}});
  close(fd);
  restore->bytes += size;
  return error;
}

static enum file_error finish_later(struct restore *restore, const struct tar_header *header, const char *full) {
  struct finish *finish = malloc(sizeof *finish);
  if (!finish) return FILE_ERROR_IO;
  *finish = (struct finish){strdup(full), bits_of(restore, header),
                            (time_t)octal_of(header->mtime, sizeof header->mtime), restore->finish};
  restore->finish = finish;
  return FILE_OK;
}

static enum file_error make_directory(struct restore *restore, int parent, const char *name, const struct tar_header *header, const char *full) {
  if (mkdirat(parent, name, 0700) && errno != EEXIST) return error_of_errno(errno);
  return finish_later(restore, header, full);
}

static enum file_error make_hardlink(struct restore *restore, const char *name, const char *target) {
  const char *last, *last_of_target;
  if (!is_plain_and_within(restore, target)) return FILE_ERROR_NOT_PERMITTED;
  int from = open_parent(restore, target, &last_of_target, 0);
  if (from < 0 || (from = fcntl(from, F_DUPFD_CLOEXEC, 0)) < 0) return error_of_errno(errno);
  int parent = open_parent(restore, name, &last, 1);
  if (parent >= 0) clear_place(restore, parent, last);
  int failed = parent < 0 || linkat(from, last_of_target, parent, last, 0);
  enum file_error error = failed ? error_of_errno(errno) : FILE_OK;
  close(from);
  return error;
}

static enum file_error make_symlink(struct restore *restore, int parent, const char *name, const struct tar_header *header, const char *target) {
  clear_place(restore, parent, name);
  if (symlinkat(target, parent, name)) return error_of_errno(errno);
  give_away(restore, parent, name, header);
  return FILE_OK;
}

static int by_text(const void *left, const void *right) { return strcmp(*(char *const *)left, *(char *const *)right); }

/* Sorted, and pointing into `text`. Names only: no path leads out of the directory. */
static enum file_error split_names(char *text, size_t size, struct names *names) {
  for (char *at = text; at < text + size; at += strlen(at) + 1) {
    if (!*at || strchr(at, '/') || !strcmp(at, ".") || !strcmp(at, "..")) return FILE_ERROR_MALFORMED;
    names->count++;
  }
  names->item = calloc(names->count + 1, sizeof *names->item);
  if (!names->item) return FILE_ERROR_IO;
  char **next = names->item;
  for (char *at = text; at < text + size; at += strlen(at) + 1) *next++ = at;
  qsort(names->item, names->count, sizeof *names->item, by_text);
  return FILE_OK;
}

/* Removes what the image has and the names do not. */
static enum file_error keep_only(const struct restore *restore, int fd, const char *name, const struct names *kept) {
  struct names found;
  char path[PATH_MAX + NAME_MAX + 2];
  int is_root = !strcmp(name, ".");
  enum file_error error = names_read(fd, &found);
  for (uint32_t i = 0; i < found.count && !error; i++) {
    const char *item = found.item[i];
    if (kept->count > 0 && bsearch(&item, kept->item, kept->count, sizeof item, by_text)) continue;
    if (is_root) snprintf(path, sizeof path, "/%s", item);
    else snprintf(path, sizeof path, "/%s/%s", name, item);
    if (is_excluded(restore->request, path)) continue;
    if (remove_tree(fd, item)) omit(path + 1, "not_removed");
  }
  names_free(&found);
  return error;
}

/* Of another kind in the image, or not there at all. */
static int open_own_directory(const struct restore *restore, int parent, const char *name) {
  int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, fd = openat(parent, name, flags);
  if (fd >= 0 || (errno != ENOENT && errno != ENOTDIR && errno != ELOOP)) return fd;
  clear_place(restore, parent, name);
  return mkdirat(parent, name, 0700) ? -1 : openat(parent, name, flags);
}

/* Consumes the content of the entry, whether or not it can be applied. */
static enum file_error take_names(struct restore *restore, const struct tar_header *header, const char *name) {
  uint64_t size = octal_of(header->size, sizeof header->size);
  if (size > NAMES_BYTES_MAX) return FILE_ERROR_MALFORMED;
  char *text = calloc(1, size + 1);
  struct names names = {0};
  enum file_error error = text ? read_exactly(text, size) : FILE_ERROR_IO;
  if (!error) error = skip(padded(size) - size);
  if (!error) error = split_names(text, size, &names);
  if (!error) {
    const char *last = name;
    int is_root = !strcmp(name, "."), parent = is_root ? restore->level[0].fd : open_parent(restore, name, &last, 1);
    int fd = parent < 0 ? -1 : open_own_directory(restore, parent, last);
    if (fd < 0) omit(name, "not_possible");
    else if (!(error = keep_only(restore, fd, name, &names)) && !is_root) {
      give_away(restore, parent, last, header);
      error = finish_later(restore, header, name);
    }
    if (fd >= 0) close(fd);
  }
  free(names.item);
  free(text);
  return error;
}

static enum file_error make(struct restore *restore, const struct tar_header *header, const char *name, const char *link) {
  const char *last;
  if (header->type == TAR_HARDLINK) return make_hardlink(restore, name, link);
  int parent = open_parent(restore, name, &last, 1);
  if (parent < 0) return error_of_errno(errno);
  switch (header->type) {
    case TAR_FILE: return make_file(restore, parent, last, header);
    case TAR_DIRECTORY: return make_directory(restore, parent, last, header, name);
    default: return make_symlink(restore, parent, last, header, link);
  }
}

static enum file_error take_long(char **text, uint64_t size) {
  if (size == 0 || size > 1 << 20) return FILE_ERROR_MALFORMED;
  free(*text);
  *text = calloc(1, size + 1);
  if (!*text) return FILE_ERROR_IO;
  enum file_error error = read_exactly(*text, size);
  return error ? error : skip(padded(size) - size);
}

static enum file_error take_entry(struct restore *restore, const struct tar_header *header) {
  uint64_t size = octal_of(header->size, sizeof header->size);
  if (header->type == TAR_LONG_NAME) return take_long(&restore->long_name, size);
  if (header->type == TAR_LONG_LINK) return take_long(&restore->long_link, size);
  char short_name[101], short_link[101];
  snprintf(short_name, sizeof short_name, "%.100s", header->name);
  snprintf(short_link, sizeof short_link, "%.100s", header->link);
  char *name = restore->long_name ? restore->long_name : short_name;
  char *link = restore->long_link ? restore->long_link : short_link;
  size_t length = strlen(name);
  if (length > 1 && name[length - 1] == '/') name[length - 1] = 0;
  enum file_error error = FILE_OK;
  int is_names = header->type == TAR_NAMES && is_of_changes(restore) && (!strcmp(name, ".") || is_plain_and_within(restore, name));
  int is_known = header->type == TAR_FILE || header->type == TAR_DIRECTORY || header->type == TAR_SYMLINK || header->type == TAR_HARDLINK;
  if (is_names) {
    restore->entries++;
    error = take_names(restore, header, name);
  } else if (is_known && is_plain_and_within(restore, name)) {
    restore->entries++;
    error = make(restore, header, name, link);
    if (error && error != FILE_ERROR_IO && error != FILE_ERROR_MALFORMED && error != FILE_ERROR_NO_SPACE && header->type != TAR_FILE) {
      omit(name, "not_possible");
      error = FILE_OK;
    }
  } else {
    omit(name, is_known ? "outside_workspace" : "special_file");
    error = skip(padded(size));
  }
  free(restore->long_name);
  free(restore->long_link);
  restore->long_name = restore->long_link = NULL;
  return error;
}

static void finish_directories(struct restore *restore) {
  for (struct finish *finish = restore->finish; finish; finish = finish->next) {
    const char *last;
    int parent = open_parent(restore, finish->name, &last, 0);
    int fd = parent < 0 ? -1 : openat(parent, last, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0) {
      futimens(fd, (struct timespec[]){{finish->modified, 0}, {finish->modified, 0}});
      fchmod(fd, finish->mode);
      close(fd);
    }
  }
}

enum file_error tar_read(const struct request *request) {
  static const struct tar_header empty;
  static struct restore restore;
  restore.request = request;
  restore.level[0].fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  enum file_error error = restore.level[0].fd < 0 ? FILE_ERROR_IO : FILE_OK;
  struct tar_header header;
  while (!error && !(error = read_exactly(&header, sizeof header)) && memcmp(&header, &empty, sizeof header)) {
    if (tar_checksum(&header) != octal_of(header.checksum, 7)) error = FILE_ERROR_MALFORMED;
    if (!error) error = take_entry(&restore, &header);
  }
  if (error) return error;
  finish_directories(&restore);
  report_write(&(struct report){restore.entries, restore.bytes, 0, ""});
  return FILE_OK;
}
