#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "files.h"
#include "tar.h"

enum { LINK_BUCKETS = 1 << 14, USER = 1000 };
/* The parts of an archive beside content (headers, long names, padding) take no space on the disk of the sandbox:
 * they may be as much as the content may, within these bounds. */
static const uint64_t FRAME_BYTES_LEAST = 16 << 20, FRAME_BYTES_MOST = 512 << 20;

struct link_seen { dev_t device; ino_t inode; char *name; struct link_seen *next; };

struct archive {
  const struct request *changes; /* NULL: an archive of everything */
  uint64_t entries, bytes, bytes_max, frame_bytes, frame_bytes_max;
  struct link_seen *links[LINK_BUCKETS];
  char path[PATH_MAX]; /* absolute */
};

static struct timespec changes_since;

/* The clock by which the kernel dates changes. */
void changes_begin(void) { clock_gettime(CLOCK_REALTIME_COARSE, &changes_since); }

static int is_unchanged(const struct stat *stat) {
  if (stat->st_ctim.tv_sec != changes_since.tv_sec) return stat->st_ctim.tv_sec < changes_since.tv_sec;
  return stat->st_ctim.tv_nsec < changes_since.tv_nsec;
}

int is_excluded(const struct request *request, const char *path) {
  for (uint32_t i = 1; i < request->args.count; i++) {
    size_t length = strlen(request->args.item[i]);
    if (!strncmp(path, request->args.item[i], length) && (path[length] == 0 || path[length] == '/')) return 1;
  }
  return 0;
}

static enum file_error put(const void *bytes, size_t length) { return write_all(1, bytes, length) ? FILE_ERROR_IO : FILE_OK; }

static enum file_error pad(uint64_t size) {
  static const char zeros[TAR_BLOCK];
  return put(zeros, (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
}

unsigned tar_checksum(const struct tar_header *header) {
  const unsigned char *bytes = (const unsigned char *)header;
  unsigned sum = 0;
  for (size_t i = 0; i < TAR_BLOCK; i++) {
    int in_field = i >= offsetof(struct tar_header, checksum) && i < offsetof(struct tar_header, type);
    sum += in_field ? ' ' : bytes[i];
  }
  return sum;
}

static void octal(char *field, size_t width, uint64_t value) {
  for (size_t i = width - 1; i-- > 0; value >>= 3) field[i] = (char)('0' + (value & 7));
  field[width - 1] = 0;
}

static enum file_error put_header(const char *name, const char *link, enum tar_type type, const struct stat *stat, uint64_t size) {
  struct tar_header header = {.type = (char)type, .magic = "ustar  "};
  memcpy(header.name, name, strnlen(name, sizeof header.name));
  memcpy(header.link, link, strnlen(link, sizeof header.link));
  octal(header.mode, sizeof header.mode, stat->st_mode);
  octal(header.uid, sizeof header.uid, stat->st_uid);
  octal(header.gid, sizeof header.gid, stat->st_gid);
  octal(header.size, sizeof header.size, size);
  octal(header.mtime, sizeof header.mtime, stat->st_mtim.tv_sec > 0 ? (uint64_t)stat->st_mtim.tv_sec : 0);
  octal(header.checksum, 7, tar_checksum(&header));
  header.checksum[7] = ' ';
  return put(&header, sizeof header);
}

static uint64_t padded(uint64_t size) { return (size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK; }

static int is_long_name(const char *name) { return strlen(name) > sizeof(((struct tar_header *)0)->name); }

static int is_long_link(const char *link) { return strlen(link) > sizeof(((struct tar_header *)0)->link); }

/* All that the archive holds of a long text: a header of its own, then the text with its end. */
static uint64_t long_bytes(const char *text) { return TAR_BLOCK + padded(strlen(text) + 1); }

static enum file_error put_long(const char *text, enum tar_type type) {
  static const struct stat none = {.st_uid = USER, .st_gid = USER};
  size_t size = strlen(text) + 1;
  enum file_error error = put_header("././@LongLink", "", type, &none, size);
  if (!error) error = put(text, size);
  return error ? error : pad(size);
}

/* Without the ids of the host, or set-id bits. */
static struct stat recorded(const struct archive *archive, const struct stat *stat) {
  struct stat shown = *stat;
  shown.st_mode &= archive->changes ? 01777 : 0777;
  if (!archive->changes) shown.st_uid = shown.st_gid = USER;
  return shown;
}

/* Relative to the root, which itself has no name. */
static const char *name_of(const struct archive *archive) { return archive->path[0] ? archive->path + 1 : "."; }

static enum file_error put_entry(struct archive *archive, const char *link, enum tar_type type, const struct stat *stat, uint64_t size) {
  const char *name = name_of(archive);
  struct stat shown = recorded(archive, stat);
  enum file_error error = FILE_OK;
  archive->entries++;
  archive->frame_bytes += TAR_BLOCK + (is_long_name(name) ? long_bytes(name) : 0) + (is_long_link(link) ? long_bytes(link) : 0);
  if (is_long_link(link)) error = put_long(link, TAR_LONG_LINK);
  if (!error && is_long_name(name)) error = put_long(name, TAR_LONG_NAME);
  return error ? error : put_header(name, link, type, &shown, size);
}

/* Exactly `size` bytes, whatever happens to the file meanwhile: the header has promised them. */
static enum file_error put_content(int fd, uint64_t size) {
  static char chunk[64 << 10];
  for (uint64_t left = size; left > 0;) {
    size_t want = left < sizeof chunk ? left : sizeof chunk;
    ssize_t got = read(fd, chunk, want);
    if (got <= 0) {
      got = (ssize_t)want;
      memset(chunk, 0, want);
    }
    if (put(chunk, (size_t)got)) return FILE_ERROR_IO;
    left -= (uint64_t)got;
  }
  return pad(size);
}

/* The owner may always read: permission bits are lifted for the opening and put back. A directory that can be listed
 * but not entered opens, and would hide what it holds. */
static int open_readable(int parent, const char *name, const struct stat *stat, int flags) {
  if (!(flags & O_DIRECTORY) || stat->st_mode & S_IXUSR) {
    int fd = openat(parent, name, flags | O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 || errno != EACCES) return fd;
  }
  if (fchmodat(parent, name, (stat->st_mode & 0777) | 0700, 0)) return -1;
  int fd = openat(parent, name, flags | O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0 && !(flags & O_DIRECTORY)) fchmod(fd, stat->st_mode & 07777);
  return fd;
}

/* Descriptors run out below many directories only. */
static const char *why_unopened(void) { return errno == EMFILE ? "too_deep" : "unreadable"; }

static const char *first_name_of(const struct archive *archive, const struct stat *stat) {
  if (stat->st_nlink < 2) return NULL;
  for (const struct link_seen *seen = archive->links[stat->st_ino % LINK_BUCKETS]; seen; seen = seen->next) {
    if (seen->inode == stat->st_ino && seen->device == stat->st_dev) return seen->name;
  }
  return NULL;
}

static void remember(struct archive *archive, const struct stat *stat) {
  struct link_seen *seen = stat->st_nlink < 2 ? NULL : malloc(sizeof *seen);
  if (!seen) return;
  struct link_seen **bucket = &archive->links[stat->st_ino % LINK_BUCKETS];
  *seen = (struct link_seen){stat->st_dev, stat->st_ino, strdup(archive->path + 1), *bucket};
  *bucket = seen;
}

static enum file_error put_file(struct archive *archive, int parent, const char *name, const struct stat *stat) {
  const char *first = first_name_of(archive, stat);
  if (first) return put_entry(archive, first, TAR_HARDLINK, stat, 0);
  if ((uint64_t)stat->st_size > archive->bytes_max - archive->bytes) {
    report_omitted(archive->path, "too_large");
    return FILE_OK;
  }
  int fd = open_readable(parent, name, stat, 0);
  if (fd < 0) {
    report_omitted(archive->path, why_unopened());
    return FILE_OK;
  }
  remember(archive, stat);
  archive->bytes += (uint64_t)stat->st_size;
  archive->frame_bytes += padded((uint64_t)stat->st_size) - (uint64_t)stat->st_size;
  enum file_error error = put_entry(archive, "", TAR_FILE, stat, (uint64_t)stat->st_size);
  if (!error) error = put_content(fd, (uint64_t)stat->st_size);
  close(fd);
  return error;
}

static enum file_error put_symlink(struct archive *archive, int parent, const char *name, const struct stat *stat) {
  char target[PATH_MAX];
  ssize_t length = readlinkat(parent, name, target, sizeof target - 1);
  if (length < 0) return FILE_OK;
  target[length] = 0;
  return put_entry(archive, target, TAR_SYMLINK, stat, 0);
}

/* Pipes, sockets and devices alike: the name is evidence, and there is no content to take. */
static enum file_error put_special(struct archive *archive, const struct stat *stat) {
  report_omitted(archive->path, "special_file");
  enum file_error error = put_entry(archive, "", TAR_FIFO, stat, 0);
  archive->entries--;
  return error;
}

static enum file_error put_any(struct archive *archive, int parent, const char *name);

/* All names that the directory holds, and an archive of everything none of them. */
static enum file_error put_names(struct archive *archive, const struct names *names, const struct stat *stat) {
  uint64_t size = 0;
  for (uint32_t i = 0; i < names->count; i++) size += strlen(names->item[i]) + 1;
  archive->frame_bytes += padded(size);
  enum file_error error = put_entry(archive, "", TAR_NAMES, stat, size);
  for (uint32_t i = 0; i < names->count && !error; i++) error = put(names->item[i], strlen(names->item[i]) + 1);
  return error ? error : pad(size);
}

static enum file_error put_children(struct archive *archive, int fd, const struct names *names) {
  size_t at = strlen(archive->path);
  enum file_error error = FILE_OK;
  for (uint32_t i = 0; !error && i < names->count; i++) {
    if (at + strlen(names->item[i]) + 2 > sizeof archive->path) {
      report_omitted(archive->path, "too_deep");
      continue;
    }
    archive->path[at] = '/';
    strcpy(archive->path + at + 1, names->item[i]);
    error = put_any(archive, fd, names->item[i]);
    archive->path[at] = 0;
  }
  return error;
}

static enum file_error put_directory(struct archive *archive, int parent, const char *name, const struct stat *stat) {
  int is_open_to_us = (stat->st_mode & (S_IRUSR | S_IXUSR)) == (S_IRUSR | S_IXUSR), unchanged = archive->changes && is_unchanged(stat);
  enum file_error error = archive->changes ? FILE_OK : put_entry(archive, "", TAR_DIRECTORY, stat, 0);
  int fd = error ? -1 : open_readable(parent, name, stat, O_DIRECTORY);
  if (fd < 0) {
    /* A directory of another user, in which only that one can have changed anything. */
    if (!error && !(unchanged && errno == EPERM)) report_omitted(archive->path, why_unopened());
    return error;
  }
  struct names names;
  enum file_error listing = names_read(fd, &names);
  if (listing) report_omitted(archive->path, listing == FILE_ERROR_TOO_LARGE ? "too_many" : why_unopened());
  if (archive->changes && !unchanged && !listing) error = put_names(archive, &names, stat);
  if (!error) error = put_children(archive, fd, &names);
  names_free(&names);
  if (!is_open_to_us) fchmod(fd, stat->st_mode & 07777);
  close(fd);
  return error;
}

static enum file_error put_any(struct archive *archive, int parent, const char *name) {
  struct stat stat;
  if (fstatat(parent, name, &stat, AT_SYMLINK_NOFOLLOW)) {
    if (errno != ENOENT) report_omitted(archive->path, "unreadable");
    return FILE_OK;
  }
  if (archive->changes && (is_excluded(archive->changes, archive->path) || (!S_ISDIR(stat.st_mode) && is_unchanged(&stat)))) return FILE_OK;
  if (archive->frame_bytes > archive->frame_bytes_max) {
    report_omitted(archive->path, "too_many");
    return FILE_OK;
  }
  switch (kind_of(stat.st_mode)) {
    case KIND_FILE: return put_file(archive, parent, name, &stat);
    case KIND_DIRECTORY: return put_directory(archive, parent, name, &stat);
    case KIND_SYMLINK: return put_symlink(archive, parent, name, &stat);
    default: return put_special(archive, &stat);
  }
}

enum file_error tar_write(const struct request *request) {
  static const char end[2 * TAR_BLOCK];
  static struct archive archive;
  archive.bytes_max = request->number[0];
  archive.frame_bytes_max = archive.bytes_max < FRAME_BYTES_LEAST  ? FRAME_BYTES_LEAST
                            : archive.bytes_max > FRAME_BYTES_MOST ? FRAME_BYTES_MOST
                                                                   : archive.bytes_max;
  int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) return FILE_ERROR_IO;
  enum file_error error = FILE_OK;
  if (request->flags & FLAG_CHANGES) {
    archive.changes = request;
    error = put_any(&archive, root, ".");
  }
  for (uint32_t i = 0; !archive.changes && !error && i < request->roots.count; i++) {
    snprintf(archive.path, sizeof archive.path, "%s", request->roots.item[i]);
    error = put_any(&archive, root, request->roots.item[i] + 1);
  }
  if (!error) error = put(end, sizeof end);
  if (!error) report_write(&(struct report){archive.entries, archive.bytes, omissions_count(), ""});
  return error;
}
