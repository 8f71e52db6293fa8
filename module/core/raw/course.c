// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Follows the kernel's clock: see course.h. */
#include "course.h"

/* The mean rate is measured over this time at first, then over twice as much, up to the most. */
#define MEAN_LEAST_NS 1000000000ull
#define MEAN_MOST_NS (64 * MEAN_LEAST_NS)

u64 bcos_rate_of(u64 time, u64 ticks)
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

s64 bcos_band_distance(const struct bcos_band *band, u64 ticks, u64 time)
{
	s64 above = (s64)(time - band->time);

	if (ticks >= band->ticks)
		return above - (s64)host_multiply_shift(ticks - band->ticks, band->rate,
							BCOS_RATE_SHIFT);
	return above + (s64)host_multiply_shift(band->ticks - ticks, band->rate, BCOS_RATE_SHIFT);
}

static void begin_mean(struct bcos_course *course, u64 ticks, u64 time, u64 length)
{
	course->mark_ticks = ticks;
	course->mark_time = time;
	course->length = length;
}

/*
 * Measures the mean rate. The kernel goes to and fro between two rates to have one between them on
 * average, so the mean is better than the present rate. If it is further away than that, the rate
 * was changed meanwhile, and the present one is better.
 */
static void measure_rate(struct bcos_course *course, u64 ticks, u64 time, u64 rate, u64 step)
{
	u64 since = time - course->mark_time, length = course->length, off;

	course->rate = rate;
	if (!length || ticks <= course->mark_ticks) {
		course->mean = 0;
		begin_mean(course, ticks, time, MEAN_LEAST_NS);
		return;
	}
	if (since >= length) {
		course->mean = bcos_rate_of(since, ticks - course->mark_ticks);
		begin_mean(course, ticks, time, length < MEAN_MOST_NS ? 2 * length : length);
	}
	if (!course->mean)
		return;
	off = course->mean > rate ? course->mean - rate : rate - course->mean;
	if (off <= step) {
		course->rate = course->mean;
		return;
	}
	course->mean = 0;
	begin_mean(course, ticks, time, MEAN_LEAST_NS);
}

void bcos_course_update(struct bcos_course *course, u64 ticks, u64 time, u64 rate, u64 step)
{
	s64 away;

	measure_rate(course, ticks, time, rate, step);
	if (!course->band.rate)
		return;
	away = bcos_band_distance(&course->band, ticks, time);
	/* The time and the line are rounded down, and so is the time that others read. */
	bcos_band_widen(&course->band, away - 2, away + 1);
}

void bcos_course_begin(struct bcos_course *course, u64 ticks, u64 time)
{
	course->band = (struct bcos_band){ .ticks = ticks, .time = time, .rate = course->rate };
}
