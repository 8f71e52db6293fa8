/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The performance of a core's CPUs (5.5.2): counted for each number of busy CPUs, or guessed. */
#ifndef BCOS_CORE_PERFORMANCE_H
#define BCOS_CORE_PERFORMANCE_H

#include "core/host/host.h"

/*
 * The scaling factor of the specification: how much of the work of an instruction of x86 an
 * instruction does, in thousandths. tests/bench/README.md has the measurement.
 */
#if defined(CONFIG_ARM64) || defined(__aarch64__)
#define BCOS_SCALING_FACTOR 1050
#else
#define BCOS_SCALING_FACTOR 1000
#endif

/* The kernel gives the fastest CPUs of a machine this capacity. */
#define BCOS_CAPACITY 1024

/*
 * The kernel's figures about the speed of a CPU; 0: unknown. @capacity is relative to the fastest
 * CPUs of the machine, each at its highest rate.
 */
struct bcos_speed {
	u32 khz;		/* the highest clock rate that is allowed now */
	u32 most_khz;		/* the highest clock rate of which the CPU is capable */
	u32 fastest_khz;	/* most_khz of the fastest CPUs */
	u32 capacity;
};

/* The work of a CPU in an interval. */
struct bcos_work {
	u64 instructions;
	u64 busy;		/* ns not idle */
};

/**
 * bcos_performance_learn() - update a core's performance from one interval
 * @counted: table of the core: entry n - 1 is the performance of each CPU while n are busy, in
 *   instructions of x86 in 125 us; 0: unknown
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

/**
 * bcos_performance_guess() - guess what a CPU achieves, from its clock rate
 * @speed: the kernel's figures about the CPU
 *
 * The fastest CPUs of a machine count one instruction a clock. Others count as much less as the
 * kernel says that they are slower.
 *
 * Context: any.
 * Return: the performance in instructions of x86 in 125 us; 0: unknown.
 */
u32 bcos_performance_guess(const struct bcos_speed *speed);

#endif
