/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How long each of many things took: their number, sum, greatest, percentiles and histogram. */
#ifndef BCOSLOG_REQUESTS_SPANS_H
#define BCOSLOG_REQUESTS_SPANS_H

#include "core/host/user.h"

/* Few buckets are in use, so only these take memory. */
struct spans {
	u64 count, sum, most, most_at;	/* ns; @most_at: ns since boot */
	struct spans_bucket {
		u32 bucket;		/* latency_bucket() */
		u64 count;
	} *of;				/* by ascending bucket */
	u32 used, room;
};

/* Counts a span that ended at @at.  Return: 0, or -ENOMEM. */
int spans_add(struct spans *spans, u64 span, u64 at);
/*
 * Return: the span that @share (0 to 1) of all do not exceed: the upper end of its bucket, at most 1/16 too great, and
 * not above the greatest; 0 if there are none.
 */
u64 spans_quantile(const struct spans *spans, double share);
/* Return: the number of spans from @from to below @to, both of which are powers of two, or @from is 0. */
u64 spans_between(const struct spans *spans, u64 from, u64 to);
/* Frees the memory of it, and not @spans itself. */
void spans_free(struct spans *spans);

#endif
