/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The times of raw records: ns since boot, or ticks of the machine's counter,
 * which is cheaper to read, and which the log writer turns into ns.
 *
 *	ns since boot     |         s2 .
 *	                  |      . '
 *	                  |   s1
 *	                  |  /
 *	                  | s0
 *	                  +--------------- ticks
 *
 * A sample is both clocks at one moment.  What lies between two samples is
 * interpolated, and a segment never changes once both its samples are there,
 * so equal ticks always are equal times, and later ticks never earlier ones.
 *
 * A time is the earliest possible, and its precision reaches to the latest:
 * so a segment runs below its samples by as much as they, and the line between
 * them, may be wrong.  At its beginning only the sample may be; the further
 * from there, the more may the clock's rate have changed.  So segments begin
 * where the one before ended, or above, and times never go back between them.
 */
#ifndef BCOS_CORE_TIMEBASE_H
#define BCOS_CORE_TIMEBASE_H

#include "raw.h"

#define BCOS_SEGMENTS 16

/* ns a tick are counted in units of 2^-60. */
#define BCOS_RATE_SHIFT 60

/**
 * struct bcos_sample - both clocks at one moment
 * @ticks: BCOS_RAW_TICKS included
 * @time: ns since boot
 * @span: ns by which @time may be off, either way
 */
struct bcos_sample {
	u64 ticks;
	u64 time;
	u32 span;
};

/* The earliest times from one sample to the next; the identity, for times that are ns already. */
struct bcos_segment {
	u64 ticks;
	u64 length;		/* in ticks: this and later ones are not of it */
	u64 time;		/* ns since boot, the earliest possible */
	u64 rate;
	u32 precision;		/* ns up to the latest possible, the clock's resolution included */
};

struct bcos_timebase {
	struct bcos_segment line;		/* a copy of the one last used; length 0: none */
	struct bcos_segment segment[BCOS_SEGMENTS];	/* oldest first, without gaps */
	u32 count;
	bool sampled;
	struct bcos_sample newest;
	u64 low;				/* the earliest that @newest was, ns since boot */
	struct bcos_sample anchor;		/* of a second ago or more, for the rate in the long run */
	u64 anchor_rate;			/* 0: not known yet */
	u64 anchor_error;			/* by which part it may be wrong, in units of 2^-60 */
	u32 resolution;				/* ns */
};

/* @timebase: zeroed.  @resolution: of ns since boot, in ns. */
void bcos_timebase_init(struct bcos_timebase *timebase, u32 resolution);

/* Forgets all samples: the counter may have been set back. */
void bcos_timebase_reset(struct bcos_timebase *timebase);

/**
 * bcos_timebase_add() - the newest sample
 * @timebase: the timebase
 * @sample: a moment after that of the last one
 *
 * Return: false if there is no room: what it would have covered is not certain
 * until bcos_timebase_forget() has made some.
 */
bool bcos_timebase_add(struct bcos_timebase *timebase, const struct bcos_sample *sample);

/* No time before @time, in ns, will be asked for any more. */
void bcos_timebase_forget(struct bcos_timebase *timebase, u64 time);

/* Makes the line the one that @raw is on. */
void bcos_timebase_find(struct bcos_timebase *timebase, u64 raw);

/**
 * bcos_timebase_time() - a raw time in ns since boot, the earliest possible
 * @timebase: the timebase; its line.precision is the result's, up to the latest possible
 * @raw: as staged; ticks newer than the newest sample are only estimated
 */
static __always_inline u64 bcos_timebase_time(struct bcos_timebase *timebase, u64 raw)
{
	const struct bcos_segment *line = &timebase->line;

	if (unlikely(raw - line->ticks >= line->length))
		bcos_timebase_find(timebase, raw);
	return line->time + host_multiply_shift(raw - line->ticks, line->rate, BCOS_RATE_SHIFT);
}

#endif
