// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that come online and go offline. Switches happen on a CPU before its online callback and
 * after its offline callback. So the first record of a CPU announces it, and the CPU ends in the
 * teardown of the prepare state, when it is dead.
 */
#include <linux/cpuhotplug.h>
#include <linux/percpu.h>

#include "capture/staging.h"
#include "capture/topology.h"
#include "writer/writer.h"
#include "hotplug.h"

static int bcos_prepare_state = -1;
static int bcos_online_state = -1;

/* Never fails: without a ring, a CPU's events are counted as lost. */
static int bcos_cpu_prepare(unsigned int cpu)
{
	struct bcos_unit *ring;
	u64 size = 0;

	ring = bcos_staging_ring(cpu, &size);
	bcos_writer_add_cpu(cpu, ring, size);
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

	state = cpuhp_setup_state(CPUHP_BP_PREPARE_DYN, "bcos_evlog:prepare", bcos_cpu_prepare,
				  bcos_cpu_dead);
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
}
