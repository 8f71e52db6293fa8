/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Amounts over time, in buckets that begin at multiples of their width. The width doubles until the whole log fits. */
#ifndef BCOSLOG_TIMELINE_H
#define BCOSLOG_TIMELINE_H

#include "core/host/user.h"

#define TIMELINE_BUCKETS 256
#define TIMELINE_SERIES 5

/**
 * struct timeline - amounts of several series; zeros at first
 * @width: width of a bucket in ns; 0: nothing was added yet
 * @fixed: width that does not change; 0: the width doubles when it has to
 * @first: number of the first bucket: its time, divided by @width
 * @count: number of buckets up to the last one to which something was added
 * @overflow: with @fixed, not everything had room
 * @sum: the amounts
 */
struct timeline {
	u64 width, fixed, first;
	size_t count;
	bool overflow;
	double sum[TIMELINE_BUCKETS][TIMELINE_SERIES];
};

/*
 * Adds @amount to a series, spread evenly from @begin to @end, which may be equal. @origin is the same in all calls,
 * and no time is before it.
 */
void timeline_add(struct timeline *timeline, u64 origin, u64 begin, u64 end, unsigned int series, double amount);
/* Return: the begin of a bucket, or @begin if that is later. */
u64 timeline_from(const struct timeline *timeline, size_t bucket, u64 begin);
/* Return: the end of a bucket, or @end if that is earlier. */
u64 timeline_to(const struct timeline *timeline, size_t bucket, u64 end);

#endif
