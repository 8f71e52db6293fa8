// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * After records of births, deaths or devices were lost, the host walks the task list and the
 * devices. Resync compares the result with the model (devices: resync_device.c).
 *
 * The walk ran from seen_from to seen_until. The log has applied the records since then as always,
 * so it knows the changes during the walk: a process that was born since seen_from need not be in
 * the list, and one that died since then is in log->gone. Once everything older than seen_until is
 * applied, any difference that remains comes from lost records. A long comparison takes several
 * passes, and the records between these passes are applied as always.
 *
 * A process that the walk saw dying may not have come to the records of its end, which then follow
 * after seen_until; or they were lost. The walk knows the status in both cases.
 */
#include "core/capture/hook.h"
#include "core/model/process.h"
#include "core/write/emit.h"
#include "core/write/group.h"
#include "rules.h"

/* One pass compares this many processes of the list, and this many buckets of the model. */
#define STEP 4096

/*
 * Enters a process whose birth was lost. The log states the birth at the current time, and the
 * historical entries of the process have the time at which it really began.
 */
static struct bcos_process *born_unseen(struct bcos_log *log, struct bcos_process *previous,
					const struct bcos_seen *seen)
{
	struct bcos_process *process = bcos_log_born(log, previous, seen->id, seen->tag,
						     seen->hidden, seen->name);

	if (process && seen->start && seen->start < process->start) {
		process->start = seen->start;
		process->precision = log->precision;
	}
	return process;
}

/*
 * The records of the end may still follow, at their own times. They were lost if another walk, a
 * period later, sees the process dying as well; or no DEAD is made, since no switches are recorded.
 */
static void compare_dying(struct bcos_log *log, const struct bcos_seen *seen)
{
	struct bcos_process *process = bcos_model_process(&log->model, seen->id);

	if (!process || process->tag != seen->tag)
		return;
	if (process->dying || (process->exited && !(log->mask & BCOS_CLASSES_SWITCHES)))
		return;
	process->status = seen->status;
	process->exited = true;
	process->dying = true;
	process->walk = log->walks;
	log->needs_walk = true;
}

static void compare_one(struct bcos_log *log, const struct bcos_seen *seen)
{
	struct bcos_process *process = bcos_model_process(&log->model, seen->id);

	if (seen->thread) {
		bcos_threads_compare(log, seen);
		return;
	}
	if (seen->dying) {
		compare_dying(log, seen);
		return;
	}
	if (process && process->tag != seen->tag && process->start >= log->seen_from) {
		process->walk = log->walks;
		return;
	}
	if (!process || process->tag != seen->tag) {
		if (bcos_log_is_gone(log, seen->id, seen->tag))
			return;
		process = born_unseen(log, process, seen);
		if (!process)
			return;
		bcos_cpu_reveal(log, process);
	} else if (process->hidden && !seen->hidden) {
		bcos_model_rename_process(&log->model, process, seen->name);
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

/* Has the process died unnoticed? Then it began before the walk, and the walk did not see it. */
static bool is_unseen(const struct bcos_log *log, const struct bcos_process *process)
{
	return process->id != BCOS_PROCESS_KERNEL && process->walk != log->walks &&
	       process->start < log->seen_from;
}

static void cancel_unseen_in(struct bcos_log *log, u32 bucket)
{
	struct bcos_process *process = log->model.processes[bucket], *next;

	for (; process; process = next) {
		next = process->same_hash;
		if (!is_unseen(log, process))
			continue;
		bcos_log_died(log, process, 0);
		bcos_log_settle(log);
	}
}

/* Cancels processes that died unnoticed, a part in each call. Returns true if none is left. */
static bool cancel_some(struct bcos_log *log)
{
	u32 i;

	/* If the table has grown, start anew. A process that was cancelled is no longer there. */
	if (log->resync_buckets != bcos_model_buckets(&log->model))
		log->resync_bucket = 0;
	log->resync_buckets = bcos_model_buckets(&log->model);
	for (i = 0; i < STEP && log->resync_bucket < log->resync_buckets; i++)
		cancel_unseen_in(log, log->resync_bucket++);
	return log->resync_bucket == log->resync_buckets;
}

/* Finds CPUs that came online or went offline without a record. */
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

static void begin_resync(struct bcos_log *log)
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

	/* The deaths that this comparison finds need not be remembered. */
	log->remembers = false;
	/*
	 * A lost event happened at some time before the walk ended. Its entry follows those of the
	 * records that were not lost.
	 */
	bcos_log_at(log, log->time,
		    bcos_reach(log->time, bcos_latest(log->seen_until, log->precision)));
	if (!log->resyncing)
		begin_resync(log);
	for (i = 0; i < STEP && log->resync_at < log->seen_count; i++) {
		compare_one(log, &log->seen[log->resync_at++]);
		bcos_log_settle(log);
	}
	if (i < STEP && cancel_some(log) && bcos_log_resync_devices(log)) {
		bcos_threads_forget_unseen(log);
		bcos_log_forget_walk(log);
	} else {
		log->remembers = true;
	}
}
