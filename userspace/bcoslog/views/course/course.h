/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Amounts over time as a line of blocks: buckets of absolute time, which double in width until all of the log fits. */
#ifndef BCOSLOG_VIEWS_COURSE_H
#define BCOSLOG_VIEWS_COURSE_H

#include "views/table/table.h"

/* Buckets of a course. */
#define COURSE_WIDTH 32

/**
 * struct course - amounts over time; zeros at first
 * @width: of a bucket, ns; 0: it is empty
 * @first: number of the first bucket: its time, divided by @width
 * @part: the amount of each bucket
 * @whole: what @part may be at most there, of a course of shares
 * @unknown: the amount of which nobody knows whether it belongs to @part
 */
struct course {
	u64 width, first;
	double part[COURSE_WIDTH], whole[COURSE_WIDTH], unknown[COURSE_WIDTH];
};

struct course_amount {
	double part, whole, unknown;
};

/* Adds @amount evenly from @begin to @end, which may be equal. @origin: the same in each call; nothing is before it. */
void course_add(struct course *course, u64 origin, u64 begin, u64 end, struct course_amount amount);

/* Makes its buckets so wide that there is one for each moment from @origin to @end. */
void course_reach(struct course *course, u64 origin, u64 end);

/* Returns the share of @part in @whole of each bucket, from @begin to @end. @values: room for COURSE_WIDTH. */
struct cell course_cell(struct course *course, u64 begin, u64 end, float *values);

/*
 * Returns how much of @part there is in a unit of time, from @begin to @end, as shares of the largest value. A bucket that
 * has nothing of it, but something unknown, is unknown.
 */
struct cell course_rate_cell(struct course *course, u64 begin, u64 end, float *values);

/**
 * struct courses - a course for each of some IDs; zeros at first
 * @failed: there was no memory for one
 */
struct courses {
	struct course_of {
		u32 id;
		struct course course;
	} *of;
	size_t count;
	bool failed;
};

/* Returns the course of @id, which is made at the first call, or NULL if there is no memory. It is valid until the next call. */
struct course *courses_of(struct courses *courses, u32 id);
void courses_free(struct courses *courses);

#endif
