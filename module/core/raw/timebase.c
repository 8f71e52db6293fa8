// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Converts ticks to ns: see timebase.h. */
#include "timebase.h"

/* The long-run rate is computed anew after this many ns. */
#define ANCHOR_NS 1000000000ull

/*
 * Before the long-run rate is known: the kernel may be slewing its clock by up to 1/2000 (500 ppm).
 */
#define STEERING 2000

#define ONE (1ull << BCOS_RATE_SHIFT)

/* Returns @time / @ticks, rounded down, so that a segment never ends after its last sample. */
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

static u32 saturate_u32(u64 ns)
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
 * Returns by how much the line from the newest sample to @sample may be wrong at its end, if both
 * samples are right but the clock's rate changed between them. Earlier on the line the error is
 * proportionally smaller. If the rate changed once, the error is at most the distance between
 * @sample and the line with the long-run rate. That distance is as exact as both samples and the
 * rate are.
 */
static u64 drift_of(const struct bcos_timebase *timebase, const struct bcos_sample *sample,
		    u64 ticks, u64 time)
{
	u64 expected, off;

	if (!timebase->anchor_rate)
		return time / STEERING;
	expected = host_multiply_shift(ticks, timebase->anchor_rate, BCOS_RATE_SHIFT);
	off = expected > time ? expected - time : time - expected;
	return off + timebase->newest.span + sample->span +
	       host_multiply_shift(time, timebase->anchor_error, BCOS_RATE_SHIFT) + 1;
}

static void move_anchor(struct bcos_timebase *timebase, const struct bcos_sample *sample)
{
	u64 time = sample->time - timebase->anchor.time;

	if (time < ANCHOR_NS)
		return;
	timebase->anchor_rate = rate_of(time, sample->ticks - timebase->anchor.ticks);
	timebase->anchor_error = rate_of((u64)timebase->anchor.span + sample->span, time);
	timebase->anchor = *sample;
}

static u64 less_error(u64 time, u64 error)
{
	return time > error ? time - error : 0;
}

/*
 * Begins the next segment at @sample. The segment starts at the sample's time less its span, but
 * not before the end of the previous segment.
 */
static void begin_at(struct bcos_timebase *timebase, const struct bcos_sample *sample, u64 low)
{
	u64 own = less_error(sample->time, sample->span);

	timebase->newest = *sample;
	timebase->low = own > low ? own : low;
	timebase->line.length = 0;
}

bool bcos_timebase_add(struct bcos_timebase *timebase, const struct bcos_sample *sample)
{
	u64 ticks = sample->ticks - timebase->newest.ticks;
	u64 time = sample->time - timebase->newest.time;
	u64 low, error, wide, end;
	struct bcos_segment *segment;

	if (!timebase->sampled) {
		timebase->sampled = true;
		timebase->anchor = *sample;
		begin_at(timebase, sample, 0);
		return true;
	}
	if (timebase->count == BCOS_SEGMENTS)
		return false;
	/* The sample is the same as before, or a clock went back. */
	if (!ticks || !time || ticks >> 63 || time >> 63)
		return false;
	low = timebase->low;
	error = drift_of(timebase, sample, ticks, time) + sample->span;
	if (error > sample->time)
		error = sample->time;
	end = sample->time - error;
	if (end < low)
		end = low;
	/*
	 * The latest possible times form a line, too, so the distance of the two lines is greatest
	 * at one of the ends.
	 */
	wide = timebase->newest.time + timebase->newest.span - low;
	if (wide < sample->time + error - end)
		wide = sample->time + error - end;
	segment = &timebase->segment[timebase->count++];
	*segment = (struct bcos_segment){
		.ticks = timebase->newest.ticks,
		.length = ticks,
		.time = low,
		.rate = rate_of(end - low, ticks),
		.precision = saturate_u32(wide + timebase->resolution),
	};
	begin_at(timebase, sample, end);
	move_anchor(timebase, sample);
	return true;
}

void bcos_timebase_forget(struct bcos_timebase *timebase, u64 time)
{
	u32 gone = 0, i;

	/* The last segment stays, for its rate. */
	while (gone + 1 < timebase->count && timebase->segment[gone + 1].time <= time)
		gone++;
	if (!gone)
		return;
	timebase->count -= gone;
	for (i = 0; i < timebase->count; i++)
		timebase->segment[i] = timebase->segment[i + gone];
}

/*
 * Extrapolates past the newest sample with the long-run rate, else with that of the last segment.
 */
static void line_beyond(struct bcos_timebase *timebase, struct bcos_segment *line)
{
	const struct bcos_segment *last = NULL;

	if (timebase->count)
		last = &timebase->segment[timebase->count - 1];
	line->ticks = timebase->newest.ticks;
	line->length = ~0ull - line->ticks;
	line->time = timebase->low;
	line->rate = timebase->anchor_rate ? timebase->anchor_rate : last ? last->rate : 0;
	line->precision = last ? last->precision : 0xFFFFFFFFu;
}

void bcos_timebase_find(struct bcos_timebase *timebase, u64 raw)
{
	struct bcos_segment *line = &timebase->line;
	u32 i = timebase->count;

	if (!(raw & BCOS_RAW_TICKS)) {
		*line = (struct bcos_segment){
			.length = BCOS_RAW_TICKS, .rate = ONE, .precision = timebase->resolution,
		};
		return;
	}
	if (timebase->sampled && raw >= timebase->newest.ticks) {
		line_beyond(timebase, line);
		return;
	}
	while (i--) {
		*line = timebase->segment[i];
		if (raw >= line->ticks)
			return;
	}
	/*
	 * @raw is older than all segments, and the beginning of the first one is the best estimate.
	 */
	i = timebase->count;
	line->time = i ? timebase->segment[0].time : timebase->low;
	line->length = (i ? timebase->segment[0].ticks : timebase->newest.ticks) - BCOS_RAW_TICKS;
	line->ticks = BCOS_RAW_TICKS;
	line->rate = 0;
	line->precision = 0xFFFFFFFFu;
}
