/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Buckets of time, which begin at multiples of their width: the rows of --every. */
#ifndef BCOSLOG_VIEWS_BUCKETS_H
#define BCOSLOG_VIEWS_BUCKETS_H

#include "report/report.h"

/* The number of columns with which such a table begins: BUCKET_HEADS. */
#define BUCKET_HEAD 4
#define BUCKET_COLUMNS_MAX 16

#define BUCKET_HEADS \
	{ "begin", "from", CELL_TIME }, \
	{ "end", "to", CELL_TIME }, \
	{ "partial", "", CELL_TEXT }, \
	{ "imprecise", NULL, CELL_NUMBER }

#define BUCKET_LOSSES 256

/* A stretch in which entries of the kinds @lost (BCOSLOG_LOST_*) are lost. */
struct bucket_loss {
	u64 begin, end;
	u32 lost;
};

/**
 * struct buckets - counts for each bucket of time
 * @every: width of a bucket in ns; 0: --every was not given
 * @size: bytes of the counts of one bucket
 * @of: the counts, zeros at first
 * @first: number of the first bucket: its time, divided by @every
 * @last: number of the last bucket for which buckets_at() was called
 * @limit: number of buckets for which @of has room
 * @failed: there was no room for a bucket
 * @losses: stretches in which entries are lost
 * @loss_count: number of @losses
 */
struct buckets {
	u64 every;
	size_t size;
	char *of;
	u64 first, last, limit;
	bool failed;
	struct bucket_loss losses[BUCKET_LOSSES];
	u32 loss_count;
};

/* Sets the width from the argument of --every.  Return: 0, or -1 after a complaint. */
int buckets_take(struct buckets *buckets, const char *text);

/*
 * Return: the counts of the bucket of a time, or NULL if there is no room, or there are more than 131072 buckets. @origin is the same in all calls, and no
 * time is before it.
 */
void *buckets_at(struct buckets *buckets, u64 origin, u64 time);

/* Return: the end of the bucket of a time, or @end if that is earlier. */
u64 buckets_end(const struct buckets *buckets, u64 time, u64 end);

/* Frees the counts. */
void buckets_free(struct buckets *buckets);

/* Notes that entries of the kinds @lost (BCOSLOG_LOST_*) are lost from @begin to @end. */
void buckets_unknown(struct buckets *buckets, u32 lost, u64 begin, u64 end);

/* Return: the kinds of entries (BCOSLOG_LOST_*) that are lost from @begin to before @end. A loss may have no length. */
u32 buckets_lost(const struct buckets *buckets, u64 begin, u64 end);

/**
 * struct bucket_row - a bucket that is printed
 * @counted: its counts
 * @seconds: the length of its part that lies in the log
 * @lost: the kinds of entries (BCOSLOG_LOST_*) that are lost in it
 */
struct bucket_row {
	const void *counted;
	double seconds;
	u32 lost;
};

/*
 * Prints the table of all buckets. @fill sets the cells of a row after BUCKET_HEADS.
 * Return: as table_end(), or -ENOSPC after a complaint if there are too many buckets.
 */
int buckets_print(struct report *report, struct buckets *buckets, const struct column *columns, size_t count,
		  const char *spare, void (*fill)(struct cell *cells, const struct bucket_row *row));

#endif
