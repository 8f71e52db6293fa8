/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Amounts over time: buckets of absolute time, which double in width until all of the log fits. */
#ifndef BCOSLOG_TIMELINE_H
#define BCOSLOG_TIMELINE_H

#include "core/host/user.h"

#define TIMELINE_BUCKETS 256
#define TIMELINE_SERIES 5

/**
 * struct timeline - amounts of some series; zeros at first
 * @width: of a bucket, ns; 0: none was added
 * @fixed: it stays so wide, and @overflow says that not all fits; else 0
 * @first: number of the first bucket: its time, divided by @width
 * @count: buckets up to the last one that has something
 */
struct timeline {
	u64 width, fixed, first;
	size_t count;
	bool overflow;
	double sum[TIMELINE_BUCKETS][TIMELINE_SERIES];
};

/* @amount, evenly from @begin to @end, which may be equal.  @origin: the same in each call; nothing is before it. */
void timeline_add(struct timeline *timeline, u64 origin, u64 begin, u64 end, unsigned int series, double amount);
/* From when to when a bucket lasts, in the window from @begin to @end. */
u64 timeline_from(const struct timeline *timeline, size_t bucket, u64 begin);
u64 timeline_to(const struct timeline *timeline, size_t bucket, u64 end);

#endif
