// SPDX-License-Identifier: GPL-2.0-only
/* The clock of the raw records. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/clocksource.h>
#include <linux/irqflags.h>
#include <linux/notifier.h>
#include <linux/pvclock_gtod.h>
#include <linux/timekeeper_internal.h>

#include "clock.h"

bool bcos_clock_is_ticks __read_mostly;

/* Records with ticks may exist since the first start. */
static bool bcos_clock_was_ticks;

#ifdef CONFIG_X86_TSC

/* A sample that was disturbed is repeated, and so is the first one, up to this many times. */
#define BCOS_SAMPLE_TRIES 8

/* The shortest time between two readings of the counter in a sample so far, in ns. */
static u64 bcos_best_span = ~0ull;

static bool bcos_clocksource_is_tsc;

static int bcos_note_clocksource(struct notifier_block *block, unsigned long was_set, void *data)
{
	const struct timekeeper *timekeeper = data;

	bcos_clocksource_is_tsc = !strcmp(timekeeper->tkr_mono.clock->name, "tsc");
	return NOTIFY_OK;
}

bool bcos_clock_may_tick(void)
{
	struct notifier_block look = { .notifier_call = bcos_note_clocksource };

	/*
	 * The callback runs during registration. A module has no other way to learn the clock
	 * source.
	 */
	pvclock_gtod_register_notifier(&look);
	pvclock_gtod_unregister_notifier(&look);
	return bcos_clocksource_is_tsc && !check_tsc_unstable();
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

bool bcos_clock_may_tick(void)
{
	return false;
}

static void bcos_sample_ticks(struct bcos_sample *sample)
{
}

static bool check_tsc_unstable(void)
{
	return true;
}

#endif

void bcos_clock_expect_ticks(void)
{
	WRITE_ONCE(bcos_clock_was_ticks, true);
}

bool bcos_clock_start_ticks(void)
{
	if (check_tsc_unstable())
		return false;
	WRITE_ONCE(bcos_clock_is_ticks, true);
	return true;
}

void bcos_clock_stop_ticks(void)
{
	WRITE_ONCE(bcos_clock_is_ticks, false);
}

bool bcos_clock_sample(struct bcos_sample *sample)
{
	if (!READ_ONCE(bcos_clock_was_ticks))
		return false;
	if (READ_ONCE(bcos_clock_is_ticks) && check_tsc_unstable()) {
		WRITE_ONCE(bcos_clock_is_ticks, false);
		pr_notice("the kernel found the TSC unstable; records have the time of its own clock from now on\n");
	}
	bcos_sample_ticks(sample);
	return true;
}
