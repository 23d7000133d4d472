#define _GNU_SOURCE
#include "figures.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOUNT "/sys/fs/cgroup/"

/* `key`: the word before the number in a file of several; `divisor`: what makes it our unit. */
struct source { const char *file, *key; uint64_t divisor; };

/* Version 2 first, then 1. The root of a host has none of the first, and what it has of `cpu.stat` is not read without. */
static const struct source SOURCES[FIGURES][2] = {
  [FIGURE_MEMORY] = {{"memory.current", NULL, 1}, {"memory/memory.usage_in_bytes", NULL, 1}},
  [FIGURE_MEMORY_PEAK] = {{"memory.peak", NULL, 1}, {"memory/memory.max_usage_in_bytes", NULL, 1}},
  [FIGURE_CPU_US] = {{"cpu.stat", "usage_usec ", 1}, {"cpuacct/cpuacct.usage", NULL, 1000}},
  [FIGURE_PROCESSES] = {{"pids.current", NULL, 1}, {"pids/pids.current", NULL, 1}},
  [FIGURE_OOM_KILLS] = {{"memory.events", "oom_kill ", 1}, {"memory/memory.oom_control", "oom_kill ", 1}},
};

static uint64_t read_source(const struct source *source) {
  char path[128], text[1024];
  snprintf(path, sizeof path, MOUNT "%s", source->file);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return FIGURE_UNKNOWN;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return FIGURE_UNKNOWN;
  text[length] = 0;
  const char *at = text;
  /* A key begins a line: `oom_kill` is also the end of another one's name. */
  while (at && source->key && strncmp(at, source->key, strlen(source->key))) at = (at = strchr(at, '\n')) ? at + 1 : NULL;
  if (!at) return FIGURE_UNKNOWN;
  return strtoull(source->key ? at + strlen(source->key) : at, NULL, 10) / source->divisor;
}

uint64_t figure_read(enum figure figure) {
  uint64_t value = access(MOUNT "memory.current", R_OK) ? FIGURE_UNKNOWN : read_source(&SOURCES[figure][0]);
  return value == FIGURE_UNKNOWN ? read_source(&SOURCES[figure][1]) : value;
}
