// SPDX-License-Identifier: GPL-2.0-only
/* Counts the instructions that CPUs execute, where there is a counter: see counter.h. */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/tick.h>
#include <linux/topology.h>

#include "capture/clock.h"
#include "core/capture/performance.h"
#include "counter.h"
#include "params.h"

/*
 * Only the log writer's thread uses these counters. Before that thread starts and after it has
 * ended, the task that loads or unloads the module uses them.
 */
struct bcos_counter {
	struct perf_event *event;	/* NULL: none yet, or the CPU was offline */
	bool begun;			/* the next line holds the values at the last look */
	u64 instructions, idle, time;	/* idle and time in ns */
	u64 interval;			/* ns between the last two looks; 0: unknown */
	struct bcos_work work;		/* in @interval */
	/* The table of the core (bcos_performance_learn()), which its lowest online CPU keeps. */
	u32 counted[BCOS_SIBLINGS];
};

static DEFINE_PER_CPU(struct bcos_counter, bcos_counters);

/* This machine has no counter, or parameters state the figures. */
static bool bcos_uncounted;

static struct perf_event *bcos_counter_open(unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.size = sizeof(attr),
	};
	struct perf_event *event = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);

	if (!IS_ERR(event))
		return event;
	/* Other errors are temporary: the CPU goes offline, or all its counters are in use. */
	if (PTR_ERR(event) == -ENOENT || PTR_ERR(event) == -EOPNOTSUPP)
		bcos_uncounted = true;
	return NULL;
}

static void bcos_counter_close(struct bcos_counter *counter)
{
	if (counter->event)
		perf_event_release_kernel(counter->event);
	counter->event = NULL;
	counter->begun = false;
	counter->interval = 0;
}

/* Computes the work of the CPU since the last look. */
static void bcos_counter_look(struct bcos_counter *counter, unsigned int cpu)
{
	u64 enabled, running, instructions, idle_us, time;

	counter->interval = 0;
	idle_us = get_cpu_idle_time_us(cpu, NULL);
	instructions = perf_event_read_value(counter->event, &enabled, &running);
	time = bcos_now();
	/*
	 * Nothing is known if the kernel does not account idle time, or if others used the counter
	 * meanwhile.
	 */
	if (idle_us == (u64)-1 || enabled != running) {
		counter->begun = false;
		return;
	}
	if (counter->begun && time > counter->time) {
		u64 idle = idle_us * NSEC_PER_USEC - counter->idle;

		counter->interval = time - counter->time;
		counter->work.busy = counter->interval > idle ? counter->interval - idle : 0;
		counter->work.instructions = instructions - counter->instructions;
	}
	counter->begun = true;
	counter->instructions = instructions;
	counter->idle = idle_us * NSEC_PER_USEC;
	counter->time = time;
}

static void bcos_learn_of_core(unsigned int first)
{
	struct bcos_work work[BCOS_SIBLINGS];
	u64 interval = per_cpu(bcos_counters, first).interval;
	unsigned int cpu, count = 0;

	for_each_cpu_and(cpu, topology_sibling_cpumask(first), cpu_online_mask) {
		if (count == BCOS_SIBLINGS || !per_cpu(bcos_counters, cpu).interval)
			return;
		work[count++] = per_cpu(bcos_counters, cpu).work;
	}
	bcos_performance_learn(per_cpu(bcos_counters, first).counted, work, count, interval);
}

static unsigned int bcos_first_of_core(unsigned int cpu)
{
	unsigned int first = cpumask_first_and(topology_sibling_cpumask(cpu), cpu_online_mask);

	return first < nr_cpu_ids ? first : cpu;
}

void bcos_count_look(void)
{
	struct bcos_counter *counter;
	unsigned int cpu;

	if (bcos_uncounted)
		return;
	for_each_possible_cpu(cpu) {
		counter = per_cpu_ptr(&bcos_counters, cpu);
		if (!cpu_online(cpu)) {
			bcos_counter_close(counter);
			continue;
		}
		if (!counter->event)
			counter->event = bcos_counter_open(cpu);
		if (bcos_uncounted)
			return;
		if (counter->event)
			bcos_counter_look(counter, cpu);
	}
	for_each_online_cpu(cpu)
		if (bcos_first_of_core(cpu) == cpu)
			bcos_learn_of_core(cpu);
}

void bcos_count_of(u32 cpu, u32 *counted)
{
	memcpy(counted, per_cpu(bcos_counters, bcos_first_of_core(cpu)).counted,
	       BCOS_SIBLINGS * sizeof(*counted));
}

void bcos_count_up(void)
{
	bcos_uncounted = bcos_params.core_performance;
}

void bcos_count_down(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		bcos_counter_close(per_cpu_ptr(&bcos_counters, cpu));
}
