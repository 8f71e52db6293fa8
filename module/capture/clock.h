/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clock of the raw records: ns since boot, or the raw time stamp counter where the kernel
 * itself keeps time by it.
 */
#ifndef BCOS_CLOCK_H
#define BCOS_CLOCK_H

#include <linux/compiler.h>
#include <linux/ktime.h>

#include "core/raw/timebase.h"

#ifdef CONFIG_X86_TSC
#include <asm/tsc.h>
#endif

/* Do records have ticks? This seldom changes. */
extern bool bcos_clock_is_ticks;

/* Returns ns since boot. Context: any. */
static __always_inline u64 bcos_now(void)
{
	/* KCSAN does not know that the seqcount's reader tries again. */
	return data_race(ktime_get_boot_fast_ns());
}

/**
 * bcos_clock() - read the raw time of a record, or of a moment to compare with records
 *
 * The read is ordered after everything that precedes it.
 *
 * Context: any.
 * Return: ns since boot, or ticks with BCOS_RAW_TICKS.
 */
static __always_inline u64 bcos_clock(void)
{
#ifdef CONFIG_X86_TSC
	if (likely(READ_ONCE(bcos_clock_is_ticks)))
		return rdtsc_ordered() | BCOS_RAW_TICKS;
#endif
	return bcos_now();
}

/**
 * bcos_clock_watch() - watch which clock the kernel keeps time by
 *
 * Ticks stop for good at the moment at which the kernel changes from the counter to another clock.
 *
 * Context: may sleep.
 * Return: false if the kernel does not keep time by the counter or does not trust it on all CPUs;
 *   then nothing is watched.
 */
bool bcos_clock_watch(void);
void bcos_clock_unwatch(void);

/*
 * Between start and stop records have ticks. bcos_clock_start_ticks() returns false if the kernel
 * no longer keeps time by the counter. Before the first start, call bcos_clock_expect_ticks() and
 * take a sample, which must be older than any record with ticks.
 */
void bcos_clock_expect_ticks(void);
bool bcos_clock_start_ticks(void);
void bcos_clock_stop_ticks(void);

/**
 * bcos_clock_sample() - sample both clocks at one moment
 * @sample: out
 *
 * The sample tells what the kernel's clock has done since the previous one. After the kernel has
 * changed to another clock, the first sample is of that moment, and no other follows.
 *
 * Context: the log writer, or before it runs.
 * Return: false if no record is newer than the previous sample and has ticks.
 */
bool bcos_clock_sample(struct bcos_sample *sample);

#endif
