/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The instructions that CPUs execute, from the kernel's performance counters, of which each CPU has one. */
#ifndef BCOSLOG_COUNTERS_H
#define BCOSLOG_COUNTERS_H

#include "core/host/host.h"
#include "core/capture/performance.h"

/* A reading of a counter: instructions, and the ns for which the counter was enabled and for which it was counting. */
struct counter_reading {
	u64 instructions, enabled, running;
};

/* Access to counters. Each function returns a negative errno if it fails; otherwise open() a descriptor, others 0. */
struct counters_source {
	int (*open)(u32 cpu);
	int (*read)(int fd, struct counter_reading *now);
	void (*close)(int fd);
	/* Read the ns for which each CPU has been idle since boot; all ones if unknown. */
	int (*idle)(u64 *ns, u32 cpus);
};

/* Access to the counters of the kernel, by perf_event_open() and /proc/stat. */
extern const struct counters_source counters_of_kernel;

struct counter {
	bool open;
	bool begun;			/* @instructions, @idle and @time are valid */
	int fd;
	u64 instructions, idle, time;	/* the last reading, the idle time and the clock at that time; times in ns */
	u64 interval;			/* ns between the last two readings; 0 if they are not comparable */
	struct bcos_work work;		/* the work of the CPU during @interval */
	u32 first;			/* the lowest online CPU of the CPU's core */
	u32 counted[BCOS_SIBLINGS];	/* the counts of the core; valid in the counter of @first */
};

struct counters {
	const struct counters_source *source;
	struct counter *cpu;		/* NULL if this machine has no counters */
	u64 *idle;			/* idle time of each CPU, ns */
	u32 cpus;
};

/* The core ID of a CPU that is offline. */
#define COUNTERS_OFFLINE 0xFFFFFFFFu

/**
 * counters_begin() - prepare the counters without opening them
 * @counters: the zeroed counters
 * @source: the access to counters
 * @cpus: number of possible CPUs
 *
 * If there is no memory, counters_look() does nothing.
 */
void counters_begin(struct counters *counters, const struct counters_source *source, u32 cpus);
void counters_end(struct counters *counters);

/**
 * counters_look() - read the counters of all CPUs
 * @counters: the counters
 * @core: the core ID of each CPU, or COUNTERS_OFFLINE
 * @now: ns of a clock that never stops
 *
 * The function opens counters that are not open.  If the kernel has no such counters or refuses to open them, this and
 * later calls do nothing.
 */
void counters_look(struct counters *counters, const u32 *core, u64 now);

/* Return: the counts of the core of a CPU (struct bcos_estimate); zeros if there are none. */
void counters_of(const struct counters *counters, u32 cpu, u32 *counted);

#endif
