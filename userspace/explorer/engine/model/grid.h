/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Levels of detail. A level divides the whole log into buckets of time and sums up
 * each bucket once, so that a picture of the whole log costs no more than one of a
 * short window.
 */
#ifndef EXPLORER_GRID_H
#define EXPLORER_GRID_H

#include "core/host/user.h"

/* The times of the uses of a CPU in an interval, in any unit. Idle time is the rest. */
struct mix {
	float process, kernel, unknown, offline;
	u32 top;		/* the process with most of the time; WHO_NONE if no process had any */
	float top_time;		/* the lead of @top in the vote of mix_add(); no sum of its times */
};

/* The time of a process in a bucket. */
struct part {
	u32 process;
	float time;		/* ns, on all CPUs */
};

struct level {
	double width;		/* width of a bucket, ns; bucket i begins i times the width after the log's beginning */
	u32 buckets;		/* number of buckets */
	struct mix *mixes;	/* for each CPU one after the other, the mixes of all buckets, ns */
	struct part *parts;	/* the parts of all buckets, one bucket after the other */
	u32 *first;		/* index of the first part of each bucket, and then the number of all parts */
};

/* Make the levels of the log that has been loaded. If there is not enough memory, there are fewer levels, or none. */
void grid_build(void);

/* Return: the coarsest level that is fine enough for columns of @ns; NULL if none is. */
const struct level *grid_level(double ns);

static inline const struct mix *grid_mixes(const struct level *level, u32 cpu)
{
	return level->mixes + (size_t)cpu * level->buckets;
}

/* Add @time of the use @who to @mix. @kernel is true if @who is process 0, the kernel. */
void mix_add(struct mix *mix, u32 who, bool kernel, float time);
/* Add the times of @other, multiplied by @part, to @mix. */
void mix_merge(struct mix *mix, const struct mix *other, float part);

#endif
