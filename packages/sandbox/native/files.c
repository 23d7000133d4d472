#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 64 << 10, OMISSIONS_MAX = 200, REASONS_MAX = 16 };

enum kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return KIND_FILE;
  if (S_ISDIR(mode)) return KIND_DIRECTORY;
  return S_ISLNK(mode) ? KIND_SYMLINK : KIND_OTHER;
}

static void put_string(const char *text) {
  unsigned char length[4];
  put32(length, (uint32_t)strlen(text));
  write_all(2, length, sizeof length);
  write_all(2, text, strlen(text));
}

void report_write(const struct report *report) {
  unsigned char numbers[25] = {REPORT_RESULT};
  put64(numbers + 1, report->a);
  put64(numbers + 9, report->b);
  put64(numbers + 17, report->c);
  write_all(2, numbers, sizeof numbers);
  put_string(report->path);
}

/* Of each reason a number of its own: many harmless omissions must not crowd out the one that matters. */
static int is_beyond_report(const char *reason) {
  static struct { const char *reason; int reported; } seen[REASONS_MAX];
  for (int i = 0; i < REASONS_MAX; i++) {
    if (!seen[i].reason) seen[i].reason = reason;
    if (!strcmp(seen[i].reason, reason)) return seen[i].reported++ >= OMISSIONS_MAX;
  }
  return 1;
}

static uint64_t omissions;

uint64_t omissions_count(void) { return omissions; }

void report_omitted(const char *path, const char *reason) {
  omissions++;
  if (is_beyond_report(reason)) return;
  write_all(2, &(unsigned char){REPORT_OMISSION}, 1);
  put_string(path);
  put_string(reason);
}

static enum file_error must_be_file(const struct place *place) {
  if (S_ISDIR(place->stat.st_mode)) return FILE_ERROR_IS_DIRECTORY;
  return S_ISREG(place->stat.st_mode) ? FILE_OK : FILE_ERROR_NOT_REGULAR;
}

static enum file_error send_range(int fd, uint64_t offset, uint64_t length) {
  static char chunk[CHUNK];
  while (length > 0) {
    ssize_t got = pread(fd, chunk, length < CHUNK ? length : CHUNK, (off_t)offset);
    if (got < 0) return error_of_errno(errno);
    if (got == 0) return FILE_OK;
    if (write_all(1, chunk, (size_t)got)) return FILE_ERROR_IO;
    offset += (uint64_t)got;
    length -= (uint64_t)got;
  }
  return FILE_OK;
}

enum file_error file_read(const struct request *request) {
  struct place place;
  enum file_error error = resolve(&place, request, request->args.item[0], FOLLOW_LAST);
  if (!error) error = must_be_file(&place);
  if (error) return error;
  uint64_t offset = request->number[0], length = request->number[1], size = (uint64_t)place.stat.st_size;
  uint64_t rest = offset < size ? size - offset : 0;
  if (length > rest) length = rest;
  if (length > request->number[2]) return FILE_ERROR_TOO_LARGE;
  int fd = place_open(&place, O_RDONLY);
  if (fd < 0) return error_of_errno(errno);
  report_write(&(struct report){.a = size, .path = place.path});
  return send_range(fd, offset, length);
}

/* gVisor knows only the mode that grows the file. */
static int reserve(int fd, uint64_t size) {
  struct stat stat;
  if (size == 0 || !fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)size)) return 0;
  if (errno != EOPNOTSUPP || fstat(fd, &stat)) return -1;
  if (!fallocate(fd, 0, 0, (off_t)size) || errno == EOPNOTSUPP) return 0;
  int error = errno;
  if (ftruncate(fd, stat.st_size)) return -1;
  return errno = error, -1;
}

static enum file_error receive(int fd, uint64_t size) {
  static char chunk[CHUNK];
  /* Reserved first: a full disk must not cost the old content. */
  if (reserve(fd, size)) return error_of_errno(errno);
  for (uint64_t offset = 0; offset < size;) {
    ssize_t got = read(0, chunk, CHUNK);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return FILE_ERROR_IO;
    if (write_all(fd, chunk, (size_t)got)) return error_of_errno(errno);
    offset += (uint64_t)got;
  }
  return ftruncate(fd, (off_t)size) ? error_of_errno(errno) : FILE_OK;
}

/* Opens for writing what `place` names, creating it. EEXIST: something appeared meanwhile, resolve again. */
static int open_target(const struct place *place, mode_t mode) {
  if (place->exists) return place_open(place, O_WRONLY);
  return openat(place->parent, place->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

enum file_error file_write(const struct request *request) {
  struct place place;
  int flags = FOLLOW_LAST | MAY_BE_ABSENT | (request->flags & FLAG_PARENTS ? MAKE_PARENTS : 0), fd = -1;
  for (int attempt = 0; fd < 0; attempt++) {
    enum file_error error = resolve(&place, request, request->args.item[0], flags);
    if (!error && place.exists) error = must_be_file(&place);
    if (error) return error;
    fd = open_target(&place, (mode_t)(request->number[1] & 0777));
    if (fd < 0 && (errno != EEXIST || attempt == 8)) return error_of_errno(errno);
    if (fd < 0) place_close(&place);
  }
  enum file_error error = receive(fd, request->number[0]);
  if (error && !place.exists) unlinkat(place.parent, place.name, 0);
  if (!error) report_write(&(struct report){.a = request->number[0], .path = place.path});
  return error;
}

enum file_error file_stat(const struct request *request) {
  struct place place;
  enum file_error error = resolve(&place, request, request->args.item[0], FOLLOW_LAST);
  if (error) return error;
  uint64_t kind_and_mode = (uint64_t)kind_of(place.stat.st_mode) << 32 | (place.stat.st_mode & 07777);
  uint64_t modified = (uint64_t)place.stat.st_mtim.tv_sec * 1000 + (uint64_t)place.stat.st_mtim.tv_nsec / 1000000;
  report_write(&(struct report){(uint64_t)place.stat.st_size, kind_and_mode, modified, place.path});
  return FILE_OK;
}

enum file_error remove_tree(int parent, const char *name) {
  if (!unlinkat(parent, name, 0) || errno == ENOENT) return FILE_OK;
  if (errno != EISDIR && errno != EPERM) return error_of_errno(errno);
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return error_of_errno(errno);
  struct names names;
  enum file_error error = names_read(fd, &names);
  for (uint32_t i = 0; !error && i < names.count; i++) error = remove_tree(fd, names.item[i]);
  names_free(&names);
  close(fd);
  if (!error && unlinkat(parent, name, AT_REMOVEDIR) && errno != ENOENT) error = error_of_errno(errno);
  return error;
}

enum file_error file_remove(const struct request *request) {
  struct place place;
  enum file_error error = resolve(&place, request, request->args.item[0], MAY_BE_ABSENT);
  if (error == FILE_ERROR_NOT_FOUND) return FILE_OK;
  if (error || !place.exists) return error;
  return place.parent < 0 ? FILE_ERROR_NOT_PERMITTED : remove_tree(place.parent, place.name);
}
