// SPDX-License-Identifier: GPL-2.0-only
/* Finds the cores of CPUs: see topology.h. */
#include <linux/acpi.h>
#include <linux/percpu.h>
#include <linux/topology.h>

#include "core/capture/core_id.h"
#include "topology.h"

/* The core ID is kept once it is known, since the topology of an offline CPU reads 0. */
struct bcos_core_id {
	u32 id;
	bool known;
};

static DEFINE_PER_CPU(struct bcos_core_id, bcos_core_ids);

/*
 * Does the kernel number the cores by a device tree? Then it numbers those of each cluster from 0.
 */
static bool bcos_cores_of_clusters(void)
{
	return IS_ENABLED(CONFIG_GENERIC_ARCH_TOPOLOGY) && acpi_disabled;
}

static u32 bcos_core_now(unsigned int cpu)
{
	return bcos_core_id(topology_physical_package_id(cpu),
			    bcos_cores_of_clusters() ? topology_cluster_id(cpu) : -1,
			    topology_core_id(cpu));
}

u32 bcos_topology_core_of(u32 cpu)
{
	const struct bcos_core_id *core = per_cpu_ptr(&bcos_core_ids, cpu);

	/* Pairs with bcos_topology_note(). */
	return smp_load_acquire(&core->known) ? core->id : bcos_core_now(cpu);
}

void bcos_topology_note(u32 cpu)
{
	struct bcos_core_id *core = per_cpu_ptr(&bcos_core_ids, cpu);

	core->id = bcos_core_now(cpu);
	/* Pairs with bcos_topology_core_of(). */
	smp_store_release(&core->known, true);
}
