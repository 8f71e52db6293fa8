// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that come online and go offline. Switches happen on a CPU before its online callback and
 * after its offline callback. So the first record of a CPU announces it, and the CPU ends in the
 * teardown of the prepare state, when it is dead.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>

#include "capture/staging.h"
#include "capture/topology.h"
#include "writer/writer.h"
#include "hotplug.h"

static int bcos_prepare_state = -1;
static int bcos_online_state = -1;

/* The task that loads the module; to it a CPU without a ring is an error. */
static struct task_struct *bcos_hotplug_loader;

/* The time between two attempts to give a ring to the CPUs that have none. */
#define BCOS_RING_RETRY (HZ / 10)

static void bcos_rings_retry(struct work_struct *work);
static DECLARE_DELAYED_WORK(bcos_ring_work, bcos_rings_retry);

/* Gives the CPU a ring, unless it has one. Returns false if there is no memory. */
static bool bcos_cpu_equip(unsigned int cpu)
{
	struct bcos_unit *ring = NULL;
	u64 size = 0;

	if (!bcos_staging_has_ring(cpu)) {
		ring = bcos_staging_ring(cpu, &size);
		if (!ring)
			return false;
	}
	bcos_writer_add_cpu(cpu, ring, size);
	return true;
}

static void bcos_rings_retry(struct work_struct *work)
{
	bool missing = false;
	unsigned int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		if (bcos_staging_has_ring(cpu))
			continue;
		if (bcos_cpu_equip(cpu))
			pr_info("CPU %u has a staging ring now\n", cpu);
		else
			missing = true;
	}
	cpus_read_unlock();
	if (missing)
		queue_delayed_work(system_unbound_wq, &bcos_ring_work, BCOS_RING_RETRY);
}

/*
 * After load this never fails, since a CPU must come online. Without a ring its events are counted
 * as lost, until a work item gets the memory.
 */
static int bcos_cpu_prepare(unsigned int cpu)
{
	if (bcos_cpu_equip(cpu))
		return 0;
	if (READ_ONCE(bcos_hotplug_loader) == current) {
		pr_err("there is no memory for the staging ring of CPU %u, %u KiB; choose a smaller staging_kb\n",
		       cpu, bcos_staging_kb());
		return fatal_signal_pending(current) ? -EINTR : -ENOMEM;
	}
	/* The log needs the CPU's counts of losses. */
	bcos_writer_add_cpu(cpu, NULL, 0);
	pr_warn("there is no memory for the staging ring of CPU %u, so its events are lost until there is\n",
		cpu);
	queue_delayed_work(system_unbound_wq, &bcos_ring_work, BCOS_RING_RETRY);
	return 0;
}

static int bcos_cpu_dead(unsigned int cpu)
{
	bcos_put_one_anywhere(BCOS_RAW_CPU_DOWN, 0, cpu);
	per_cpu_ptr(&bcos_stages, cpu)->current_id = BCOS_PROCESS_NONE;
	/* The dead CPU may have filled its staging when it could no longer wake the writer. */
	bcos_writer_kick();
	return 0;
}

static int bcos_cpu_online(unsigned int cpu)
{
	bcos_topology_note(cpu);
	return 0;
}

int bcos_hotplug_up(void)
{
	int state;

	bcos_hotplug_loader = current;
	state = cpuhp_setup_state(CPUHP_BP_PREPARE_DYN, "bcos_evlog:prepare", bcos_cpu_prepare,
				  bcos_cpu_dead);
	bcos_hotplug_loader = NULL;
	if (state < 0)
		return state;
	bcos_prepare_state = state;
	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "bcos_evlog:online", bcos_cpu_online, NULL);
	if (state < 0) {
		bcos_hotplug_down();
		return state;
	}
	bcos_online_state = state;
	return 0;
}

void bcos_hotplug_down(void)
{
	if (bcos_online_state >= 0)
		cpuhp_remove_state_nocalls(bcos_online_state);
	bcos_online_state = -1;
	cpuhp_remove_state_nocalls(bcos_prepare_state);
	bcos_prepare_state = -1;
	cancel_delayed_work_sync(&bcos_ring_work);
}
