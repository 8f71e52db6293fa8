// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Resync: records of births or deaths, or of devices, were lost, so the task
 * list was walked, and the model is compared with it; of devices see
 * resync_device.c.
 *
 * The walk ran from seen_from to seen_until.  Records since it began are applied
 * as ever, and say what changed under the walk: who was born since seen_from
 * need not be in the list; who died since is in log->gone.  Once everything
 * older than seen_until is applied, what still differs was lost.  The comparison
 * takes several passes if there is much to compare: what is applied between them
 * changes no more than what is applied before.
 */
#include "core/write/emit.h"

/* Processes compared in a pass, in the list and in the model each. */
#define STEP 4096

#define FIRST_GONE 256

static void forget_gone(struct bcos_log *log)
{
	bcos_model_free(&log->model, log->gone, log->gone_limit * sizeof(*log->gone));
	log->gone = NULL;
	log->gone_count = 0;
	log->gone_limit = 0;
	log->remembers = false;
}

/* What came from the host's allocator, not through the model's count. */
static void forget_seen(struct bcos_log *log)
{
	const struct bcos_host *host = log->model.host;

	if (log->seen)
		host->free(log->model.context, log->seen, log->seen_count * sizeof(*log->seen));
	if (log->seen_online)
		host->free(log->model.context, log->seen_online, log->model.cpu_limit);
	if (log->seen_devices.unit)
		host->free(log->model.context, log->seen_devices.unit,
			   log->seen_devices.room * sizeof(*log->seen_devices.unit));
	log->seen_devices = (struct bcos_seen_devices){ 0 };
	log->seen = NULL;
	log->seen_online = NULL;
	log->resyncing = false;
}

void bcos_log_forget_walk(struct bcos_log *log)
{
	forget_seen(log);
	forget_gone(log);
}

void bcos_log_walk_begins(struct bcos_log *log)
{
	bcos_log_forget_walk(log);
	log->needs_walk = false;
	log->walking = true;
	log->remembers = true;
}

void bcos_log_walk_failed(struct bcos_log *log)
{
	bcos_log_forget_walk(log);
	log->walking = false;
	log->needs_walk = true;
}

void bcos_log_walked(struct bcos_log *log, struct bcos_seen *seen, u32 seen_count, u64 from, u64 until)
{
	bool begun = log->walking, forgot = begun && !log->remembers;

	forget_seen(log);
	if (!begun) {
		forget_gone(log);
		log->needs_walk = false;
	}
	log->walking = false;
	log->remembers = true;
	log->seen = seen;
	log->seen_count = seen_count;
	log->seen_from = from;
	log->seen_until = until;
	/* There was no memory for who died meanwhile. */
	if (forgot) {
		bcos_log_forget_walk(log);
		log->needs_walk = true;
	}
}

void bcos_log_walked_cpus(struct bcos_log *log, u8 *online)
{
	if (!log->seen) {
		log->model.host->free(log->model.context, online, log->model.cpu_limit);
		return;
	}
	log->seen_online = online;
}

void bcos_log_walked_devices(struct bcos_log *log, const struct bcos_seen_devices *seen)
{
	if (log->seen)
		log->seen_devices = *seen;
	else if (seen->unit)
		log->model.host->free(log->model.context, seen->unit, seen->room * sizeof(*seen->unit));
}

/* The place of an incarnation, or the free one where it belongs.  There is one. */
static struct bcos_incarnation *place_of(struct bcos_incarnation *table, u32 limit, u32 id, u32 tag)
{
	u32 at = (id * 0x9E3779B1u ^ tag * 0x85EBCA6Bu) >> 7;

	for (;; at++) {
		at &= limit - 1;
		if (!table[at].id || (table[at].id == id && table[at].tag == tag))
			return &table[at];
	}
}

/* Return: there is no memory for it. */
static bool grow_gone(struct bcos_log *log)
{
	u32 limit = log->gone_limit ? 2 * log->gone_limit : FIRST_GONE, i;
	struct bcos_incarnation *larger, *one;

	if (2 * log->gone_count < log->gone_limit)
		return false;
	larger = bcos_model_alloc(&log->model, limit * sizeof(*larger));
	if (!larger)
		return true;
	for (i = 0; i < log->gone_limit; i++) {
		one = &log->gone[i];
		if (one->id)
			*place_of(larger, limit, one->id, one->tag) = *one;
	}
	bcos_model_free(&log->model, log->gone, log->gone_limit * sizeof(*larger));
	log->gone = larger;
	log->gone_limit = limit;
	return false;
}

void bcos_log_gone(struct bcos_log *log, u32 id, u32 tag)
{
	struct bcos_incarnation *place;

	if (!log->remembers || !id)
		return;
	if (grow_gone(log)) {
		bcos_log_forget_walk(log);
		log->needs_walk = true;
		return;
	}
	place = place_of(log->gone, log->gone_limit, id, tag);
	log->gone_count += !place->id;
	place->id = id;
	place->tag = tag;
}

bool bcos_log_is_gone(const struct bcos_log *log, u32 id, u32 tag)
{
	return log->gone && place_of(log->gone, log->gone_limit, id, tag)->id;
}

/* Its birth was lost: the log tells of it now, and its history knows better. */
static struct bcos_process *born_unseen(struct bcos_log *log, const struct bcos_seen *seen)
{
	struct bcos_process *process = bcos_log_born(log, seen->id, seen->tag, seen->hidden, seen->name);

	if (process && seen->start && seen->start < process->start) {
		process->start = seen->start;
		process->precision = log->precision;
	}
	return process;
}

static void compare_one(struct bcos_log *log, const struct bcos_seen *seen)
{
	struct bcos_process *process = bcos_model_process(&log->model, seen->id);

	if (process && process->tag != seen->tag && process->start >= log->seen_from) {
		process->walk = log->walks;
		return;
	}
	if (!process || process->tag != seen->tag) {
		if (bcos_log_is_gone(log, seen->id, seen->tag))
			return;
		process = born_unseen(log, seen);
		if (!process)
			return;
		bcos_cpu_reveal(log, process);
	} else if (process->hidden && !seen->hidden) {
		bcos_model_rename_process(&log->model, process, seen->name, BCOS_RAW_NAME);
		bcos_model_reveal(&log->model, process);
		process->start = log->time;
		process->precision = log->time_precision;
		bcos_emit_set_process(log, process);
		bcos_cpu_reveal(log, process);
	} else if (!process->hidden && process->named < log->seen_from) {
		if (bcos_log_rename(log, process, seen->name))
			bcos_emit_set_process(log, process);
	}
	process->walk = log->walks;
}

/* A process that the walk did not see and that is older than it has died unnoticed. */
static bool is_unseen(const struct bcos_log *log, const struct bcos_process *process)
{
	return process->id != BCOS_PROCESS_KERNEL && process->walk != log->walks && process->start < log->seen_from;
}

static void cancel_unseen_in(struct bcos_log *log, u32 bucket)
{
	struct bcos_process *process = log->model.processes[bucket], *next;

	for (; process; process = next) {
		next = process->same_hash;
		if (!is_unseen(log, process))
			continue;
		bcos_log_died(log, process);
		bcos_log_settle(log);
	}
}

/* Return: all is done. */
static bool cancel_some(struct bcos_log *log)
{
	u32 i;

	/* A table that grew meanwhile is gone through anew: what was done is done. */
	if (log->resync_buckets != log->model.process_buckets)
		log->resync_bucket = 0;
	log->resync_buckets = log->model.process_buckets;
	for (i = 0; i < STEP && log->resync_bucket < log->resync_buckets; i++)
		cancel_unseen_in(log, log->resync_bucket++);
	return log->resync_bucket == log->resync_buckets;
}

/* CPUs that went, or came, and no record says so. */
static void compare_cpus(struct bcos_log *log)
{
	struct bcos_cpu *cpu;
	u32 number;

	for (number = 0; log->seen_online && number < log->model.cpu_limit; number++) {
		cpu = &log->model.cpus[number];
		if (cpu->online == !!log->seen_online[number] || cpu->start >= log->seen_from)
			continue;
		if (cpu->online)
			bcos_cpu_down(log, number);
		else
			bcos_cpu_up(log, number);
		bcos_log_settle(log);
	}
}

static void begin(struct bcos_log *log)
{
	log->resyncing = true;
	log->resync_at = 0;
	log->resync_buckets = 0;
	log->resync_phase = 0;
	log->resync_device = 0;
	log->resync_range = 0;
	log->walks++;
	compare_cpus(log);
}

void bcos_log_resync(struct bcos_log *log)
{
	u32 i;

	/* What is written from here on is no news about the walk. */
	log->remembers = false;
	/* It happened some time before the walk ended, and was lost; it stands behind what was not. */
	bcos_log_at(log, log->time, bcos_reach(log->time, bcos_latest(log->seen_until, log->precision)));
	if (!log->resyncing)
		begin(log);
	for (i = 0; i < STEP && log->resync_at < log->seen_count; i++) {
		compare_one(log, &log->seen[log->resync_at++]);
		bcos_log_settle(log);
	}
	if (i < STEP && cancel_some(log) && bcos_log_resync_devices(log))
		bcos_log_forget_walk(log);
	else
		log->remembers = true;
}
