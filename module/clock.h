/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clocks: what raw records are stamped with is ns since boot, or the time
 * stamp counter as it is, where the kernel keeps its own time by it.
 */
#ifndef BCOS_CLOCK_H
#define BCOS_CLOCK_H

#include <linux/compiler.h>
#include <linux/ktime.h>

#include "core/timebase.h"

#ifdef CONFIG_X86_TSC
#include <asm/tsc.h>
#endif

/* Are records stamped with ticks?  Changes at run time, but seldom. */
extern bool bcos_clock_is_ticks;

/* ns since boot.  Any context.  The kernel reads again what was written meanwhile, but does not tell KCSAN so. */
static __always_inline u64 bcos_now(void)
{
	return data_race(ktime_get_boot_fast_ns());
}

/**
 * bcos_clock() - the raw time of a record, or of a moment to compare with them
 *
 * Context: any.  Its read is ordered: not before what precedes it is done.
 * Return: as in struct bcos_raw.
 */
static __always_inline u64 bcos_clock(void)
{
#ifdef CONFIG_X86_TSC
	if (likely(READ_ONCE(bcos_clock_is_ticks)))
		return rdtsc_ordered() | BCOS_RAW_TICKS;
#endif
	return bcos_now();
}

/* The kernel's own judgement: it keeps time by the counter, on all CPUs, and has not given it up. */
bool bcos_clock_may_tick(void);

/*
 * Records may have ticks from start to stop on, unless the kernel has given the
 * counter up (false).  Before the first start, bcos_clock_expect_ticks() and a
 * sample: it has to be older than any record.
 */
void bcos_clock_expect_ticks(void);
bool bcos_clock_start_ticks(void);
void bcos_clock_stop_ticks(void);

/**
 * bcos_clock_sample() - both clocks at one moment
 * @sample: out
 *
 * Also where a counter that the kernel has given up is left for good.
 *
 * Context: under the log writer's lock.
 * Return: false if no record ever was stamped with ticks.
 */
bool bcos_clock_sample(struct bcos_sample *sample);

#endif
