// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Names threads that are no leaders (class state): from records of their births and renames, and
 * from walks of the task list. A thread ends with the record of its last switch.
 */
#include "core/model/thread.h"
#include "core/write/dropped.h"
#include "core/write/emit.h"
#include "core/write/group.h"
#include "rules.h"

/* So many threads may come before a walk looks whether those that the model has are still there. */
#define UNWALKED_MAX 4096

/*
 * Lost records may be of ends of threads, so the model might grow as long as there are new IDs. A
 * walk finds out, before there are more than twice as many as the last one found.
 */
static void bound_threads(struct bcos_log *log)
{
	const struct bcos_threads *all = &log->model.threads;

	if (all->index.count > 2ull * all->found + UNWALKED_MAX)
		log->needs_walk = true;
}

/* Returns the thread @id of @process, which may be new; or NULL if there is no memory. */
static struct bcos_thread *thread_of(struct bcos_log *log, const struct bcos_process *process,
				     u32 id)
{
	struct bcos_thread *thread = bcos_model_thread(&log->model, id);

	if (thread && thread->process == process->id && thread->tag == process->tag)
		return thread;
	thread = bcos_model_add_thread(&log->model, id, process);
	if (!thread)
		bcos_log_starved(log);
	bound_threads(log);
	return thread;
}

/* Gives a thread a name, and states it if it is another one. */
static void name_thread(struct bcos_log *log, struct bcos_thread *thread, const char *comm)
{
	thread->named = log->time;
	if (!bcos_model_name_thread(thread, comm))
		return;
	bcos_emit_thread(log, thread);
	bcos_log_settle(log);
}

void bcos_threads_apply(struct bcos_log *log, const struct bcos_raw *raw)
{
	const struct bcos_raw_life *life = (const struct bcos_raw_life *)(raw + 1);
	const struct bcos_process *process = bcos_model_process(&log->model, raw->id);
	struct bcos_thread *thread;

	if (!process || process->tag != life->tag || life->status == raw->id)
		return;
	thread = thread_of(log, process, life->status);
	if (thread)
		name_thread(log, thread, (const char *)(raw + 2));
}

void bcos_threads_ended(struct bcos_log *log, u32 id, u32 thread_id)
{
	const struct bcos_process *process = bcos_model_process(&log->model, id);
	struct bcos_thread *thread = bcos_model_thread(&log->model, thread_id);

	if (thread_id == id)
		return;
	/* A walk may have seen it before. */
	if (process)
		bcos_log_gone(log, thread_id, process->tag);
	/* Often the process is gone, since its last threads end after it. */
	if (thread && thread->process == id && (!process || thread->tag == process->tag))
		bcos_model_remove_thread(&log->model, thread);
}

bool bcos_threads_prime(struct bcos_log *log, const struct bcos_seen *seen)
{
	const struct bcos_process *process = bcos_model_process(&log->model, seen->id);
	struct bcos_thread *thread;

	if (!process || process->tag != seen->tag)
		return true;
	thread = bcos_model_add_thread(&log->model, seen->thread, process);
	if (thread)
		bcos_model_name_thread(thread, seen->name);
	return thread;
}

void bcos_threads_compare(struct bcos_log *log, const struct bcos_seen *seen)
{
	const struct bcos_process *process = bcos_model_process(&log->model, seen->id);
	struct bcos_thread *thread = bcos_model_thread(&log->model, seen->thread);

	if (!process || process->tag != seen->tag || !(log->mask & BCOS_CLASS_STATE) ||
	    bcos_log_is_gone(log, seen->thread, seen->tag))
		return;
	/* What a record said since the walk began is newer. */
	if (!thread || thread->named < log->seen_from) {
		thread = thread_of(log, process, seen->thread);
		if (thread)
			name_thread(log, thread, seen->name);
	}
	if (thread)
		thread->walk = log->walks;
}

void bcos_threads_forget_unseen(struct bcos_log *log)
{
	struct bcos_thread *thread = log->model.threads.oldest, *newer;

	for (; thread; thread = newer) {
		newer = thread->newer;
		if (thread->walk != log->walks && thread->named < log->seen_from)
			bcos_model_remove_thread(&log->model, thread);
	}
	log->model.threads.found = log->model.threads.index.count;
}
