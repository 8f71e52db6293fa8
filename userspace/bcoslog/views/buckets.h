/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Stretches of absolute time, each as wide as the user wants it: the rows of --every. */
#ifndef BCOSLOG_VIEWS_BUCKETS_H
#define BCOSLOG_VIEWS_BUCKETS_H

#include "views/report.h"

/* Columns that all such tables begin with: from, to, partial, imprecise. */
#define BUCKET_HEAD 4
#define BUCKET_COLUMNS_MAX 16

#define BUCKET_HEADS \
	{ "begin", "from", CELL_TIME }, \
	{ "end", "to", CELL_TIME }, \
	{ "partial", "", CELL_TEXT }, \
	{ "imprecise", NULL, CELL_NUMBER }

/**
 * struct buckets - what is counted in each stretch
 * @every: width of a bucket, ns; 0: they were not asked for
 * @size: bytes of what is counted in one
 * @of: what is counted, zero at first; @limit of them
 * @first: number of the first one: its time, divided by @every; @last is that of the last one in which anything was counted
 * @failed: some have no room
 */
struct buckets {
	u64 every;
	size_t size;
	char *of;
	u64 first, last, limit;
	bool failed;
};

/* Sets the width from the argument of --every. Returns 0 or -1 after a complaint. */
int buckets_take(struct buckets *buckets, const char *text);

/* The bucket of a moment; @origin: the same in each call; nothing lies before it. Returns NULL if there is no room. */
void *buckets_at(struct buckets *buckets, u64 origin, u64 time);

/* The end of the bucket of a moment, or @end if that comes first. */
u64 buckets_end(const struct buckets *buckets, u64 time, u64 end);

/* The sink of an account for unknown time: @lost was lost from @begin to @end. */
void buckets_unknown(void *context, __u32 lost, __u64 begin, __u64 end);

/* Returns what buckets_unknown() heard of [@begin, @end): BCOSLOG_LOST_*. A loss may have no length. */
u32 buckets_lost(u64 begin, u64 end);

/**
 * struct bucket_row - a bucket that is printed
 * @counted: what was counted in it
 * @seconds: of it that lie in the log
 * @lost: BCOSLOG_LOST_* of what is not known of it
 */
struct bucket_row {
	const void *counted;
	double seconds;
	u32 lost;
};

/* Prints the table; @fill sets the cells after the heads. Returns as table_end(). */
int buckets_print(struct report *report, struct buckets *buckets, const struct column *columns, size_t count, const char *spare,
		  void (*fill)(struct cell *cells, const struct bucket_row *row));

#endif
