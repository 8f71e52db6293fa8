// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The log as a whole: its beginning, passes and figures. */
#include "emit.h"

/* Bytes for a CPU in a group: its core, the CPU, its assignment, and the name of that process. */
#define CPU_BYTES (sizeof(struct bcos_core_online) + sizeof(u32) + sizeof(struct bcos_cpu_online) + \
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

int bcos_log_init(struct bcos_log *log, const struct bcos_host *host, void *context, void *data,
		  u64 size, u32 cpu_limit, u32 precision)
{
	if (size < bcos_log_ring_min(cpu_limit) || size & (size - 1))
		return -EINVAL;
	bcos_ring_init(&log->ring, data, size);
	log->precision = precision;
	log->elsewhere_limit = BCOS_LOG_ELSEWHERE;
	log->mask = BCOS_CLASS_DEFAULT;
	return bcos_model_init(&log->model, host, context, cpu_limit);
}

void bcos_log_destroy(struct bcos_log *log)
{
	if (!log->model.host)
		return;
	bcos_log_forget_walk(log);
	bcos_model_destroy(&log->model);
}

static int prime_processes(struct bcos_log *log, const struct bcos_seen *seen, u32 count)
{
	struct bcos_process *process;
	u32 i;

	process = bcos_model_add_process(&log->model, BCOS_PROCESS_KERNEL, false, "kernel", 6);
	if (!process)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		if (bcos_model_process(&log->model, seen[i].id))
			continue;
		process = bcos_model_add_process(&log->model, seen[i].id, seen[i].hidden,
						 seen[i].name, BCOS_RAW_NAME);
		if (!process)
			return -ENOMEM;
		process->tag = seen[i].tag;
		process->start = seen[i].start;
		process->precision = log->precision;
	}
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
	device = bcos_model_add_device(&log->model, BCOS_DEVICE_SELF, BCOS_RAW_KEY(BCOS_DEVICE_SELF, 0), self,
				       sizeof(self) - 1);
	if (!device)
		return -ENOMEM;
	device->start = begin;
	device->precision = log->precision;
	return 0;
}

static void start(struct bcos_log *log)
{
	log->begun = true;
	log->interesting = true;
	if (log->time < log->begin)
		log->time = log->begin;
	log->time_precision = log->precision;
	bcos_log_settle(log);
}

static u64 lost_so_far(const struct bcos_log *log)
{
	u64 lost = 0;
	u32 reason;

	for (reason = 0; reason < BCOS_LOST_REASONS; reason++)
		lost += log->stats.lost[reason];
	return lost;
}

void bcos_log_passed(struct bcos_log *log, u64 horizon)
{
	if (!log->begun && horizon >= log->begin)
		start(log);
	if (!log->begun)
		return;
	if (log->seen && horizon >= log->seen_until)
		bcos_log_resync(log);
	if (unlikely(log->starved || log->strays || log->beyond.interfaces || log->beyond.packets))
		bcos_log_state_dropped(log, horizon);
	log->ring.now.last_time = log->time;
	log->ring.now.lost = lost_so_far(log);
	bcos_ring_publish(&log->ring);
}

static void state_source(struct bcos_log *log, u16 type, u32 source)
{
	struct bcos_process *process;
	struct bcos_device *device;

	switch (type & BCOS_TYPE_SUBJECT_MASK) {
	case BCOS_SUBJECT_PROCESS:
		process = bcos_model_process(&log->model, source);
		if (process)
			bcos_emit_stated(log, process);
		break;
	case BCOS_SUBJECT_DEVICE:
		device = bcos_model_device(&log->model, source);
		if (device)
			bcos_emit_stated_device(log, device);
		break;
	}
}

bool bcos_log_knows(const struct bcos_log *log, u16 subject, u32 source)
{
	const struct bcos_core *core = log->model.cores;

	switch (subject) {
	case BCOS_SUBJECT_PROCESS:
		return bcos_model_process(&log->model, source);
	case BCOS_SUBJECT_CPU:
		return source < log->model.cpu_limit && log->model.cpus[source].online;
	case BCOS_SUBJECT_DEVICE:
		return bcos_model_device(&log->model, source);
	default:
		break;
	}
	while (core && core->id != source)
		core = core->next;
	return core && core->online;
}

void bcos_emit_event(struct bcos_log *log, u16 type, u32 source, u32 id, u8 severity, const char *text, size_t length)
{
	struct bcos_generic *entry;
	u32 bytes;

	if (!log->begun)
		return;
	state_source(log, type, source);
	bytes = (u32)bcos_entry_size(BCOS_GENERIC_TEXT, length);
	entry = bcos_emit_open(log, bytes, type, source, log->time, log->time_precision);
	entry->event_id = id;
	entry->severity = severity;
	memcpy(entry->text, text, length);
	bcos_emit_close(log, bytes);
}

void bcos_log_event(struct bcos_log *log, u16 type, u32 source, u64 time, u32 precision, u32 id,
		    u8 severity, const char *text, size_t length)
{
	if (!log->begun)
		return;
	if (length > BCOS_RAW_TEXT)
		length = BCOS_RAW_TEXT;
	/* The class of idle states may be turned off and on. */
	if (id == BCOS_EVENT_MASK && type == BCOS_GENERIC_CPU)
		bcos_states_forget(log);
	bcos_log_at(log, time, precision);
	bcos_emit_event(log, type, source, id, severity, text, length);
	bcos_log_settle(log);
}

/* Does any online core have a performance value that is neither counted nor stated? */
static bool is_estimated(const struct bcos_model *model)
{
	const struct bcos_core *core;
	u32 i;

	for (core = model->cores; core; core = core->next)
		for (i = 0; core->online && core->estimate.guessed && i < core->present; i++)
			if (i >= BCOS_SIBLINGS || !core->estimate.counted[i])
				return true;
	return false;
}

void bcos_log_status(const struct bcos_log *log, struct bcos_status *status)
{
	const struct bcos_ring *ring = &log->ring;
	const struct bcos_log_stats *stats = &log->stats;

	status->flags = (log->partial ? BCOS_STATUS_PARTIAL : 0) |
			(is_estimated(&log->model) ? BCOS_STATUS_ESTIMATED : 0);
	status->ring_size = ring->size;
	status->head = ring->now.head.offset;
	status->oldest = ring->now.oldest.offset;
	status->newest_group = ring->now.group.offset;
	status->entries = ring->now.head.entry;
	status->historical = stats->historical;
	status->groups = stats->groups;
	status->compactions = ring->now.compactions;
	status->discarded_bytes = ring->now.oldest.offset;
	status->discarded_entries = ring->now.oldest.entry;
	status->group_bytes = bcos_model_group_bytes(&log->model) + bcos_statements_bytes(log);
	status->advised_ring = bcos_log_ring_advice(log);
	status->partial_groups = stats->partial_groups;
	status->restated = stats->restated;
	status->groups_over_1_zone = stats->over_1_zone;
	status->groups_over_3_zones = stats->over_3_zones;
	status->groups_over_4_zones = stats->over_4_zones;
	status->clamped = stats->clamped;
	status->unnamed = stats->unnamed;
	memcpy(status->lost, stats->lost, sizeof(status->lost));
	status->last_time = log->time;
	status->processes = log->model.named_processes;
	status->cpus = log->model.cpus_online;
	status->cores = log->model.core_count;
	status->devices = log->model.device_count;
}
