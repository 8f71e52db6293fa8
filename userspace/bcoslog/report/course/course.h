/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Courses: amounts over time, shown as a line of blocks. The buckets of a course begin at multiples of their width, and
 * double in width until the whole log fits.
 */
#ifndef BCOSLOG_COURSE_COURSE_H
#define BCOSLOG_COURSE_COURSE_H

#include "report/table/table.h"
#include "state/table.h"

/* The number of buckets of a course. */
#define COURSE_WIDTH 32

/**
 * struct course - amounts over time; zeros at first
 * @width: width of a bucket in ns; 0: the course is empty
 * @first: number of the first bucket: its time, divided by @width
 * @part: the amount of each bucket
 * @whole: in a course of shares, the amount of which @part is a share
 * @unknown: the amount that may or may not belong to @part
 */
struct course {
	u64 width, first;
	double part[COURSE_WIDTH], whole[COURSE_WIDTH], unknown[COURSE_WIDTH];
};

/* The amounts that course_add() adds to @part, @whole and @unknown. */
struct course_amount {
	double part, whole, unknown;
};

/*
 * Adds @amount, spread evenly from @begin to @end, which may be equal. @origin is the same in all calls, and no time is
 * before it.
 */
void course_add(struct course *course, u64 origin, u64 begin, u64 end, struct course_amount amount);

/* Doubles the width of buckets until there is one for each time from @origin to @end. */
void course_reach(struct course *course, u64 origin, u64 end);

/*
 * Return: the cell of the shares of @part in @whole of the buckets from @begin to @end. The cell uses @values, which
 * has room for COURSE_WIDTH.
 */
struct cell course_cell(struct course *course, u64 begin, u64 end, float *values);

/*
 * Return: the cell of @part in a unit of time in the buckets from @begin to @end, as shares of the largest value. A
 * bucket without @part, but with something unknown, is unknown. A bucket that the time cuts is measured over a whole
 * width, with a part of its neighbour. The cell uses @values as that of course_cell() does.
 */
struct cell course_rate_cell(struct course *course, u64 begin, u64 end, float *values);

/**
 * struct courses - courses by ID; zeros at first
 * @of: the courses
 * @memory: their size in bytes
 * @failed: there was no memory for a course
 */
struct courses {
	struct table of;
	u64 memory;
	bool failed;
};

/*
 * Return: the course of @id, which the first call makes; NULL if there is no memory.
 */
struct course *courses_of(struct courses *courses, u32 id);
/* Frees all courses. */
void courses_free(struct courses *courses);

#endif
