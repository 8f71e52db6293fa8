// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the wake-up that each turn of a thread follows. */
#include <errno.h>
#include <stdlib.h>

#include "core/format/thread_text.h"
#include "small.h"

static void forget_thread(struct wakes *wakes, u32 id)
{
	struct waking *thread = table_find(&wakes->table, id);

	if (thread)
		item_free(&wakes->table, &wakes->memory, thread, sizeof(*thread));
}

/*
 * Returns a thread of the process @process, or NULL if there is no memory. A thread of this ID in another process is
 * forgotten.
 */
static struct waking *meet_thread(struct wakes *wakes, u32 id, u64 process)
{
	struct waking *thread = table_find(&wakes->table, id);

	if (thread && thread->process == process)
		return thread;
	forget_thread(wakes, id);
	thread = item_add(&wakes->table, &wakes->memory, id, sizeof(*thread));
	if (thread)
		thread->process = process;
	return thread;
}

static void thread_woken(struct waking *thread, const struct bcos_thread_phrase *phrase, u64 time)
{
	/* The thread has waited since the first wake-up, unless that one came before the thread blocked. */
	if (thread->woken && !thread->early)
		return;
	thread->woken = true;
	thread->early = thread->runs;
	thread->wake = (struct wake){
		.from = phrase->cpu, .time = time, .by_thread = phrase->by == BCOS_WOKEN_BY_THREAD,
	};
}

/* Returns true if the turn that begins follows a wake-up. */
static bool thread_runs(struct waking *thread)
{
	/* A thread that was woken in its turn and has not blocked since was preempted. */
	bool follows = thread->woken && !thread->runs;

	thread->runs = true;
	thread->woken = thread->early = false;
	return follows;
}

static bool is_gap(const struct bcos_entry *entry)
{
	return bcoslog_is_missed(entry) || bcoslog_is_loss(entry) ||
	       (entry->type == BCOS_GENERIC_CPU && ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_MASK);
}

int wakes_entry(struct wakes *wakes, const struct bcos_entry *entry, const struct bcoslog_account *account,
		struct wake *wake)
{
	const struct bcoslog_account_process *process;
	struct bcos_thread_phrase phrase;
	struct waking *thread;

	/* The thread with the ID of the process ends with the process, even if the log does not say so. */
	if (entry->type == BCOS_CANCEL_PROCESS_NAME)
		forget_thread(wakes, entry->source);
	if (is_gap(entry)) {
		table_clear(&wakes->table, node_free);
		wakes->memory = 0;
	}
	if (!bcos_thread_told(&phrase, entry))
		return 0;
	process = bcoslog_account_process(account, entry->source);
	if (!process)
		return 0;
	if (phrase.state == BCOS_STATE_DEAD || ((phrase.state == BCOS_STATE_RUNS || phrase.state == BCOS_STATE_WOKEN) &&
						!phrase.has_cpu)) {
		forget_thread(wakes, phrase.thread);
		return 0;
	}
	thread = meet_thread(wakes, phrase.thread, process->serial);
	if (!thread)
		return -ENOMEM;
	if (phrase.state == BCOS_STATE_WOKEN) {
		thread_woken(thread, &phrase, entry->time);
		return 0;
	}
	if (phrase.state != BCOS_STATE_RUNS) {
		thread->runs = false;
		return 0;
	}
	*wake = thread->wake;
	wake->to = phrase.cpu;
	/*
	 * An arrow would begin at the process that had the CPU, which did not wake the thread, or of which that is not
	 * known.
	 */
	return thread_runs(thread) && wake->by_thread;
}

void wakes_free(struct wakes *wakes)
{
	table_destroy(&wakes->table, node_free);
}
