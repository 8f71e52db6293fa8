// SPDX-License-Identifier: GPL-2.0-only
/* Which clock stamps the records. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/clocksource.h>
#include <linux/irqflags.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/pvclock_gtod.h>
#include <linux/smp.h>
#include <linux/suspend.h>
#include <linux/timekeeper_internal.h>
#include <linux/tracepoint.h>

#include "clock.h"
#include "params.h"
#include "staging.h"
#include "writer.h"

bool bcos_clock_is_ticks __read_mostly;

/* Records with ticks may exist. */
static bool bcos_clock_was_ticks;

#ifdef CONFIG_X86_TSC

/* A try that something interrupted is repeated so often. */
#define BCOS_SAMPLE_TRIES 8

/* ns between the two readings of the counter, in the best sample so far. */
static u64 bcos_best_span = ~0ull;

static bool bcos_clocksource_is_tsc;

static int bcos_note_clocksource(struct notifier_block *block, unsigned long was_set, void *data)
{
	const struct timekeeper *timekeeper = data;

	bcos_clocksource_is_tsc = !strcmp(timekeeper->tkr_mono.clock->name, "tsc");
	return NOTIFY_OK;
}

/* The kernel's own judgement: it keeps time by the counter, on all CPUs, and has not given it up. */
static bool bcos_ticks_are_good(void)
{
	struct notifier_block look = { .notifier_call = bcos_note_clocksource };

	/* Called at once; there is no other way to be told. */
	pvclock_gtod_register_notifier(&look);
	pvclock_gtod_unregister_notifier(&look);
	return bcos_clocksource_is_tsc && !check_tsc_unstable();
}

/* Return: ns that the two clocks may be apart, about: the counter's rate is not needed exactly. */
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
	} while (least / 2 > bcos_best_span && --tries);
	if (least < bcos_best_span)
		bcos_best_span = least;
	/* The reading of ns lies somewhere between those of the counter. */
	best->span = min_t(u64, least / 2 + 1, U32_MAX);
}

#else

static bool bcos_ticks_are_good(void)
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

bool bcos_clock_sample(struct bcos_sample *sample)
{
	if (!bcos_clock_was_ticks)
		return false;
	if (bcos_clock_is_ticks && check_tsc_unstable()) {
		WRITE_ONCE(bcos_clock_is_ticks, false);
		pr_notice("the kernel has found the TSC unstable: times are of its own clock from now on\n");
	}
	bcos_sample_ticks(sample);
	return true;
}

/* ---- on and off ------------------------------------------------------------ */

/* The counter may stop or start anew while the machine sleeps. */
static DEFINE_MUTEX(bcos_ticks_lock);
static bool bcos_asleep;
static bool bcos_registered;

static void bcos_ticks_on(void)
{
	if (bcos_asleep || check_tsc_unstable())
		return;
	bcos_clock_was_ticks = true;
	/* A sample that is older than any record. */
	bcos_writer_new_timebase();
	WRITE_ONCE(bcos_clock_is_ticks, true);
}

static void bcos_touch(void *unused)
{
	bcos_stage_touch(this_cpu_ptr(&bcos_stages), bcos_clock);
}

/* When this returns there is no tick in any staging ring, and there will be none. */
static void bcos_ticks_off(void)
{
	WRITE_ONCE(bcos_clock_is_ticks, false);
	tracepoint_synchronize_unregister();
	on_each_cpu(bcos_touch, NULL, 1);
	bcos_writer_settle();
}

static int bcos_on_sleep(struct notifier_block *block, unsigned long event, void *unused)
{
	mutex_lock(&bcos_ticks_lock);
	switch (event) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		bcos_asleep = true;
		if (bcos_clock_is_ticks)
			bcos_ticks_off();
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		bcos_asleep = false;
		if (bcos_clock_was_ticks)
			bcos_ticks_on();
		break;
	}
	mutex_unlock(&bcos_ticks_lock);
	return NOTIFY_OK;
}

static struct notifier_block bcos_sleep_block = { .notifier_call = bcos_on_sleep };

int bcos_clock_up(void)
{
	int error;

	if (!bcos_params.tsc || !bcos_ticks_are_good())
		return 0;
	error = register_pm_notifier(&bcos_sleep_block);
	if (error)
		return error;
	mutex_lock(&bcos_ticks_lock);
	bcos_registered = true;
	bcos_ticks_on();
	mutex_unlock(&bcos_ticks_lock);
	return 0;
}

void bcos_clock_down(void)
{
	if (bcos_registered)
		unregister_pm_notifier(&bcos_sleep_block);
}
