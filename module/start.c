// SPDX-License-Identifier: GPL-2.0-only
/* Starts the log with the state found at load: see start.h. */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>

#include "capture/probes/probes.h"
#include "capture/staging.h"
#include "capture/task.h"
#include "capture/topology.h"
#include "memory.h"
#include "start.h"
#include "writer/writer.h"

/*
 * Begins the log with the CPUs and processes of this moment. @cpus has room for all CPUs. Context:
 * under the hotplug lock, so the CPUs stay online until records say otherwise.
 */
static int bcos_begin_with(struct bcos_seen_cpu *cpus)
{
	struct bcos_seen *seen;
	u32 cpu, cpu_count = 0, seen_count;
	u64 from;
	int error;

	bcos_probes_restate();
	from = bcos_now();
	error = bcos_tasks_walk(&seen, &seen_count);
	if (error)
		return error;
	for_each_online_cpu(cpu) {
		cpus[cpu_count].cpu = cpu;
		cpus[cpu_count++].core = bcos_topology_core_of(cpu);
	}
	error = bcos_writer_begin(cpus, cpu_count, seen, seen_count, from, bcos_now());
	bcos_memory_free(seen, seen_count * sizeof(*seen));
	/*
	 * The records of running threads become events, and are no part of the state in which the
	 * log begins.
	 */
	bcos_probes_restate_threads();
	return error;
}

int bcos_begin_up(void)
{
	struct bcos_seen_cpu *cpus;
	int error;

	cpus = kvcalloc(nr_cpu_ids, sizeof(*cpus), BCOS_GFP);
	if (!cpus)
		return -ENOMEM;
	tracepoint_synchronize_unregister();
	cpus_read_lock();
	error = bcos_begin_with(cpus);
	cpus_read_unlock();
	kvfree(cpus);
	if (error)
		return error;
	/* A program that opens the device at once must find the first group in the log. */
	return bcos_writer_flush() ? -EINTR : 0;
}
