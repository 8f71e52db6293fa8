// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Creates and destroys the log, enters the state at load, and ends passes. */
#include "core/model/device.h"
#include "core/model/init.h"
#include "core/model/process.h"
#include "core/write/cgroup.h"
#include "core/write/group.h"
#include "rules.h"

int bcos_log_init(struct bcos_log *log, const struct bcos_host *host, void *context, void *data,
		  u64 size, u32 cpu_limit, u32 precision)
{
	if (size < bcos_log_ring_min(cpu_limit) || size & (size - 1))
		return -EINVAL;
	bcos_ring_init(&log->ring, data, size);
	log->precision = precision;
	bcos_wakings_init(&log->wakings);
	log->elsewhere_limit = BCOS_LOG_ELSEWHERE;
	log->mask = BCOS_CLASS_DEFAULT;
	return bcos_model_init(&log->model, host, context, cpu_limit);
}

void bcos_log_destroy(struct bcos_log *log)
{
	if (!log->model.heap.host)
		return;
	bcos_log_forget_walk(log);
	bcos_requests_forget(log);
	bcos_model_destroy(&log->model);
}

static int prime_processes(struct bcos_log *log, const struct bcos_seen *seen, u32 count)
{
	static const char kernel[BCOS_RAW_NAME] = "kernel";
	struct bcos_process *process;
	u32 i;

	process = bcos_model_add_process(&log->model, BCOS_PROCESS_KERNEL, false, kernel);
	if (!process)
		return -ENOMEM;
	log->model.kernel = process;
	for (i = 0; i < count; i++) {
		if (seen[i].dying || seen[i].thread || bcos_model_process(&log->model, seen[i].id))
			continue;
		process = bcos_model_add_process(&log->model, seen[i].id, seen[i].hidden,
						 seen[i].name);
		if (!process)
			return -ENOMEM;
		process->tag = seen[i].tag;
		process->start = seen[i].start;
		process->precision = log->precision;
	}
	/* A process may follow its threads. */
	for (i = 0; i < count; i++)
		if (seen[i].thread && !bcos_threads_prime(log, &seen[i]))
			return -ENOMEM;
	return 0;
}

int bcos_log_prime(struct bcos_log *log, const struct bcos_seen_cpu *cpus, u32 cpu_count,
		   const struct bcos_seen *seen, u32 seen_count, u64 from, u64 begin)
{
	static const char self[] = "bcos_evlog";
	struct bcos_device *device;
	int error;

	log->primed_from = from;
	log->begin = begin;
	error = bcos_cpu_prime(log, cpus, cpu_count, begin);
	if (!error)
		error = prime_processes(log, seen, seen_count);
	if (error)
		return error;
	device = bcos_model_add_device(&log->model, BCOS_DEVICE_SELF,
				       BCOS_RAW_KEY(BCOS_DEVICE_SELF, 0), self, sizeof(self) - 1);
	if (!device)
		return -ENOMEM;
	device->start = begin;
	device->precision = log->precision;
	return 0;
}

static u64 lost_so_far(const struct bcos_log *log)
{
	u64 lost = 0;
	u32 reason;

	for (reason = 0; reason < BCOS_LOST_REASONS; reason++)
		lost += log->stats.lost[reason];
	return lost;
}

/* Is there something to state for bcos_log_write_dropped()? */
static bool is_dropped(const struct bcos_log *log)
{
	u64 missed = 0;
	u32 kind;

	for (kind = 0; kind < BCOS_MISSED_KINDS; kind++)
		missed |= log->missed[kind].count;
	return missed || log->starved || log->strays || log->beyond.interfaces ||
	       log->beyond.packets;
}

void bcos_log_passed(struct bcos_log *log, u64 horizon)
{
	bcos_log_begin_if_due(log, horizon);
	if (!log->begun)
		return;
	bcos_wakings_tell_all(log);
	if (log->seen && horizon >= log->seen_until)
		bcos_log_resync(log);
	if (unlikely(is_dropped(log)))
		bcos_log_write_dropped(log, horizon);
	if (bcos_cgroups_learn(log))
		bcos_log_settle(log);
	log->ring.now.last_time = log->time;
	log->ring.now.lost = lost_so_far(log);
	bcos_ring_publish(&log->ring);
}
