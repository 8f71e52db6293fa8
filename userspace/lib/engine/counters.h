/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Instructions that CPUs execute, counted by the kernel's performance counters where it has one: one of each CPU. */
#ifndef BCOSLOG_COUNTERS_H
#define BCOSLOG_COUNTERS_H

#include "core/host/host.h"
#include "core/capture/performance.h"

/* What a counter says: instructions, and for how long it was asked for, and counted, in ns. */
struct counter_reading {
	u64 instructions, enabled, running;
};

/* How counters are reached; each returns 0 (open: a descriptor) or a negative errno. */
struct counters_source {
	int (*open)(u32 cpu);
	int (*read)(int fd, struct counter_reading *now);
	void (*close)(int fd);
	/* How long each CPU was idle since boot, in ns; all ones: that is not known. */
	int (*idle)(u64 *ns, u32 cpus);
};

/* The kernel's: perf_event_open() and /proc/stat. */
extern const struct counters_source counters_of_kernel;

struct counter {
	bool open;
	bool begun;			/* what follows is of an earlier look */
	int fd;
	u64 instructions, idle, time;	/* ns */
	u64 interval;			/* ns between the last two looks; 0: they tell nothing */
	struct bcos_work work;		/* in it */
	u32 first;			/* the lowest CPU of its core that is online */
	u32 counted[BCOS_SIBLINGS];	/* of the core; its first CPU keeps it */
};

struct counters {
	const struct counters_source *source;
	struct counter *cpu;		/* NULL: nothing is counted on this machine */
	u64 *idle;
	u32 cpus;
};

/* In the place of a core's ID: the CPU is offline. */
#define COUNTERS_OFFLINE 0xFFFFFFFFu

/**
 * counters_begin() - counters, none of which is open yet
 * @counters: zeroed
 * @source: how they are reached
 * @cpus: CPU IDs are below
 *
 * Without memory nothing is counted.
 */
void counters_begin(struct counters *counters, const struct counters_source *source, u32 cpus);
void counters_end(struct counters *counters);

/**
 * counters_look() - what each CPU did since the last look
 * @counters: begun
 * @core: of each CPU, the ID of its core, or COUNTERS_OFFLINE
 * @now: ns, of any clock that never stands still
 *
 * Opens what is not open.  Where the kernel has no such counter, or does not let us, nothing is counted from then on.
 */
void counters_look(struct counters *counters, const u32 *core, u64 now);

/* What was counted of a CPU's core (struct bcos_estimate); zeros: nothing. */
void counters_of(const struct counters *counters, u32 cpu, u32 *counted);

#endif
