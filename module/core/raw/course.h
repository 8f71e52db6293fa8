/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The course of the kernel's clock between two samples (timebase.h). The clock is a line over the
 * counter, whose rate the kernel changes whenever it updates the clock: to follow adjtimex(2), and
 * a little in any case, since it cannot express each rate.
 *
 *	ns since boot     |            . '  '
 *	                  |        .' _.-'    . band
 *	                  |    .'_.-'     .
 *	                  |  s_.'     . '
 *	                  |   '  .  '
 *	                  +--------------- ticks
 *
 * Two samples do not tell what the rate was between them, however close together they are. So the
 * course looks at each update. Between two updates the clock is a straight line, so it never is
 * further from any other straight line than at an update, or at the ends. A band is such a line,
 * and the distances from it that the updates had.
 */
#ifndef BCOS_CORE_COURSE_H
#define BCOS_CORE_COURSE_H

#include "core/host/host.h"

/* A rate is ns per tick in units of 2^-60. */
#define BCOS_RATE_SHIFT 60

/**
 * struct bcos_band - a line from a moment on, along which the kernel's clock stayed
 * @ticks: the counter at the moment, with BCOS_RAW_TICKS
 * @time: ns since boot at the moment
 * @rate: of the line; 0: nobody followed the clock
 * @least: least distance of the clock from the line, in ns; negative: below the line
 * @most: greatest distance
 */
struct bcos_band {
	u64 ticks;
	u64 time;
	u64 rate;
	s64 least;
	s64 most;
};

/**
 * struct bcos_course - follows the kernel's clock
 * @band: since the newest sample; its rate is 0 before the first one
 * @rate: the rate that the clock has on average, as far as is known; 0: unknown
 * @mark_ticks: the counter at an update some time ago, from which @mean counts
 * @mark_time: ns since boot at that update
 * @length: ns after which the mean is measured; 0: there was no update yet
 * @mean: the mean rate over a second or more; 0: unknown
 */
struct bcos_course {
	struct bcos_band band;
	u64 rate;
	u64 mark_ticks;
	u64 mark_time;
	u64 length;
	u64 mean;
};

/* Returns @time / @ticks, rounded down, as a rate; all bits set if that is 16 ns or more. */
u64 bcos_rate_of(u64 time, u64 ticks);

/* Returns by how many ns a moment is above the line of @band. */
s64 bcos_band_distance(const struct bcos_band *band, u64 ticks, u64 time);

/*
 * Returns the kernel's clock when the counter is @ticks: it was at @time when the counter was
 * @from, and goes on by @mult >> @shift ns a tick. The counter of a CPU may be a little behind that
 * of the CPU that has updated the clock, which then shows @time, as the kernel itself has it.
 */
static inline u64 bcos_clock_on_line(u64 ticks, u64 from, u64 time, u32 mult, u32 shift)
{
	return ticks > from ? time + host_multiply_shift(ticks - from, mult, shift) : time;
}

/* Makes @band contain the distances from @least to @most, too. */
static inline void bcos_band_widen(struct bcos_band *band, s64 least, s64 most)
{
	if (least < band->least)
		band->least = least;
	if (most > band->most)
		band->most = most;
}

/**
 * bcos_course_update() - note an update of the kernel's clock
 * @course: the course
 * @ticks: a moment on the clock's new line that is not later than the update; with BCOS_RAW_TICKS
 * @time: ns since boot at that moment, rounded down
 * @rate: the clock's new rate
 * @step: the least amount by which the kernel can change the rate
 *
 * Where the new line is less steep than the former one, it is above the update at @ticks, and where
 * it is steeper, below. So the distances at @ticks contain the distance of each turn.
 *
 * Context: any; the caller keeps others from the course.
 */
void bcos_course_update(struct bcos_course *course, u64 ticks, u64 time, u64 rate, u64 step);

/**
 * bcos_course_begin() - begin another band
 * @course: the course
 * @ticks: the counter when the newest sample was taken, with BCOS_RAW_TICKS
 * @time: ns since boot when it was taken
 *
 * No update may come between the sample and this call.
 */
void bcos_course_begin(struct bcos_course *course, u64 ticks, u64 time);

#endif
