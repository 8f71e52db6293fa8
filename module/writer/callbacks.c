// SPDX-License-Identifier: GPL-2.0-only
/* The services of the kernel that the core uses: see struct bcos_host in core/host/host.h. */
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "capture/cgroup.h"
#include "capture/topology.h"
#include "machine/power.h"
#include "callbacks.h"
#include "memory.h"

/*
 * Allocates for the core. @context points to the pointer to the log writer's task, which must not
 * wait for memory.
 */
static void *bcos_host_alloc(void *context, size_t size)
{
	struct task_struct **writer = context;

	return current == READ_ONCE(*writer) ? bcos_memory_alloc_now(size) :
					       bcos_memory_alloc(size);
}

static void bcos_host_free(void *context, void *memory, size_t size)
{
	bcos_memory_free(memory, size);
}

static u32 bcos_host_core_of(void *context, u32 cpu)
{
	return bcos_topology_core_of(cpu);
}

static void bcos_host_estimate(void *context, u32 cpu, struct bcos_estimate *estimate)
{
	bcos_power_estimate(cpu, estimate);
}

static u64 bcos_host_random(void *context)
{
	return get_random_u64();
}

static u32 bcos_host_cgroup(void *context, u32 id, u32 tag, u64 since, char *path, u16 *flags,
			    u64 *until)
{
	u32 length = bcos_cgroup_find(id, tag, path, flags);

	*until = ktime_get_boottime_ns();
	return length;
}

const struct bcos_host bcos_kernel_host = {
	.alloc = bcos_host_alloc,
	.free = bcos_host_free,
	.core_of = bcos_host_core_of,
	.estimate = bcos_host_estimate,
	.random = bcos_host_random,
	.cgroup = bcos_host_cgroup,
};
