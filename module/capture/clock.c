// SPDX-License-Identifier: GPL-2.0-only
/* The clock of the raw records: see clock.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/clocksource.h>
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/pvclock_gtod.h>
#include <linux/timekeeper_internal.h>

#include "clock.h"

bool bcos_clock_is_ticks __read_mostly;

/* True if there may be records with ticks that are newer than the newest sample. */
static bool bcos_clock_was_ticks;

#ifdef CONFIG_X86_TSC

/*
 * A sample is repeated up to this many times if something interrupted it. The first one is repeated
 * in any case, since no shortest span is known.
 */
#define BCOS_SAMPLE_TRIES 8

/* The shortest time between two readings of the counter in a sample so far, in ns. */
static u64 bcos_best_span = ~0ull;

/* Does the kernel keep time by the counter? This changes under stop_machine(). */
static bool bcos_kernel_ticks;

/* Both clocks at the moment at which the kernel left the counter, for the log writer. */
static struct bcos_sample bcos_last_sample;
static bool bcos_has_last_sample;

/* The kernel's clock as of its last update, while it is the counter. */
static struct {
	u64 ticks;
	u64 time;	/* ns since boot */
	u32 mult, shift;
} bcos_counter_line;

/* Returns the counter at the moment at which the kernel's clock reached @time and stopped. */
static u64 bcos_counter_at(u64 time)
{
	u64 since = time > bcos_counter_line.time ? time - bcos_counter_line.time : 0;

	return bcos_counter_line.ticks + mul_u64_u64_div_u64(since, 1ull << bcos_counter_line.shift,
							     bcos_counter_line.mult);
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
	if (bcos_kernel_ticks) {
		bcos_counter_line.ticks = clock->cycle_last;
		bcos_counter_line.time = time;
		bcos_counter_line.mult = clock->mult;
		bcos_counter_line.shift = clock->shift;
		return NOTIFY_OK;
	}
	if (!READ_ONCE(bcos_clock_is_ticks))
		return NOTIFY_OK;
	WRITE_ONCE(bcos_clock_is_ticks, false);
	bcos_last_sample.ticks = bcos_counter_at(time) | BCOS_RAW_TICKS;
	bcos_last_sample.time = time;
	bcos_last_sample.span = 1;
	/* Pairs with bcos_take_last_sample(). */
	smp_store_release(&bcos_has_last_sample, true);
	return NOTIFY_OK;
}

static struct notifier_block bcos_clock_block = { .notifier_call = bcos_clock_updated };

static bool bcos_take_last_sample(struct bcos_sample *sample)
{
	/* Pairs with bcos_clock_updated(). */
	if (!smp_load_acquire(&bcos_has_last_sample))
		return false;
	*sample = bcos_last_sample;
	WRITE_ONCE(bcos_has_last_sample, false);
	return true;
}

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

/* Samples both clocks. Returns the approximate ns between the two readings of the counter. */
static u64 bcos_sample_once(struct bcos_sample *sample)
{
	unsigned long flags;
	u64 before, after;

	local_irq_save(flags);
	before = rdtsc_ordered();
	sample->time = ktime_get_boottime_ns();
	after = rdtsc_ordered();
	local_irq_restore(flags);
	sample->ticks = (before + (after - before) / 2) | BCOS_RAW_TICKS;
	return mul_u64_u32_div(after - before, 1000000, tsc_khz);
}

static void bcos_sample_ticks(struct bcos_sample *best)
{
	struct bcos_sample sample;
	u64 span, least = ~0ull;
	int tries = BCOS_SAMPLE_TRIES;

	do {
		span = bcos_sample_once(&sample);
		if (span >= least)
			continue;
		least = span;
		*best = sample;
	} while ((bcos_best_span == ~0ull || least / 2 > bcos_best_span) && --tries);
	if (least < bcos_best_span)
		bcos_best_span = least;
	/* The clock of ns was read at some moment between the two readings of the counter. */
	best->span = min_t(u64, least / 2 + 1, U32_MAX);
}

#else

static bool bcos_take_last_sample(struct bcos_sample *sample)
{
	return false;
}

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

static void bcos_sample_ticks(struct bcos_sample *sample)
{
}

#endif

void bcos_clock_expect_ticks(void)
{
	WRITE_ONCE(bcos_clock_was_ticks, true);
}

void bcos_clock_stop_ticks(void)
{
	WRITE_ONCE(bcos_clock_is_ticks, false);
}

bool bcos_clock_sample(struct bcos_sample *sample)
{
	if (!READ_ONCE(bcos_clock_was_ticks))
		return false;
	if (bcos_take_last_sample(sample)) {
		WRITE_ONCE(bcos_clock_was_ticks, false);
		pr_notice("the kernel keeps time by another clock than the TSC; so do records from now on\n");
		return true;
	}
	bcos_sample_ticks(sample);
	return true;
}
