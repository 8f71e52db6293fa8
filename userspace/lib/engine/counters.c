// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Counting the instructions that CPUs execute: see counters.h. */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counters.h"

/* ---- the performance counters of the kernel -------------------------------------- */

static int kernel_open(u32 cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.size = sizeof(attr),
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	long fd = syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

static int kernel_read(int fd, struct counter_reading *now)
{
	/* The kernel writes the values in the order of the fields of struct counter_reading. */
	ssize_t n = read(fd, now, sizeof(*now));

	if (n < 0)
		return -errno;
	return n == sizeof(*now) ? 0 : -ENODATA;
}

static void kernel_close(int fd)
{
	close(fd);
}

/* A line of /proc/stat is "cpu0 USER NICE SYSTEM IDLE IOWAIT ...", in ticks. */
static int kernel_idle(u64 *ns, u32 cpus)
{
	u64 tick = 1000000000u / (u64)sysconf(_SC_CLK_TCK);
	FILE *file = fopen("/proc/stat", "re");
	unsigned long long idle, waiting;
	char line[512];
	u32 cpu;

	if (!file)
		return -errno;
	memset(ns, 0xFF, cpus * sizeof(*ns));
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "cpu%u %*u %*u %*u %llu %llu", &cpu, &idle, &waiting) == 3 && cpu < cpus)
			ns[cpu] = (idle + waiting) * tick;
	fclose(file);
	return 0;
}

const struct counters_source counters_of_kernel = {
	.open = kernel_open,
	.read = kernel_read,
	.close = kernel_close,
	.idle = kernel_idle,
};

/* ---- reading the counters ---------------------------------------------------------- */

void counters_begin(struct counters *counters, const struct counters_source *source, u32 cpus)
{
	counters->source = source;
	counters->cpus = cpus;
	counters->cpu = calloc(cpus, sizeof(*counters->cpu));
	counters->idle = calloc(cpus, sizeof(*counters->idle));
	if (!counters->cpu || !counters->idle)
		counters_end(counters);
}

static void counter_close(struct counters *counters, struct counter *counter)
{
	if (counter->open)
		counters->source->close(counter->fd);
	counter->open = false;
	counter->begun = false;
	counter->interval = 0;
}

void counters_end(struct counters *counters)
{
	u32 cpu;

	for (cpu = 0; counters->cpu && cpu < counters->cpus; cpu++)
		counter_close(counters, &counters->cpu[cpu]);
	free(counters->cpu);
	free(counters->idle);
	counters->cpu = NULL;
	counters->idle = NULL;
}

/* Return: true if the error is temporary, because the CPU goes offline or others use all counters. */
static bool is_passing(int error)
{
	return error == -ENODEV || error == -EBUSY || error == -EINTR || error == -ENOMEM;
}

static void counter_look(struct counters *counters, struct counter *counter, u64 idle, u64 now)
{
	struct counter_reading reading;

	counter->interval = 0;
	/* The interval does not count if the idle time is unknown, or others used the counter for a part of it. */
	if (counters->source->read(counter->fd, &reading) || idle == ~0ull || reading.enabled != reading.running) {
		counter->begun = false;
		return;
	}
	if (counter->begun && now > counter->time && idle >= counter->idle) {
		counter->interval = now - counter->time;
		idle -= counter->idle;
		counter->work.busy = counter->interval > idle ? counter->interval - idle : 0;
		counter->work.instructions = reading.instructions - counter->instructions;
		idle += counter->idle;
	}
	counter->begun = true;
	counter->instructions = reading.instructions;
	counter->idle = idle;
	counter->time = now;
}

/* Compute the counts of the core whose lowest online CPU is @first. */
static void learn_of_core(struct counters *counters, const u32 *core, u32 first)
{
	struct bcos_work work[BCOS_SIBLINGS];
	u32 cpu, count = 0;
	bool whole = true;

	for (cpu = first; cpu < counters->cpus; cpu++) {
		if (core[cpu] != core[first])
			continue;
		counters->cpu[cpu].first = first;
		whole &= count < BCOS_SIBLINGS && counters->cpu[cpu].interval;
		if (whole)
			work[count++] = counters->cpu[cpu].work;
	}
	if (whole)
		bcos_performance_learn(counters->cpu[first].counted, work, count, counters->cpu[first].interval);
}

static bool is_first(const u32 *core, u32 cpu)
{
	u32 other;

	for (other = 0; other < cpu && core[other] != core[cpu]; other++)
		;
	return other == cpu;
}

void counters_look(struct counters *counters, const u32 *core, u64 now)
{
	struct counter *counter;
	u32 cpu;

	if (!counters->cpu || counters->source->idle(counters->idle, counters->cpus))
		return;
	for (cpu = 0; cpu < counters->cpus; cpu++) {
		counter = &counters->cpu[cpu];
		if (core[cpu] == COUNTERS_OFFLINE) {
			counter_close(counters, counter);
			continue;
		}
		if (!counter->open) {
			counter->fd = counters->source->open(cpu);
			counter->open = counter->fd >= 0;
			if (!counter->open && !is_passing(counter->fd)) {
				counters_end(counters);
				return;
			}
		}
		if (counter->open)
			counter_look(counters, counter, counters->idle[cpu], now);
	}
	for (cpu = 0; cpu < counters->cpus; cpu++)
		if (core[cpu] != COUNTERS_OFFLINE && is_first(core, cpu))
			learn_of_core(counters, core, cpu);
}

void counters_of(const struct counters *counters, u32 cpu, u32 *counted)
{
	memset(counted, 0, BCOS_SIBLINGS * sizeof(*counted));
	if (counters->cpu && cpu < counters->cpus)
		memcpy(counted, counters->cpu[counters->cpu[cpu].first].counted, BCOS_SIBLINGS * sizeof(*counted));
}
