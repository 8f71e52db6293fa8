// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A group of historical entries (6.1) has cores, CPUs, processes, devices and assignments, and the
 * statements follow. A group that does not fit as a whole leaves out devices, and the processes
 * that hold no CPU and ran least recently. bcos_emit_stated() and bcos_emit_stated_device()
 * re-state each of these before its next use. Likewise for names of threads, which follow last.
 */
#include "cgroup.h"
#include "core/format/thread_text.h"
#include "core/model/device.h"
#include "core/model/thread.h"
#include "group.h"
#include "statement.h"

static u64 process_size(const struct bcos_process *process)
{
	return bcos_entry_size(sizeof(struct bcos_process_name), process->name_length);
}

static u64 device_size(const struct bcos_device *device)
{
	return bcos_entry_size(sizeof(struct bcos_device_name), device->name_length);
}

struct group {
	struct bcos_log *log;
	u64 start;		/* offset of the group's first entry */
	u64 room;		/* bytes left for optional items */
	bool partial;
};

static bool in_group(const struct group *group, u64 stated)
{
	return stated > group->start;
}

static void put_process(struct group *group, struct bcos_process *process)
{
	bcos_emit_process(group->log, process, BCOS_HIST_SET_PROCESS_NAME, process->start,
			  process->precision);
}

/* Writes the processes that later items of the group refer to. These are never left out. */
static void put_needed_processes(struct group *group)
{
	struct bcos_model *model = &group->log->model;
	struct bcos_process *kernel = model->kernel;
	struct bcos_process *process;
	u32 number;

	if (kernel)
		put_process(group, kernel);
	for (number = 0; number < model->cpu_limit; number++) {
		process = model->cpus[number].holder;
		if (model->cpus[number].online && process && !in_group(group, process->stated))
			put_process(group, process);
	}
}

static void put_processes(struct group *group)
{
	struct bcos_model *model = &group->log->model;
	struct bcos_process *process;
	struct bcos_link *link;

	put_needed_processes(group);
	for (link = model->recent.next; link != &model->recent; link = link->next) {
		process = bcos_process_of(link);
		if (process->hidden || in_group(group, process->stated))
			continue;
		if (process_size(process) > group->room) {
			group->partial = true;
			return;
		}
		group->room -= process_size(process);
		put_process(group, process);
	}
}

/* Writes the devices. A device whose driver is not in the group is left out, too. */
static void put_devices(struct group *group, u64 room)
{
	struct bcos_model *model = &group->log->model;
	struct bcos_process *driver;
	struct bcos_device *device;

	for (device = bcos_model_next_device(model, NULL); device;
	     device = bcos_model_next_device(model, device)) {
		driver = bcos_model_process(model, device->driver);
		if (device_size(device) > room || (driver && !in_group(group, driver->stated))) {
			group->partial = true;
			continue;
		}
		room -= device_size(device);
		bcos_emit_device(group->log, device, BCOS_HIST_SET_DEVICE_NAME, device->start,
				 device->precision);
	}
}

static void put_cores_and_cpus(struct group *group)
{
	struct bcos_model *model = &group->log->model;
	struct bcos_core *core;
	struct bcos_cpu *cpu;
	u32 number;

	for (core = model->cores; core; core = core->next)
		if (core->online)
			bcos_emit_core(group->log, core, BCOS_HIST_CORE_ONLINE, core->start,
				       core->precision);
	for (number = 0; number < model->cpu_limit; number++) {
		cpu = &model->cpus[number];
		if (cpu->online)
			bcos_emit_word(group->log, BCOS_HIST_CPU_ONLINE, number, cpu->core->id,
				       cpu->start, cpu->precision);
	}
}

static void put_assignments(struct group *group)
{
	struct bcos_model *model = &group->log->model;
	struct bcos_cpu *cpu;
	u32 number;

	for (number = 0; number < model->cpu_limit; number++) {
		cpu = &model->cpus[number];
		if (cpu->online && cpu->assigned)
			bcos_emit_word(group->log, BCOS_HIST_ASSIGN_CPU, number, cpu->process,
				       cpu->assigned_at, cpu->assigned_precision);
	}
}

/*
 * Names of threads and control groups follow a group in at most these parts of a zone, so that a
 * machine with many of them, or a user who makes them, does not fill the log with them. Nothing
 * else in the log depends on them.
 */
#define THREADS_PART 8
#define CGROUPS_PART 4

/* Returns the bytes for a part of a zone. The group has begun with room for @most bytes. */
static u64 room_for(const struct group *group, u64 part, u64 most)
{
	u64 room = group->log->ring.zone_size / part;
	u64 used = group->log->ring.now.head.offset - group->start;

	most = most > used ? most - used : 0;
	return room < most ? room : most;
}

static u64 thread_size(const struct bcos_thread *thread)
{
	return bcos_entry_size(BCOS_GENERIC_TEXT,
			       BCOS_THREAD_NAME_TEXT - BCOS_NAME_MAX + thread->name_length);
}

/* Writes names of threads, the newest first, and removes the threads of processes that are gone. */
static void put_threads(struct group *group, u64 most)
{
	struct bcos_model *model = &group->log->model;
	struct bcos_thread *thread = model->threads.newest, *older;
	u64 room = room_for(group, THREADS_PART, most);
	struct bcos_process *process;

	model->threads.left_out = false;
	for (; thread; thread = older) {
		older = thread->older;
		process = bcos_model_process_of_thread(model, thread);
		if (!process) {
			bcos_model_remove_thread(model, thread);
			continue;
		}
		if (thread_size(thread) > room) {
			model->threads.left_out = true;
			return;
		}
		if (!in_group(group, process->stated)) {
			model->threads.left_out = true;
			continue;
		}
		room -= thread_size(thread);
		bcos_emit_thread(group->log, thread);
	}
}

/* Returns the most bytes of the items that a group always has. bcos_log_ring_min() bounds them. */
static u64 needed_bytes(const struct bcos_log *log)
{
	const struct bcos_model *model = &log->model;
	u64 largest = bcos_entry_size(sizeof(struct bcos_process_name), BCOS_NAME_MAX);

	return bcos_statements_bytes(log) + model->core_bytes + (model->cpus_online + 1) * largest +
	       2ull * model->cpus_online * sizeof(struct bcos_cpu_online);
}

static void count_group(struct bcos_log *log, u64 complete)
{
	u64 zone = log->ring.zone_size;

	log->stats.groups++;
	log->stats.over_1_zone += complete > zone;
	log->stats.over_3_zones += complete > 3 * zone;
	log->stats.over_4_zones += complete > 4 * zone;
}

/*
 * Returns the bytes for optional items: processes without a CPU, and devices. A group that does not
 * fit as a whole gets half a zone, since a larger one would only push out events, and whatever is
 * left out is named before its next use.
 */
static u64 optional_room(const struct bcos_log *log, u64 complete)
{
	u64 needed = needed_bytes(log), room = log->ring.zone_size / 2;

	if (complete <= bcos_ring_room(&log->ring))
		return complete;
	return room > needed ? room - needed : 0;
}

static void put_cgroups(struct group *group, u64 most)
{
	/* The last of these events may be written where any other would fit. */
	u64 last = bcos_entry_size(BCOS_GENERIC_TEXT, BCOS_CGROUP_TEXT + sizeof(u32));

	bcos_cgroups_write(group->log, group->start,
			   room_for(group, CGROUPS_PART, most > last ? most - last : 0));
}

void bcos_log_group(struct bcos_log *log)
{
	u64 complete = bcos_model_group_bytes(&log->model) + bcos_statements_bytes(log);
	u64 room = optional_room(log, complete), device_room = log->model.device_bytes;
	u64 most = bcos_ring_room(&log->ring);
	struct group group = {
		.log = log,
		.start = log->ring.now.head.offset,
	};

	/* Devices are few, so they precede processes that do not run, in up to half of the room. */
	if (room < complete && device_room > room / 2)
		device_room = room / 2;
	group.room = room - device_room;
	bcos_cgroups_ask(log);
	bcos_ring_group_begin(&log->ring);
	put_cores_and_cpus(&group);
	put_processes(&group);
	put_devices(&group, device_room);
	put_assignments(&group);
	bcos_statements_write(log);
	put_threads(&group, most);
	put_cgroups(&group, most);
	bcos_ring_group_end(&log->ring);
	count_group(log, complete);
	log->partial = group.partial;
	log->stats.partial_groups += group.partial;
}

void bcos_log_begin(struct bcos_log *log)
{
	log->begun = true;
	log->interesting = true;
	if (log->time < log->begin)
		log->time = log->begin;
	log->time_precision = log->precision;
	bcos_log_settle(log);
}

/*
 * The most bytes of a CPU in a group: its core, the CPU, its assignment, and the name of the
 * assigned process.
 */
#define CPU_BYTES                                                                         \
	(sizeof(struct bcos_core_online) + sizeof(u32) + sizeof(struct bcos_cpu_online) + \
	 sizeof(struct bcos_assign_cpu) + sizeof(struct bcos_process_name) + BCOS_NAME_MAX)

static u64 ring_for(u64 group_bytes)
{
	u64 size = BCOS_RING_MIN;

	/* A quarter of a zone is a sixteenth of the ring. */
	while (size < 16 * group_bytes)
		size *= 2;
	return size;
}

u64 bcos_log_ring_min(u32 cpus)
{
	return ring_for((cpus + 1) * CPU_BYTES + BCOS_STATEMENTS_MAX);
}

u64 bcos_log_ring_advice(const struct bcos_log *log)
{
	return ring_for(bcos_model_group_bytes(&log->model) + bcos_statements_bytes(log));
}
