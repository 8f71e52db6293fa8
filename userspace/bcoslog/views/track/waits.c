// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Measures waits for a CPU: see waits.h. */
#include "waits.h"
#include "account/report.h"
#include "core/format/thread_text.h"

/*
 * @known: the log tells the states of threads, since @since, and did so first at @first. @runs: it also tells when
 * threads get a CPU. @doubt: up to then states may be missing, since entries are lost, or the classes changed.
 */
static struct {
	bool known, runs;
	u64 first, since, doubt;
} states;

static bool is_state(const struct bcos_entry *entry, struct bcoslog_thread *state)
{
	if (bcoslog_thread(state, entry) || state->state >= BCOS_STATES)
		return false;
	/* Here interrupts are of one kind. */
	if (bcos_is_interrupt((enum bcos_woken_by)state->by))
		state->by = BCOSLOG_WOKEN_BY_INTERRUPT;
	if (!states.known)
		states.since = entry->time;
	if (!states.first)
		states.first = entry->time;
	states.known = true;
	states.runs |= state->state == BCOS_STATE_RUNS;
	return true;
}

static void doubt_until(const struct bcos_entry *entry)
{
	u64 end = entry->time > UINT64_MAX - entry->precision ? UINT64_MAX : entry->time + entry->precision;
	struct bcoslog_loss loss;

	if (bcoslog_loss(entry, &loss)) {
		/* Losses of other kinds leave no doubt about states. */
		if (!(loss.lost & BCOSLOG_LOST_STATES))
			return;
		end = loss.end > end ? loss.end : end;
	}
	if (end > states.doubt)
		states.doubt = end;
}

bool waits_tells(const struct bcos_entry *entry, struct bcoslog_thread *state)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;

	switch (entry->type) {
	case BCOS_GENERIC_PROCESS:
		return is_state(entry, state);
	case BCOS_GENERIC_CPU:
		if (event->event_id == BCOS_EVENT_MASK)
			states.known = false;
		if (event->event_id == BCOS_EVENT_MASK || bcoslog_is_loss(entry))
			doubt_until(entry);
		break;
	case BCOS_GENERIC_DEVICE:
		if (bcoslog_is_missed(entry))
			doubt_until(entry);
		break;
	default:
		break;
	}
	return false;
}

static void set_woken(struct waits *waits, const struct report *report, u64 time, bool surmised)
{
	waits->woken = time;
	waits->unseen = bcoslog_account_unseen(report->account, time);
	waits->surmised = surmised;
}

/* Takes a thread that blocks. If it was woken before the log says that it blocks (bcoslog(5)), its wait begins now. */
static void begin_wait(struct waits *waits, const struct report *report, const struct bcoslog_thread *state,
		       u64 time)
{
	waits->blocked = true;
	if (waits->early && waits->early == state->thread && !waits->woken)
		set_woken(waits, report, time, true);
}

void waits_state(struct waits *waits, const struct report *report, const struct bcoslog_account_process *process,
		 const struct bcoslog_thread *state, u64 time)
{
	const struct bcoslog_waker waker = { .by = state->by, .process = state->waker, .thread = state->waker_thread };

	if (state->state == BCOS_STATE_RUNS) {
		/* If another thread runs on the CPU of a thread that blocked, the process did not give up the CPU. */
		waits->blocked &= !process->cpus;
		waits->returns |= !process->cpus;
		return;
	}
	if (state->state != BCOS_STATE_WOKEN) {
		begin_wait(waits, report, state, time);
		return;
	}
	/* A process that has a CPU does not wait. A process that was woken twice waits since the first time. */
	if (process->cpus) {
		waits->early = state->thread;
		if (!waits->woken)
			waits->waker = waker;
	} else if (!waits->woken || waits->surmised) {
		set_woken(waits, report, time, false);
		waits->waker = waker;
	}
}

/*
 * Counts a wait from @since to @time, in which the process may have run unseen for @unknown ns. @cut: it began before
 * @since.  Return: its length.
 */
static u64 count_wait(struct waits *waits, const struct report *report, u64 since, u64 time, u64 unknown, bool cut)
{
	u64 span = time - since;

	waits->last_unknown = 0;
	if (time < since || !report_counts(report, time))
		return 0;
	waits->last_unknown = unknown;
	if (unknown) {
		waits->unsure++;
		if (span > waits->unsure_longest)
			waits->unsure_longest = span;
		return span;
	}
	waits->count++;
	sum_add(&waits->sum, span);
	waits->cut |= cut;
	if (span > waits->longest || !waits->longest_at) {
		waits->longest = span;
		waits->longest_at = time;
		waits->longest_cut = cut;
		waits->longest_waker = waits->waker;
	}
	return span;
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
	u64 waited = 0;

	waits->last_unknown = 0;
	if (waits->woken)
		waited = count_wait(waits, report, waits->woken, time,
				    bcoslog_account_unseen(report->account, time) - waits->unseen, false);
	waits_pass(waits);
	return waited;
}

u64 waits_off(struct waits *waits, const struct report *report, const struct bcoslog_stretch *off)
{
	bool doubt = states.doubt >= off->begin;
	bool told = doubt ? states.first && states.first < off->begin : states.known && states.since < off->begin;
	bool preempted = waits->preempted && told;

	waits->preempted = false;
	if (!preempted)
		return 0;
	/* Where states may be missing, the process may have blocked, so all of the wait is uncertain. */
	return count_wait(waits, report, off->begin, off->end, doubt ? off->end - off->begin : off->unknown, off->cut);
}

struct cell thread_name_cell(const struct bcoslog_account_thread *thread)
{
	if (thread->id == thread->process->id)
		return cell_name(thread->process->name, thread->process->name_length);
	return thread->name_length ? cell_name(thread->name, thread->name_length) : CELL_NONE;
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
