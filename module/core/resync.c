// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Resync: records of births or deaths were lost, so the task list was walked,
 * and the model is compared with it.
 *
 * The walk ran from seen_from to seen_until.  Records of that time are applied
 * as ever, and say what changed under the walk: who was born since seen_from
 * need not be in the list; who died since is in log->gone.  Once everything
 * older than seen_until is applied, what still differs was lost.
 */
#include "emit.h"

static void forget_gone(struct bcos_log *log)
{
	bcos_model_free(&log->model, log->gone, log->gone_limit * sizeof(*log->gone));
	log->gone = NULL;
	log->gone_count = 0;
	log->gone_limit = 0;
}

void bcos_log_forget_walk(struct bcos_log *log)
{
	/* It came from the host's allocator, not through the model's count. */
	if (log->seen)
		log->model.host->free(log->model.context, log->seen,
				      log->seen_count * sizeof(*log->seen));
	log->seen = NULL;
	forget_gone(log);
}

void bcos_log_walked(struct bcos_log *log, struct bcos_seen *seen, u32 seen_count, u64 from, u64 until)
{
	bcos_log_forget_walk(log);
	log->needs_walk = false;
	log->seen = seen;
	log->seen_count = seen_count;
	log->seen_from = from;
	log->seen_until = until;
}

void bcos_log_gone(struct bcos_log *log, u32 id, u32 tag)
{
	struct bcos_seen *larger;
	u32 limit;

	if (!log->seen)
		return;
	if (log->gone_count == log->gone_limit) {
		limit = log->gone_limit ? 2 * log->gone_limit : 64;
		larger = bcos_model_alloc(&log->model, limit * sizeof(*larger));
		if (!larger) {
			bcos_log_forget_walk(log);
			log->needs_walk = true;
			return;
		}
		if (log->gone)
			memcpy(larger, log->gone, log->gone_count * sizeof(*larger));
		bcos_model_free(&log->model, log->gone, log->gone_limit * sizeof(*larger));
		log->gone = larger;
		log->gone_limit = limit;
	}
	log->gone[log->gone_count].id = id;
	log->gone[log->gone_count].tag = tag;
	log->gone_count++;
}

static bool is_gone(const struct bcos_log *log, const struct bcos_seen *seen)
{
	u32 i;

	for (i = 0; i < log->gone_count; i++)
		if (log->gone[i].id == seen->id && log->gone[i].tag == seen->tag)
			return true;
	return false;
}

static void compare_one(struct bcos_log *log, const struct bcos_seen *seen)
{
	struct bcos_process *process = bcos_model_process(&log->model, seen->id);

	if (process && process->tag != seen->tag && process->start >= log->seen_from) {
		process->walk = log->walks;
		return;
	}
	if (!process || process->tag != seen->tag) {
		if (is_gone(log, seen))
			return;
		process = bcos_log_born(log, seen->id, seen->tag, seen->hidden, seen->name);
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
static void cancel_unseen(struct bcos_log *log)
{
	struct bcos_link *link = log->model.recent.next, *next;
	struct bcos_process *process;

	for (; link != &log->model.recent; link = next) {
		next = link->next;
		process = (struct bcos_process *)link;
		if (process->id == BCOS_PROCESS_KERNEL || process->walk == log->walks ||
		    process->start >= log->seen_from)
			continue;
		bcos_log_died(log, process);
		bcos_log_settle(log);
	}
}

void bcos_log_resync(struct bcos_log *log)
{
	struct bcos_seen *seen = log->seen;
	u32 i;

	/* What is written from here on is no news about the walk. */
	log->seen = NULL;
	/* It happened some time before the walk ended, and was lost; it stands behind what was not. */
	bcos_log_at(log, log->time, bcos_reach(log->time, bcos_latest(log->seen_until, log->precision)));
	log->walks++;
	for (i = 0; i < log->seen_count; i++) {
		compare_one(log, &seen[i]);
		bcos_log_settle(log);
	}
	cancel_unseen(log);
	log->seen = seen;
	bcos_log_forget_walk(log);
}
