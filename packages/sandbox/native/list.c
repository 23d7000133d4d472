#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A listing stops here rather than fill the host's memory with names. */
enum { LISTING_BYTES_MAX = 8 << 20 };

struct listing {
  const struct request *request;
  uint64_t entries, bytes;
  int truncated;
  char path[PATH_MAX];
};

/* Compares as the paths below would: a directory's name counts with its slash. */
static int compare_names(const void *left, const void *right) {
  const unsigned char *a = *(unsigned char *const *)left, *b = *(unsigned char *const *)right;
  while (*a && *a == *b) a++, b++;
  return *a - *b;
}

static int is_directory(int directory, const struct dirent *entry) {
  struct stat stat;
  if (entry->d_type != DT_UNKNOWN) return entry->d_type == DT_DIR;
  return !fstatat(directory, entry->d_name, &stat, AT_SYMLINK_NOFOLLOW) && S_ISDIR(stat.st_mode);
}

static int append(struct names *names, const char *name, int with_slash) {
  if ((names->count & (names->count - 1)) == 0) {
    size_t capacity = names->count ? names->count * 2 : 1;
    char **grown = realloc(names->item, capacity * sizeof *grown);
    if (!grown) return -1;
    names->item = grown;
  }
  size_t length = strlen(name);
  char *copy = malloc(length + 2);
  if (!copy) return -1;
  memcpy(copy, name, length);
  strcpy(copy + length, with_slash ? "/" : "");
  names->item[names->count++] = copy;
  return 0;
}

enum file_error names_read(int directory, struct names *names) {
  *names = (struct names){0};
  int own = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = own < 0 ? NULL : fdopendir(own);
  if (!stream) return error_of_errno(errno);
  enum file_error error = FILE_OK;
  for (struct dirent *entry; !error && (entry = readdir(stream));) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    if (append(names, entry->d_name, is_directory(directory, entry))) error = FILE_ERROR_TOO_LARGE;
  }
  closedir(stream);
  qsort(names->item, names->count, sizeof *names->item, compare_names);
  for (uint32_t i = 0; i < names->count; i++) {
    size_t length = strlen(names->item[i]);
    if (names->item[i][length - 1] == '/') names->item[i][length - 1] = 0;
  }
  return error;
}

void names_free(struct names *names) {
  for (uint32_t i = 0; i < names->count; i++) free(names->item[i]);
  free(names->item);
}

static void emit(struct listing *listing, const char *path, const struct stat *stat) {
  enum kind kind = kind_of(stat->st_mode);
  if (!(listing->request->number[1] & kind)) return;
  size_t length = strlen(path);
  if (listing->entries == listing->request->number[0] || listing->bytes + length > LISTING_BYTES_MAX) {
    listing->truncated = 1;
    return;
  }
  unsigned char head[16];
  put32(head, (uint32_t)kind);
  put64(head + 4, (uint64_t)stat->st_size);
  put32(head + 12, (uint32_t)length);
  write_all(1, head, sizeof head);
  write_all(1, path, length);
  listing->entries++;
  listing->bytes += length;
}

static int is_skipped(const struct listing *listing, const char *name) {
  for (uint32_t i = 0; i < listing->request->extra.count; i++) {
    if (!strcmp(name, listing->request->extra.item[i])) return 1;
  }
  return 0;
}

static void list_directory(struct listing *listing, int directory, size_t at);

static void list_entry(struct listing *listing, int directory, const char *name, size_t at) {
  struct stat stat;
  size_t length = strlen(name);
  if (fstatat(directory, name, &stat, AT_SYMLINK_NOFOLLOW)) return;
  if (S_ISDIR(stat.st_mode) && is_skipped(listing, name)) return;
  if (at + length + 2 >= sizeof listing->path) {
    listing->truncated = 1;
    return;
  }
  strcpy(listing->path + at, name);
  emit(listing, listing->path, &stat);
  if (!S_ISDIR(stat.st_mode) || !(listing->request->flags & FLAG_RECURSIVE)) return;
  int fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) {
    listing->truncated = 1;
    return;
  }
  strcpy(listing->path + at + length, "/");
  list_directory(listing, fd, at + length + 1);
  close(fd);
}

static void list_directory(struct listing *listing, int directory, size_t at) {
  struct names names;
  if (names_read(directory, &names)) listing->truncated = 1;
  for (uint32_t i = 0; i < names.count && !listing->truncated; i++) list_entry(listing, directory, names.item[i], at);
  names_free(&names);
}

enum file_error file_list(const struct request *request) {
  struct place place;
  struct listing listing = {.request = request};
  enum file_error error = resolve(&place, request, request->args.item[0], FOLLOW_LAST);
  if (error) return error;
  if (!S_ISDIR(place.stat.st_mode)) return FILE_ERROR_NOT_DIRECTORY;
  int fd = place_open(&place, O_RDONLY | O_DIRECTORY);
  if (fd < 0) return error_of_errno(errno);
  list_directory(&listing, fd, 0);
  report_write(&(struct report){.a = (uint64_t)listing.truncated, .path = place.path});
  return FILE_OK;
}
