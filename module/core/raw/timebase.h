/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The times of raw records are ns since boot, or ticks of the machine's counter. The counter is
 * cheaper to read, and the log writer converts its ticks to ns.
 *
 *	ns since boot     |         s2 .
 *	                  |      . '
 *	                  |   s1
 *	                  |  /
 *	                  | s0
 *	                  +--------------- ticks
 *
 * A sample is both clocks at one moment. Times between two samples lie in a band (course.h). A
 * segment never changes once both its samples exist, so equal ticks always become equal times, and
 * later ticks never become earlier times.
 *
 * A time is the earliest possible one, and time plus precision is the latest (4.4). So a segment is
 * the lower edge of its band, and its precision is the band's width. Where the edge begins below
 * the time at which the previous segment ended, time stands still until the edge has risen to it,
 * so times never go back between segments.
 */
#ifndef BCOS_CORE_TIMEBASE_H
#define BCOS_CORE_TIMEBASE_H

#include "course.h"
#include "raw.h"

/* A sample adds one or two segments. */
#define BCOS_SEGMENTS 32

/*
 * A rate is less than 16 ns per tick, so the counter must have more than 62.5 MHz. This is 12 %
 * more, since the kernel may steer its clock by up to 11 %.
 */
#define BCOS_LEAST_KHZ 70000

/**
 * struct bcos_sample - both clocks at one moment
 * @ticks: with BCOS_RAW_TICKS
 * @time: ns since boot
 * @span: ns by which @time may be off in either direction
 * @band: what the kernel's clock did since the previous sample, at which the band begins; otherwise
 *   nobody knows what it did
 */
struct bcos_sample {
	u64 ticks;
	u64 time;
	u32 span;
	struct bcos_band band;
};

/*
 * A line of the earliest possible times between two samples. For raw times that are ns already, the
 * line leaves them as they are.
 */
struct bcos_segment {
	u64 ticks;
	u64 length;		/* in ticks; later ticks belong to the next segment */
	u64 time;		/* ns since boot, the earliest possible */
	u64 rate;
	u32 precision;		/* ns to the latest possible time, with the resolution */
};

struct bcos_timebase {
	struct bcos_segment line;		/* copy of the segment last used; length 0: none */
	struct bcos_segment segment[BCOS_SEGMENTS];	/* oldest first, without gaps */
	u32 count;
	bool sampled;
	struct bcos_sample newest;
	/* Earliest possible time of @newest, ns since boot. */
	u64 low;
	u64 rate;				/* of the newest band; 0: unknown */
	u32 resolution;				/* of the clock of ns since boot, in ns */
};

/* Initialises a zeroed timebase. @resolution is that of the clock of ns since boot, in ns. */
void bcos_timebase_init(struct bcos_timebase *timebase, u32 resolution);

/* Forgets all samples, as is necessary when the counter may have been set back. */
void bcos_timebase_reset(struct bcos_timebase *timebase);

/* Has the timebase no room for a sample? */
static inline bool bcos_timebase_is_full(const struct bcos_timebase *timebase)
{
	return timebase->count + 2 > BCOS_SEGMENTS;
}

/**
 * bcos_timebase_add() - add the newest sample
 * @timebase: the timebase
 * @sample: a moment after the previous sample
 *
 * Context: the log writer.
 * Return: false if the sample is not added, because the timebase is full or the clocks did not
 *   advance. Times up to this sample are then uncertain; bcos_timebase_forget() makes room.
 */
bool bcos_timebase_add(struct bcos_timebase *timebase, const struct bcos_sample *sample);

/* Forgets the segments that only times before @time need. @time is in ns since boot. */
void bcos_timebase_forget(struct bcos_timebase *timebase, u64 time);

/* Makes timebase->line the segment that contains @raw. */
void bcos_timebase_find(struct bcos_timebase *timebase, u64 raw);

/**
 * bcos_timebase_time() - convert a raw time to ns since boot, the earliest possible
 * @timebase: the timebase; its line.precision becomes the precision of the result
 * @raw: as staged; ticks newer than the newest sample are extrapolated
 *
 * Context: the log writer.
 * Return: ns since boot.
 */
static __always_inline u64 bcos_timebase_time(struct bcos_timebase *timebase, u64 raw)
{
	const struct bcos_segment *line = &timebase->line;

	if (unlikely(raw - line->ticks >= line->length))
		bcos_timebase_find(timebase, raw);
	return line->time + host_multiply_shift(raw - line->ticks, line->rate, BCOS_RATE_SHIFT);
}

#endif
