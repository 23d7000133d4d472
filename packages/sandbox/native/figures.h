/* The usage of the sandbox as a whole, where its own cgroup is mounted inside (pods); FIGURE_UNKNOWN elsewhere. */
#ifndef FIGURES_H
#define FIGURES_H

#include <stdint.h>

#define FIGURE_UNKNOWN UINT64_MAX

enum figure { FIGURE_MEMORY, FIGURE_MEMORY_PEAK, FIGURE_CPU_US, FIGURE_PROCESSES, FIGURE_OOM_KILLS, FIGURES };

uint64_t figure_read(enum figure figure);

#endif
