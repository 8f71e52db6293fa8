/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The instructions that CPUs execute, from the performance counters of the kernel, one for each CPU. */
#ifndef BCOSLOG_COUNTERS_H
#define BCOSLOG_COUNTERS_H

#include "core/host/host.h"
#include "core/capture/performance.h"

/* A reading of a counter: instructions, and for how many ns it was enabled and was running. */
struct counter_reading {
	u64 instructions, enabled, running;
};

/* Access to counters. Each function returns 0 (open: a descriptor) or a negative errno. */
struct counters_source {
	int (*open)(u32 cpu);
	int (*read)(int fd, struct counter_reading *now);
	void (*close)(int fd);
	/* Read for how many ns each CPU has been idle since boot; all ones if unknown. */
	int (*idle)(u64 *ns, u32 cpus);
};

/* Access to the counters of the kernel, by perf_event_open() and /proc/stat. */
extern const struct counters_source counters_of_kernel;

struct counter {
	bool open;
	bool begun;			/* the following fields are from an earlier reading */
	int fd;
	u64 instructions, idle, time;	/* ns */
	u64 interval;			/* ns between the last two readings; 0 if they are not comparable */
	struct bcos_work work;		/* work during the interval */
	u32 first;			/* the lowest online CPU of its core */
	u32 counted[BCOS_SIBLINGS];	/* counts of the core, which its first CPU keeps */
};

struct counters {
	const struct counters_source *source;
	struct counter *cpu;		/* NULL if this machine has no counters */
	u64 *idle;
	u32 cpus;
};

/* The ID in place of a core's for a CPU that is offline. */
#define COUNTERS_OFFLINE 0xFFFFFFFFu

/**
 * counters_begin() - prepare the counters without opening them
 * @counters: the zeroed counters
 * @source: the access to counters
 * @cpus: number of possible CPUs
 *
 * If there is no memory, nothing is counted.
 */
void counters_begin(struct counters *counters, const struct counters_source *source, u32 cpus);
void counters_end(struct counters *counters);

/**
 * counters_look() - read the counters of all CPUs
 * @counters: the counters
 * @core: for each CPU the ID of its core, or COUNTERS_OFFLINE
 * @now: ns of a clock that never stops
 *
 * The function opens counters that are not open.  If the kernel has no such counter, or refuses it, nothing is counted
 * from then on.
 */
void counters_look(struct counters *counters, const u32 *core, u64 now);

/* Return: the counts of the core of a CPU (struct bcos_estimate); zeros if there are none. */
void counters_of(const struct counters *counters, u32 cpu, u32 *counted);

#endif
