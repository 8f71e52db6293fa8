// SPDX-License-Identifier: GPL-2.0-only
/* The walk after records were lost: see walk.h. */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/workqueue.h>

#include "memory.h"
#include "tasks.h"
#include "walk.h"
#include "writer.h"

struct bcos_walk {
	struct bcos_seen *seen;
	u32 count;
	u8 *online;		/* NULL: there was no memory */
};

/* The log writer's. */
static u64 bcos_walk_from;

static void bcos_walk_deliver(struct bcos_log *log, void *data)
{
	struct bcos_walk *walk = data;

	if (!walk->online) {
		bcos_log_walk_failed(log);
		return;
	}
	bcos_log_walked(log, walk->seen, walk->count, bcos_walk_from, bcos_writer_time());
	bcos_log_walked_cpus(log, walk->online);
}

/* Under the hotplug lock a CPU is there or gone, and not on its way. */
static u8 *bcos_walk_cpus(void)
{
	u8 *online = bcos_memory_alloc(nr_cpu_ids);
	u32 cpu;

	if (!online)
		return NULL;
	cpus_read_lock();
	for_each_online_cpu(cpu)
		online[cpu] = 1;
	cpus_read_unlock();
	return online;
}

static void bcos_walk(struct work_struct *work)
{
	struct bcos_walk walk = { 0 };

	if (!bcos_tasks_walk(&walk.seen, &walk.count)) {
		walk.online = bcos_walk_cpus();
		if (!walk.online)
			bcos_memory_free(walk.seen, walk.count * sizeof(*walk.seen));
	}
	bcos_writer_do(bcos_walk_deliver, &walk);
}

static DECLARE_WORK(bcos_walk_work, bcos_walk);

void bcos_walk_start(struct bcos_log *log)
{
	bcos_log_walk_begins(log);
	bcos_walk_from = bcos_writer_time();
	queue_work(system_unbound_wq, &bcos_walk_work);
}

void bcos_walk_stop(void)
{
	cancel_work_sync(&bcos_walk_work);
}
