/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Bytes of each CPU, in a temporary file of runs: each run has bytes of one CPU, in the order in which they were added. */
#ifndef TRACE_DAT_RUNS_H
#define TRACE_DAT_RUNS_H

#include "core/host/user.h"

#define RUN_BYTES 65536u

struct run {
	u32 used;		/* of the bytes */
	u32 unused;
	u8 bytes[RUN_BYTES - 8];
};

/* The runs of a CPU, which are numbered from 1. */
struct run_list {
	struct run *run;	/* the last one, which is not in the file, or NULL: there are none */
	u32 first, last;	/* in the file */
};

struct runs {
	int fd;			/* of the temporary file, or -1 */
	u32 *next;		/* after each run the next of its CPU, 0: none */
	u32 count, room;	/* of runs in the file */
	int error;		/* a negative errno: nothing is written after it */
};

/* @output: where temporary_beside() puts the temporary file. Returns 0 or a negative errno. */
int runs_begin(struct runs *runs, const char *output);
/* Ends the last run of a list, and begins the next one. Returns it, or NULL after an error. */
struct run *runs_next(struct runs *runs, struct run_list *list);
/* Reads all runs of a list, in order. @take: 0 or a negative errno, which ends it. Returns 0 or a negative errno. */
int runs_each(const struct runs *runs, const struct run_list *list, int (*take)(void *context, const struct run *run),
	      void *context);
void runs_end(struct runs *runs);

/* Returns room for @size bytes in a row, at most those of a run, or NULL after an error. */
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
