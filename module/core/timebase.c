// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From ticks to ns: see timebase.h. */
#include "timebase.h"

/* After so many ns the rate in the long run is taken anew. */
#define ANCHOR_NS 1000000000ull

/* Until it is known, the kernel may be steering its clock by this part, 500 ppm. */
#define STEERING 2000

#define ONE (1ull << BCOS_RATE_SHIFT)

/* @time / @ticks, rounded down, so that a segment never ends after its last sample. */
static u64 rate_of(u64 time, u64 ticks)
{
	u64 rate = time / ticks, rest = time % ticks;
	u32 bit;

	if (rate > 15)
		return ~0ull;
	for (bit = 0; bit < BCOS_RATE_SHIFT; bit++) {
		rest <<= 1;
		rate <<= 1;
		if (rest >= ticks) {
			rest -= ticks;
			rate++;
		}
	}
	return rate;
}

static u32 saturate(u64 ns)
{
	return ns > 0xFFFFFFFFu ? 0xFFFFFFFFu : (u32)ns;
}

void bcos_timebase_init(struct bcos_timebase *timebase, u32 resolution)
{
	timebase->resolution = resolution;
	bcos_timebase_reset(timebase);
}

void bcos_timebase_reset(struct bcos_timebase *timebase)
{
	timebase->line.length = 0;
	timebase->count = 0;
	timebase->sampled = false;
	timebase->anchor_rate = 0;
}

/*
 * How far the line between two samples may be from the truth: the samples'
 * own spans, and what the clock's rate changed meanwhile.  If it changed once,
 * that is at most by how much the second sample misses the old rate's line.
 */
static u32 precision_of(const struct bcos_timebase *timebase, const struct bcos_sample *sample, u64 ticks, u64 time)
{
	u32 span = timebase->newest.span > sample->span ? timebase->newest.span : sample->span;
	u64 expected, off = time / STEERING;

	if (timebase->anchor_rate) {
		expected = host_multiply_shift(ticks, timebase->anchor_rate, BCOS_RATE_SHIFT);
		off = expected > time ? expected - time : time - expected;
	}
	if (off > 0xFFFFFFFFu)
		return 0xFFFFFFFFu;
	return saturate(off + span + timebase->resolution);
}

static void move_anchor(struct bcos_timebase *timebase, const struct bcos_sample *sample)
{
	u64 time = sample->time - timebase->anchor.time;

	if (time < ANCHOR_NS)
		return;
	timebase->anchor_rate = rate_of(time, sample->ticks - timebase->anchor.ticks);
	timebase->anchor = *sample;
}

bool bcos_timebase_add(struct bcos_timebase *timebase, const struct bcos_sample *sample)
{
	u64 ticks = sample->ticks - timebase->newest.ticks, time = sample->time - timebase->newest.time;
	struct bcos_segment *segment;

	if (!timebase->sampled) {
		timebase->sampled = true;
		timebase->newest = timebase->anchor = *sample;
		timebase->line.length = 0;
		return true;
	}
	if (timebase->count == BCOS_SEGMENTS)
		return false;
	/* Nothing new, or a clock that went back. */
	if (!ticks || !time || ticks >> 63 || time >> 63)
		return false;
	segment = &timebase->segment[timebase->count++];
	*segment = (struct bcos_segment){
		.ticks = timebase->newest.ticks,
		.length = ticks,
		.time = timebase->newest.time,
		.rate = rate_of(time, ticks),
		.precision = precision_of(timebase, sample, ticks, time),
	};
	timebase->newest = *sample;
	timebase->line.length = 0;
	move_anchor(timebase, sample);
	return true;
}

void bcos_timebase_forget(struct bcos_timebase *timebase, u64 time)
{
	u32 gone = 0, i;

	/* The last one stays, for its rate. */
	while (gone + 1 < timebase->count && timebase->segment[gone + 1].time <= time)
		gone++;
	if (!gone)
		return;
	timebase->count -= gone;
	for (i = 0; i < timebase->count; i++)
		timebase->segment[i] = timebase->segment[i + gone];
}

/* Newer than the newest sample: at the last rate. */
static void beyond(struct bcos_timebase *timebase, struct bcos_segment *line)
{
	const struct bcos_segment *last = timebase->count ? &timebase->segment[timebase->count - 1] : NULL;

	line->ticks = timebase->newest.ticks;
	line->length = ~0ull - line->ticks;
	line->time = timebase->newest.time;
	line->rate = last ? last->rate : 0;
	line->precision = last ? last->precision : 0xFFFFFFFFu;
}

void bcos_timebase_find(struct bcos_timebase *timebase, u64 raw)
{
	struct bcos_segment *line = &timebase->line;
	u32 i = timebase->count;

	if (!(raw & BCOS_RAW_TICKS)) {
		*line = (struct bcos_segment){ .length = BCOS_RAW_TICKS, .rate = ONE, .precision = timebase->resolution };
		return;
	}
	if (timebase->sampled && raw >= timebase->newest.ticks) {
		beyond(timebase, line);
		return;
	}
	while (i--) {
		*line = timebase->segment[i];
		if (raw >= line->ticks)
			return;
	}
	/* Older than everything: it cannot be less wrong than this. */
	i = timebase->count;
	line->time = i ? timebase->segment[0].time : timebase->newest.time;
	line->length = (i ? timebase->segment[0].ticks : timebase->newest.ticks) - BCOS_RAW_TICKS;
	line->ticks = BCOS_RAW_TICKS;
	line->rate = 0;
	line->precision = 0xFFFFFFFFu;
}
