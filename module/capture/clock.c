// SPDX-License-Identifier: GPL-2.0-only
/* The clock of the raw records: see clock.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/clocksource.h>
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/pvclock_gtod.h>
#include <linux/spinlock.h>
#include <linux/timekeeper_internal.h>

#include "clock.h"

bool bcos_clock_is_ticks __read_mostly;

#ifdef CONFIG_X86_TSC

/* True if there may be records with ticks that are newer than the newest sample. */
static bool bcos_clock_was_ticks;

/* Does the kernel keep time by the counter? This changes under stop_machine(). */
static bool bcos_kernel_ticks;

/*
 * This lock guards all of the following. Everybody who reads the kernel's clock waits while the
 * kernel updates it, and the update waits for this lock. So its holder is quick, and does not read
 * the kernel's clock.
 */
static DEFINE_RAW_SPINLOCK(bcos_course_lock);

/* Both clocks at the moment at which the kernel left the counter, for the log writer. */
static struct bcos_sample bcos_last_sample;
static bool bcos_has_last_sample;

/* The kernel's clock as of its last update, while it is the counter. */
static struct {
	u64 ticks;
	u64 time;	/* ns since boot, rounded down */
	u32 mult, shift;
} bcos_counter_line;

/* The course of the kernel's clock since the newest sample. */
static struct bcos_course bcos_course;

/* Returns the counter at the moment at which the kernel's clock reached @time and stopped. */
static u64 bcos_counter_at(u64 time)
{
	u64 since = time > bcos_counter_line.time ? time - bcos_counter_line.time : 0;

	return bcos_counter_line.ticks + mul_u64_u64_div_u64(since, 1ull << bcos_counter_line.shift,
							     bcos_counter_line.mult);
}

/* Notes that the kernel's clock, which is the counter, was updated. */
static void bcos_note_update(const struct tk_read_base *clock, u64 time)
{
	u64 step = 1ull << (BCOS_RATE_SHIFT - clock->shift);

	bcos_counter_line.ticks = clock->cycle_last;
	bcos_counter_line.time = time;
	bcos_counter_line.mult = clock->mult;
	bcos_counter_line.shift = clock->shift;
	bcos_course_update(&bcos_course, clock->cycle_last | BCOS_RAW_TICKS, time,
			   clock->mult * step, step);
}

/* Ends ticks, since the kernel's clock has stopped at @time to become another one. */
static void bcos_leave_ticks(u64 time)
{
	WRITE_ONCE(bcos_clock_is_ticks, false);
	bcos_last_sample.ticks = bcos_counter_at(time) | BCOS_RAW_TICKS;
	bcos_last_sample.time = time;
	bcos_last_sample.span = 1;
	bcos_last_sample.band = bcos_course.band;
	bcos_has_last_sample = true;
}

/*
 * The kernel calls this whenever it updates its clock, and with @was_set when it sets the clock or
 * changes to another one. During that change the kernel's time stands still, and nobody can tell
 * afterwards for how long. So ticks end here, while no other CPU runs, and no interpolated time
 * spans the change. The last sample is the point at which the kernel's line over the counter
 * reaches the time that stands still.
 */
static int bcos_clock_updated(struct notifier_block *block, unsigned long was_set, void *data)
{
	const struct timekeeper *timekeeper = data;
	const struct tk_read_base *clock = &timekeeper->tkr_mono;
	u64 time = ktime_to_ns(ktime_add(clock->base, timekeeper->offs_boot)) +
		   (clock->xtime_nsec >> clock->shift);

	if (was_set)
		WRITE_ONCE(bcos_kernel_ticks, !strcmp(clock->clock->name, "tsc"));
	raw_spin_lock(&bcos_course_lock);
	if (bcos_kernel_ticks)
		bcos_note_update(clock, time);
	else if (READ_ONCE(bcos_clock_is_ticks))
		bcos_leave_ticks(time);
	raw_spin_unlock(&bcos_course_lock);
	return NOTIFY_OK;
}

static struct notifier_block bcos_clock_block = { .notifier_call = bcos_clock_updated };

static bool bcos_counter_is_usable(void)
{
	return READ_ONCE(bcos_kernel_ticks) && !check_tsc_unstable() && tsc_khz >= BCOS_LEAST_KHZ;
}

bool bcos_clock_watch(void)
{
	/* The registration calls bcos_clock_updated() at once. */
	pvclock_gtod_register_notifier(&bcos_clock_block);
	if (bcos_counter_is_usable())
		return true;
	bcos_clock_unwatch();
	return false;
}

void bcos_clock_unwatch(void)
{
	pvclock_gtod_unregister_notifier(&bcos_clock_block);
}

bool bcos_clock_start_ticks(void)
{
	bool start;

	/* The kernel cannot change its clock meanwhile, since stop_machine() waits for this CPU. */
	preempt_disable();
	start = bcos_counter_is_usable();
	if (start)
		WRITE_ONCE(bcos_clock_is_ticks, true);
	preempt_enable();
	return start;
}

/*
 * Samples both clocks: the kernel's one is where its line over the counter is now. While the kernel
 * updates it, nobody can read it, so the former line holds until then.
 */
static bool bcos_sample_ticks(struct bcos_sample *sample)
{
	const struct bcos_band *band = &bcos_course.band;

	if (!bcos_kernel_ticks)
		return false;
	sample->ticks = rdtsc_ordered() | BCOS_RAW_TICKS;
	sample->time = bcos_clock_on_line(sample->ticks & ~BCOS_RAW_TICKS, bcos_counter_line.ticks,
					  bcos_counter_line.time, bcos_counter_line.mult,
					  bcos_counter_line.shift);
	/* The line's beginning and the time on it are rounded down, and so is the clock. */
	sample->span = 1;
	sample->band = *band;
	if (band->rate && (sample->ticks <= band->ticks || sample->time <= band->time))
		return false;
	bcos_course_begin(&bcos_course, sample->ticks, sample->time);
	return true;
}

void bcos_clock_expect_ticks(void)
{
	unsigned long flags;

	/* The counter may have been set back. */
	raw_spin_lock_irqsave(&bcos_course_lock, flags);
	bcos_course.band.rate = 0;
	raw_spin_unlock_irqrestore(&bcos_course_lock, flags);
	WRITE_ONCE(bcos_clock_was_ticks, true);
}

bool bcos_clock_sample(struct bcos_sample *sample)
{
	unsigned long flags;
	bool last, taken;

	if (!READ_ONCE(bcos_clock_was_ticks))
		return false;
	raw_spin_lock_irqsave(&bcos_course_lock, flags);
	last = bcos_has_last_sample;
	bcos_has_last_sample = false;
	if (last)
		*sample = bcos_last_sample;
	taken = last || bcos_sample_ticks(sample);
	raw_spin_unlock_irqrestore(&bcos_course_lock, flags);
	if (last) {
		WRITE_ONCE(bcos_clock_was_ticks, false);
		pr_notice("the kernel keeps time by another clock than the TSC; so do records from now on\n");
	}
	return taken;
}

#else

bool bcos_clock_watch(void)
{
	return false;
}

void bcos_clock_unwatch(void)
{
}

bool bcos_clock_start_ticks(void)
{
	return false;
}

void bcos_clock_expect_ticks(void)
{
}

bool bcos_clock_sample(struct bcos_sample *sample)
{
	return false;
}

#endif

void bcos_clock_stop_ticks(void)
{
	WRITE_ONCE(bcos_clock_is_ticks, false);
}
