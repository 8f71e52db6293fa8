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
 * A sample is both clocks at one moment. Times between two samples are interpolated. A segment
 * never changes once both its samples exist, so equal ticks always become equal times, and later
 * ticks never become earlier times.
 *
 * A time is the earliest possible one, and time plus precision is the latest (4.4). So a segment
 * runs below its samples by as much as they, and the line between them, may be wrong. At its
 * beginning only the sample may be wrong; further on, the clock's rate may have changed, too. Each
 * segment begins where the previous one ended, or above, so times never go back between them.
 */
#ifndef BCOS_CORE_TIMEBASE_H
#define BCOS_CORE_TIMEBASE_H

#include "raw.h"

#define BCOS_SEGMENTS 16

/* A rate is ns per tick in units of 2^-60. */
#define BCOS_RATE_SHIFT 60

/*
 * A rate is less than 16 ns per tick, so the counter must have more than 62.5 MHz. This is 0.8%
 * more, since the kernel may be steering its clock.
 */
#define BCOS_LEAST_KHZ 63000

/**
 * struct bcos_sample - both clocks at one moment
 * @ticks: with BCOS_RAW_TICKS
 * @time: ns since boot
 * @span: ns by which @time may be off in either direction
 */
struct bcos_sample {
	u64 ticks;
	u64 time;
	u32 span;
};

/*
 * A line of the earliest possible times from one sample to the next. For raw times that are ns
 * already, the line leaves them as they are.
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
	/* The long-run rate counts from this sample, which is renewed once a second. */
	struct bcos_sample anchor;
	u64 anchor_rate;			/* 0: unknown */
	u64 anchor_error;			/* relative error of the rate, in units of 2^-60 */
	u32 resolution;				/* of the clock of ns since boot, in ns */
};

/* Initialises a zeroed timebase. @resolution is that of the clock of ns since boot, in ns. */
void bcos_timebase_init(struct bcos_timebase *timebase, u32 resolution);

/* Forgets all samples, as is necessary when the counter may have been set back. */
void bcos_timebase_reset(struct bcos_timebase *timebase);

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
