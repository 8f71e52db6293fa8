/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The measured performance of a core's CPUs by how many of them are busy (5.5.2). */
#ifndef BCOS_CORE_PERFORMANCE_H
#define BCOS_CORE_PERFORMANCE_H

#include "core/host/host.h"

/* The work of a CPU in an interval. */
struct bcos_work {
	u64 instructions;
	u64 busy;		/* ns not idle */
};

/**
 * bcos_performance_learn() - update a core's performance from one interval
 * @counted: table of the core: entry n - 1 is the performance of each CPU while n are busy, in
 *   instructions in 125 us; 0: unknown
 * @work: of each CPU of the core
 * @cpus: number of CPUs, 1 to BCOS_SIBLINGS
 * @interval: ns
 *
 * The number of busy CPUs is certain only if each was busy for at least 7/8 of the interval or for
 * less than 1/16; other intervals are ignored. A core with one CPU only has to be busy for 1/16. A
 * value changes only by more than an eighth.
 *
 * Context: any.
 * Return: true if @counted has changed.
 */
bool bcos_performance_learn(u32 *counted, const struct bcos_work *work, u32 cpus, u64 interval);

#endif
