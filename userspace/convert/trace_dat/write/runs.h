/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A temporary file that keeps bytes for each CPU. The file consists of runs: each run has bytes of one CPU, in the
 * order in which they were added.
 */
#ifndef TRACE_DAT_RUNS_H
#define TRACE_DAT_RUNS_H

#include "core/host/user.h"

#define RUN_BYTES 65536u

struct run {
	u32 used;		/* how many of the bytes are in use */
	u32 unused;
	u8 bytes[RUN_BYTES - 8];
};

/* The runs of a CPU. Runs are numbered from 1. */
struct run_list {
	struct run *run;	/* the last run, which is not in the file yet; NULL: there is none */
	u32 first, last;	/* the first and last one in the file */
};

struct runs {
	int fd;			/* descriptor of the temporary file, or -1 */
	u32 *next;		/* for each run, the next run of its CPU; 0: none */
	u32 count, room;	/* how many runs are in the file, and how many @next has room for */
	int error;		/* a negative errno, after which nothing is written */
};

/* Opens the temporary file, which is in temporary_beside(@output). Returns 0 or a negative errno. */
int runs_begin(struct runs *runs, const char *output);
/* Writes the current run of a list, and begins the next one. Returns it, or NULL on an error. */
struct run *runs_next(struct runs *runs, struct run_list *list);
/* Calls @take for all runs of a list, in order, until it returns a negative errno. Returns 0 or a negative errno. */
int runs_each(const struct runs *runs, const struct run_list *list, int (*take)(void *context, const struct run *run),
	      void *context);
void runs_end(struct runs *runs);

/* Returns room for @size bytes in a row, at most as many as a run has, or NULL on an error. */
static inline u8 *runs_add(struct runs *runs, struct run_list *list, size_t size)
{
	struct run *run = list->run;

	if (unlikely(!run || size > sizeof(run->bytes) - run->used))
		run = runs_next(runs, list);
	if (unlikely(!run))
		return NULL;
	run->used += (u32)size;
	return run->bytes + run->used - size;
}

#endif
