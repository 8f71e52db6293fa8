/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Levels of detail: the whole log in buckets of time, made once, so that a
 * picture of all of it costs no more than one of a little.
 */
#ifndef EXPLORER_GRID_H
#define EXPLORER_GRID_H

#include "core/host/user.h"

/* The uses of a stretch of time, in any unit; only the process that had most of it is named. */
struct mix {
	float process, kernel, unknown, offline;
	u32 top;		/* WHO_NONE: no process had any */
	float top_time;
};

/* A process in a bucket. */
struct part {
	u32 process;
	float time;		/* ns, on all CPUs */
};

struct level {
	double width;		/* of a bucket, ns; a bucket begins at a multiple of it, from the log's beginning on */
	u32 buckets;
	struct mix *mixes;	/* of each CPU, one after the other, all buckets: ns */
	struct part *parts;	/* of all buckets, one after the other */
	u32 *first;		/* of each bucket the first part; and where the last one's end */
};

/* Makes the levels of all that was loaded so far. If there is no memory, there are fewer of them, or none. */
void grid_build(void);

/* The coarsest level that shows a column of @ns as well as the log itself would.  NULL: none does. */
const struct level *grid_level(double ns);

static inline const struct mix *grid_mixes(const struct level *level, u32 cpu)
{
	return level->mixes + (size_t)cpu * level->buckets;
}

/* Give @time to @who in @mix, where @kernel says that it is the kernel. */
void mix_add(struct mix *mix, u32 who, bool kernel, float time);
void mix_merge(struct mix *mix, const struct mix *other, float part);

#endif
