// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Counting how long things took: see spans.h. */
#include <errno.h>
#include <stdlib.h>

#include "account/latency.h"
#include "account/report.h"
#include "spans.h"

/* Return: the index of the first bucket that is not below @bucket. */
static u32 place_of(const struct spans *spans, u32 bucket)
{
	u32 low = 0, high = spans->used, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (spans->of[middle].bucket < bucket)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int make_room(struct spans *spans)
{
	u32 room = spans->room ? 2 * spans->room : 8;
	struct spans_bucket *larger;

	if (spans->used < spans->room)
		return 0;
	larger = reallocarray(spans->of, room, sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	spans->of = larger;
	spans->room = room;
	return 0;
}

int spans_add(struct spans *spans, u64 span, u64 at)
{
	u32 bucket = latency_bucket(span), place = place_of(spans, bucket);

	if (place == spans->used || spans->of[place].bucket != bucket) {
		if (make_room(spans))
			return -ENOMEM;
		memmove(&spans->of[place + 1], &spans->of[place], (spans->used - place) * sizeof(*spans->of));
		spans->of[place] = (struct spans_bucket){ .bucket = bucket };
		spans->used++;
	}
	spans->of[place].count++;
	sum_add(&spans->sum, span);
	if (!spans->count++ || span > spans->most) {
		spans->most = span;
		spans->most_at = at;
	}
	return 0;
}

u64 spans_quantile(const struct spans *spans, double share)
{
	u64 wanted = (u64)(share * (double)spans->count), seen = 0;
	u32 i;

	/* The smallest rank that is no less than the share. */
	wanted += (double)wanted < share * (double)spans->count;
	for (i = 0; i < spans->used; i++) {
		seen += spans->of[i].count;
		if (seen >= wanted && seen)
			break;
	}
	if (i == spans->used)
		return spans->most;
	return latency_bucket_end(spans->of[i].bucket) < spans->most ? latency_bucket_end(spans->of[i].bucket) : spans->most;
}

u64 spans_between(const struct spans *spans, u64 from, u64 to)
{
	u32 last = to ? latency_bucket(to - 1) : LATENCY_BUCKETS, i;
	u64 count = 0;

	for (i = place_of(spans, latency_bucket(from)); i < spans->used && spans->of[i].bucket <= last; i++)
		count += spans->of[i].count;
	return count;
}

void spans_free(struct spans *spans)
{
	free(spans->of);
	*spans = (struct spans){ 0 };
}
