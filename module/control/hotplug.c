// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that come online and go offline. Switches happen on a CPU before its online callback and
 * after its offline callback. So its first record announces it, and the teardown of the prepare
 * state ends it, when it is dead.
 */
#include <linux/cpuhotplug.h>
#include <linux/percpu.h>
#include <linux/topology.h>

#include "hotplug.h"
#include "capture/staging.h"
#include "writer/writer.h"

/* The core ID is kept once it is known, since the topology of an offline CPU reads 0. */
struct bcos_core_id {
	u32 id;
	bool known;
};

static DEFINE_PER_CPU(struct bcos_core_id, bcos_core_ids);

static int bcos_prepare_state = -1;
static int bcos_online_state = -1;

static u32 bcos_core_now(unsigned int cpu)
{
	int package = topology_physical_package_id(cpu);

	return BCOS_CORE_ID(package < 0 ? 0 : package, topology_core_id(cpu));
}

u32 bcos_hotplug_core_of(u32 cpu)
{
	const struct bcos_core_id *core = per_cpu_ptr(&bcos_core_ids, cpu);

	/* Pairs with bcos_cpu_online(). */
	return smp_load_acquire(&core->known) ? core->id : bcos_core_now(cpu);
}

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
	bcos_put_plain(BCOS_RAW_CPU_DOWN, 0, cpu);
	per_cpu_ptr(&bcos_stages, cpu)->current_id = BCOS_PROCESS_NONE;
	/* The dead CPU may have filled its staging when it could no longer wake the writer. */
	bcos_writer_kick();
	return 0;
}

static int bcos_cpu_online(unsigned int cpu)
{
	struct bcos_core_id *core = per_cpu_ptr(&bcos_core_ids, cpu);

	core->id = bcos_core_now(cpu);
	/* Pairs with bcos_hotplug_core_of(). */
	smp_store_release(&core->known, true);
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
