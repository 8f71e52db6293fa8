// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Measures waits for a CPU: see waits.h. */
#include "waits.h"

/* @known: the log tells the states of threads, from @since on. @runs: it also tells when threads get a CPU. */
static struct {
	bool known, runs;
	u64 since;
} states;

static bool is_state(const struct bcos_entry *entry, struct bcoslog_thread_state *state)
{
	size_t length;
	const char *text = bcoslog_text(entry, &length);

	if (bcoslog_thread_state(state, text, length))
		return false;
	if (!states.known)
		states.since = entry->time;
	states.known = true;
	states.runs |= state->state == BCOS_STATE_RUNS;
	return true;
}

bool waits_tells(const struct bcos_entry *entry, struct bcoslog_thread_state *state)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;

	switch (entry->type) {
	case BCOS_GENERIC_PROCESS:
		if (event->event_id == BCOS_EVENT_TASK_STATE)
			return is_state(entry, state);
		break;
	case BCOS_GENERIC_CPU:
		/* The class mask changed, or entries are lost. */
		if (event->event_id == BCOS_EVENT_MASK || bcoslog_is_loss(entry))
			states.known = false;
		break;
	case BCOS_GENERIC_DEVICE:
		if (bcoslog_is_missed(entry))
			states.known = false;
		break;
	default:
		break;
	}
	return false;
}

/* Takes a thread that blocks. If it was woken before the log says that it blocks (bcoslog(5)), its wait begins now. */
static void begin_wait(struct waits *waits, const struct bcoslog_thread_state *state, u64 time)
{
	waits->blocked = true;
	if (!waits->early || waits->early != state->thread || waits->woken)
		return;
	waits->woken = time;
	waits->surmised = true;
}

void waits_state(struct waits *waits, const struct bcoslog_account_process *process,
		 const struct bcoslog_thread_state *state, u64 time)
{
	const struct bcoslog_waker waker = { .by = state->by, .process = state->waker, .thread = state->waker_thread };

	if (state->state == BCOS_STATE_RUNS) {
		/* If another thread runs on the CPU of a thread that blocked, the process did not give up the CPU. */
		waits->blocked &= !process->cpus;
		waits->returns |= !process->cpus;
		return;
	}
	if (state->state != BCOS_STATE_WOKEN) {
		begin_wait(waits, state, time);
		return;
	}
	/* A process that has a CPU does not wait. A process that was woken twice waits since the first time. */
	if (process->cpus) {
		waits->early = state->thread;
		if (!waits->woken)
			waits->waker = waker;
	} else if (!waits->woken || waits->surmised) {
		waits->woken = time;
		waits->surmised = false;
		waits->waker = waker;
	}
}

static u64 count_wait(struct waits *waits, const struct report *report, u64 since, u64 time)
{
	if (time < since || !report_counts(report, time))
		return 0;
	waits->count++;
	waits->sum += time - since;
	if (time - since > waits->longest || !waits->longest_at) {
		waits->longest = time - since;
		waits->longest_at = time;
		waits->longest_waker = waits->waker;
	}
	return time - since;
}

void waits_pass(struct waits *waits)
{
	waits->last_waker = waits->woken ? waits->waker : (struct bcoslog_waker){ 0 };
	/* A process that gets its CPU back without "runs" was in a system call (class kernel_time). */
	waits->preempted = !waits->woken && !waits->blocked && (waits->returns || !states.runs);
	waits->returns = false;
	waits->woken = 0;
	waits->early = 0;
	waits->waker = (struct bcoslog_waker){ 0 };
	waits->blocked = false;
}

u64 waits_end(struct waits *waits, const struct report *report, u64 time)
{
	u64 waited = waits->woken ? count_wait(waits, report, waits->woken, time) : 0;

	waits_pass(waits);
	return waited;
}

u64 waits_off(struct waits *waits, const struct report *report, u64 begin, u64 end)
{
	bool preempted = waits->preempted && states.known && states.since < begin;

	waits->preempted = false;
	return preempted ? count_wait(waits, report, begin, end) : 0;
}

struct cell waits_waker(const struct bcoslog_waker *waker, char *text, size_t size)
{
	switch (waker->by) {
	case BCOSLOG_WOKEN_BY_THREAD:
		snprintf(text, size, "process %u thread %u", waker->process, waker->thread);
		return CELL_WORD(text);
	case BCOSLOG_WOKEN_BY_INTERRUPT:
		return CELL_WORD("an interrupt");
	case BCOSLOG_WOKEN_BY_EITHER:
		snprintf(text, size, "an interrupt or process %u thread %u", waker->process, waker->thread);
		return CELL_WORD(text);
	default:
		return CELL_NONE;
	}
}
