/* File work, done in a child of the agent: data on 0 and 1, a report on 2, the error as exit code. */
#ifndef FILES_H
#define FILES_H

#include <dirent.h>
#include <stdint.h>

#include "resolve.h"

enum kind { KIND_FILE = 1, KIND_DIRECTORY = 2, KIND_SYMLINK = 4, KIND_OTHER = 8 };

enum kind kind_of(mode_t mode);

/* Records of a report: a tag, then for a result {u64 a, b, c, string path}, for an omission two strings; a string
 * is {u32 length, bytes}. */
enum report_tag { REPORT_RESULT = 1, REPORT_OMISSION = 2 };
struct report { uint64_t a, b, c; const char *path; };
void report_write(const struct report *report);
/* `reason` is a literal. Only the first omissions of each reason are named; all are counted. */
void report_omitted(const char *path, const char *reason);
uint64_t omissions_count(void);

/* Names in a directory except `.` and `..`, in the byte order of the paths below it (a directory sorts as `name/`). */
struct names { char **item; uint32_t count; };
enum file_error names_read(int directory, struct names *names);
void names_free(struct names *names);

enum file_error file_read(const struct request *request);
enum file_error file_write(const struct request *request);
enum file_error file_stat(const struct request *request);
enum file_error file_remove(const struct request *request);
enum file_error file_list(const struct request *request);
enum file_error tar_write(const struct request *request);
/* From now on, a snapshot with FLAG_CHANGES takes what has changed. */
void changes_begin(void);
/* True where the path is one of the excluded ones of such a request, its arguments after the first, or lies in one. */
int is_excluded(const struct request *request, const char *path);
enum file_error remove_tree(int parent, const char *name);
enum file_error tar_read(const struct request *request);

#endif
