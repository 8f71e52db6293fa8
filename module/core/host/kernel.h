/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's side of core/host/host.h. */
#ifndef BCOS_HOST_KERNEL_H
#define BCOS_HOST_KERNEL_H

#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/container_of.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/prefetch.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/barrier.h>
#include <asm/processor.h>

#define host_format scnprintf
#define host_broken(condition) WARN_ON_ONCE(condition)
#define host_relax cpu_relax
/* The caller checks afterwards whether the source changed. */
#define host_copy_racy(to, from, size) data_race(memcpy((to), (from), (size)))

#define host_multiply_shift mul_u64_u64_shr
#define host_prefetch prefetch

/* core/raw/stage.h explains these barriers. */
#ifdef CONFIG_ARM64

static __always_inline void host_barrier_before(void)
{
	dsb(ish);
}

static inline void host_barrier_after(u64 time)
{
	isb();
	/* C2 of core/raw/stage.h, pairs with P2. */
	smp_mb();
}

#else

/* P2 of core/raw/stage.h, pairs with C2. */
#define host_barrier_before() smp_mb()

/*
 * The exchange needs @time, so it cannot happen before the clock is read; smp_mb() alone does not
 * wait for a clock.
 */
static inline void host_barrier_after(u64 time)
{
	u64 sink = 0;

	(void)xchg(&sink, time);
}

#endif

#endif
