// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Amounts over time: see svg.h. */
#include "svg.h"

#define WIDTH_MIN 1024

/* Joins each two buckets to one. A first bucket of odd number becomes the second half of its new one. */
static void widen_timeline(struct timeline *timeline)
{
	u64 first = timeline->first / 2;
	size_t i, to;
	unsigned int series;

	for (i = 0; i < TIMELINE_BUCKETS; i++) {
		to = (size_t)((timeline->first + i) / 2 - first);
		for (series = 0; series < TIMELINE_SERIES; series++) {
			double sum = timeline->sum[i][series];

			timeline->sum[i][series] = 0;
			timeline->sum[to][series] += sum;
		}
	}
	/* timeline_add() sets @count: the stretch that it adds lies after all others. */
	timeline->count = 0;
	timeline->width *= 2;
	timeline->first = first;
}

void timeline_add(struct timeline *timeline, u64 origin, u64 begin, u64 end, unsigned int series, double amount)
{
	u64 last = end > begin ? end - 1 : begin, bucket, until;
	double part;

	if (begin > end || begin < origin)
		return;
	if (!timeline->width) {
		timeline->width = timeline->fixed ? timeline->fixed : WIDTH_MIN;
		timeline->first = origin / timeline->width;
	}
	while (last / timeline->width - timeline->first >= TIMELINE_BUCKETS) {
		if (timeline->fixed) {
			timeline->overflow = true;
			return;
		}
		widen_timeline(timeline);
	}
	do {
		bucket = begin / timeline->width;
		/* The rest of the bucket is computed, since the end of the last possible bucket exceeds 64 bits. */
		until = timeline->width - begin % timeline->width;
		until = until < end - begin ? begin + until : end;
		part = end > begin ? amount * ((double)(until - begin) / (double)(end - begin)) : amount;
		timeline->sum[bucket - timeline->first][series] += part;
		if (bucket - timeline->first + 1 > timeline->count)
			timeline->count = (size_t)(bucket - timeline->first + 1);
		amount -= part;
		begin = until;
	} while (begin < end);
}

u64 timeline_from(const struct timeline *timeline, size_t bucket, u64 begin)
{
	u64 from = (timeline->first + bucket) * timeline->width;

	return from > begin ? from : begin;
}

u64 timeline_to(const struct timeline *timeline, size_t bucket, u64 end)
{
	u64 from = (timeline->first + bucket) * timeline->width;

	return end < from || end - from < timeline->width ? end : from + timeline->width;
}
