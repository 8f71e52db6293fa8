// SPDX-License-Identifier: GPL-2.0-only
/* Walks tasks, CPUs and devices after records were lost: see walk.h. */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/workqueue.h>

#include "capture/probes/device.h"
#include "capture/task.h"
#include "memory.h"
#include "walk.h"

struct bcos_walk {
	struct bcos_seen *seen;
	u32 count;
	u8 *online;
	struct bcos_seen_devices devices;
	bool failed;		/* the walk has no result; the other fields are empty */
};

/* Units of devices that the first attempt has room for. */
#define BCOS_WALK_UNITS 4096

/* The writer sets these when it starts a walk. No other walk is under way then. */
static u64 bcos_walk_from;
static struct bcos_walk_writer bcos_walk_writer;

static void bcos_walk_deliver(struct bcos_log *log, void *data)
{
	struct bcos_walk *walk = data;

	if (walk->failed) {
		bcos_log_walk_failed(log);
		return;
	}
	bcos_log_walked(log, walk->seen, walk->count, bcos_walk_from, bcos_walk_writer.time());
	bcos_log_walked_cpus(log, walk->online);
	bcos_log_walked_devices(log, &walk->devices);
}

/* Under the hotplug lock no CPU is coming online or going offline. */
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

static int bcos_walk_sources(struct bcos_seen_devices *devices)
{
	static int (*const sources[])(struct bcos_seen_devices *) = {
		bcos_block_walk, bcos_net_walk, bcos_input_walk, bcos_announced_walk,
	};
	int error = 0;
	size_t i;

	devices->units = 0;
	for (i = 0; i < ARRAY_SIZE(sources) && !error; i++)
		error = sources[i](devices);
	return error;
}

/* Returns 0, -ENOMEM or the error of a source; @devices is empty after an error. */
static int bcos_walk_devices(struct bcos_seen_devices *devices)
{
	int error;

	devices->room = BCOS_WALK_UNITS;
	for (;;) {
		devices->unit = bcos_memory_alloc(devices->room * sizeof(*devices->unit));
		error = devices->unit ? bcos_walk_sources(devices) : -ENOMEM;
		if (!error && devices->units <= devices->room)
			return 0;
		bcos_memory_free(devices->unit, devices->room * sizeof(*devices->unit));
		if (error)
			return error;
		/* More devices may come before the next attempt. */
		devices->room = devices->units + devices->units / 8;
	}
}

static int bcos_walk_all(struct bcos_walk *walk)
{
	int error = bcos_tasks_walk(&walk->seen, &walk->count);

	if (error)
		return error;
	walk->online = bcos_walk_cpus();
	error = walk->online ? bcos_walk_devices(&walk->devices) : -ENOMEM;
	if (!error)
		return 0;
	bcos_memory_free(walk->seen, walk->count * sizeof(*walk->seen));
	bcos_memory_free(walk->online, nr_cpu_ids);
	return error;
}

static void bcos_walk(struct work_struct *work)
{
	struct bcos_walk walk = { 0 };

	walk.failed = bcos_walk_all(&walk);
	bcos_walk_writer.run(bcos_walk_deliver, &walk);
}

static DECLARE_WORK(bcos_walk_work, bcos_walk);

void bcos_walk_start(struct bcos_log *log, const struct bcos_walk_writer *writer)
{
	bcos_log_walk_begins(log);
	bcos_walk_writer = *writer;
	bcos_walk_from = writer->time();
	queue_work(system_unbound_wq, &bcos_walk_work);
}

void bcos_walk_stop(void)
{
	cancel_work_sync(&bcos_walk_work);
}
