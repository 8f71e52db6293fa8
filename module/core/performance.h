/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What CPUs of a core really do, by how many of them are busy (5.5.2): from counted instructions. */
#ifndef BCOS_CORE_PERFORMANCE_H
#define BCOS_CORE_PERFORMANCE_H

#include "host.h"

/* What a CPU did in some interval. */
struct bcos_work {
	u64 instructions;
	u64 busy;		/* ns of it, not idle */
};

/**
 * bcos_performance_learn() - what an interval tells of a core's performance
 * @counted: its table: entry n - 1 is of each CPU while n are busy, in instructions in 125 us, 0: not known
 * @work: of each of its CPUs
 * @cpus: how many, 1 to BCOS_SIBLINGS
 * @interval: ns
 *
 * How many were busy is certain only if each was nearly all of the time, or nearly never: other intervals tell nothing.
 * A core of one CPU has no such doubt, but has to have been busy for a 16th of it. What differs by less than an eighth
 * from what is known changes nothing.
 *
 * Context: any.
 * Return: @counted has changed.
 */
bool bcos_performance_learn(u32 *counted, const struct bcos_work *work, u32 cpus, u64 interval);

#endif
