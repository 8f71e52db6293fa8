// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Converts ticks to ns: see timebase.h. */
#include "timebase.h"

/*
 * If nobody followed the kernel's clock between two samples, it may have been this part of the time
 * between them away from the line that joins them: the kernel keeps the rate within 11 % of the
 * counter's own, and a clock that is slow by 11 % first and fast by as much afterwards strays
 * furthest, 5.5 %.
 */
#define STRAYING 16

#define ONE (1ull << BCOS_RATE_SHIFT)

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
	timebase->rate = 0;
}

/*
 * Begins the next segment at @sample. No time of it is earlier than @low, with which the previous
 * segment ended.
 */
static void begin_at(struct bcos_timebase *timebase, const struct bcos_sample *sample, u64 low)
{
	timebase->newest = *sample;
	timebase->low = low;
	timebase->line.length = 0;
}

/*
 * Returns the band from the newest sample to @sample that has all that the clock may have been:
 * what was seen of it, and both samples, which may be wrong by their spans.
 */
static struct bcos_band band_to(const struct bcos_timebase *timebase,
				const struct bcos_sample *sample, u64 ticks, u64 time)
{
	const struct bcos_sample *newest = &timebase->newest;
	struct bcos_band band = sample->band;
	s64 end, stray;

	if (!band.rate || band.ticks != newest->ticks || band.time != newest->time) {
		stray = (s64)(time / STRAYING) + newest->span + sample->span + 1;
		band = (struct bcos_band){
			.ticks = newest->ticks, .time = newest->time,
			.rate = bcos_rate_of(time, ticks), .least = -stray, .most = stray,
		};
	}
	bcos_band_widen(&band, -(s64)newest->span, newest->span);
	end = bcos_band_distance(&band, sample->ticks, sample->time);
	bcos_band_widen(&band, end - sample->span, end + sample->span);
	return band;
}

/*
 * Adds a segment of @length ticks after the others. @latest: the latest time less the time of the
 * segment, in ns.
 */
static void add_segment(struct bcos_timebase *timebase, u64 ticks, u64 length, u64 time, u64 rate,
			u64 latest)
{
	timebase->segment[timebase->count++] = (struct bcos_segment){
		.ticks = ticks, .length = length, .time = time, .rate = rate,
		.precision = saturate_u32(latest + timebase->resolution),
	};
}

/* Returns after how many ticks a line of this rate has risen by @gap ns. */
static u64 ticks_to_rise(u64 gap, u64 rate)
{
	/* The rate is halved, since bcos_rate_of() needs its top bit. */
	return (bcos_rate_of(gap, rate / 2) >> 1) + 1;
}

/*
 * Adds the lower edge of @band, which has @ticks. The edge may begin below timebase->low: then the
 * time stands still, in a segment of its own, until the edge has risen to that time. Returns the
 * time at the end.
 */
static u64 add_edge(struct bcos_timebase *timebase, const struct bcos_band *band, u64 ticks)
{
	s64 bottom = (s64)band->time + band->least, gap = (s64)timebase->low - bottom;
	u64 wide = (u64)(band->most - band->least), still = 0, risen;

	if (gap > 0) {
		still = ticks_to_rise((u64)gap, band->rate);
		if (still > ticks)
			still = ticks;
		risen = host_multiply_shift(still, band->rate, BCOS_RATE_SHIFT);
		/* Up to here the clock may have come to the upper edge, rounded up. */
		add_segment(timebase, band->ticks, still, timebase->low, 0,
			    risen + wide + 1 > (u64)gap ? risen + wide + 1 - (u64)gap : 0);
		if (still == ticks)
			return timebase->low;
		bottom += (s64)risen;
	}
	ticks -= still;
	/* The line is rounded down at its beginning and at each time. */
	add_segment(timebase, band->ticks + still, ticks, (u64)bottom, band->rate,
		    wide + (still ? 2 : 1));
	return (u64)bottom + host_multiply_shift(ticks, band->rate, BCOS_RATE_SHIFT);
}

bool bcos_timebase_add(struct bcos_timebase *timebase, const struct bcos_sample *sample)
{
	u64 ticks = sample->ticks - timebase->newest.ticks;
	u64 time = sample->time - timebase->newest.time;
	struct bcos_band band;

	if (!timebase->sampled) {
		timebase->sampled = true;
		begin_at(timebase, sample,
			 sample->time > sample->span ? sample->time - sample->span : 0);
		return true;
	}
	if (bcos_timebase_is_full(timebase))
		return false;
	/* The sample is the same as before, or a clock went back. */
	if (!ticks || !time || ticks >> 63 || time >> 63)
		return false;
	band = band_to(timebase, sample, ticks, time);
	timebase->rate = band.rate;
	begin_at(timebase, sample, add_edge(timebase, &band, ticks));
	return true;
}

void bcos_timebase_forget(struct bcos_timebase *timebase, u64 time)
{
	u32 gone = 0, i;

	/*
	 * The last segment stays, for its precision. While the next one begins at @time, this one
	 * may have times that are the same.
	 */
	while (gone + 1 < timebase->count && timebase->segment[gone + 1].time < time)
		gone++;
	if (!gone)
		return;
	timebase->count -= gone;
	for (i = 0; i < timebase->count; i++)
		timebase->segment[i] = timebase->segment[i + gone];
}

/* Extrapolates past the newest sample. */
static void line_beyond(struct bcos_timebase *timebase, struct bcos_segment *line)
{
	u32 count = timebase->count;

	line->ticks = timebase->newest.ticks;
	line->length = ~0ull - line->ticks;
	line->time = timebase->low;
	line->rate = timebase->rate;
	line->precision = count ? timebase->segment[count - 1].precision : 0xFFFFFFFFu;
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
