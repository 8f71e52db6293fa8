// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Waits for a CPU: see waits.h. */
#include "waits.h"

/* The log tells of states from @since on. */
static struct {
	bool known;
	u64 since;
} states;

static bool ends_in(const char *text, size_t length, const char *word)
{
	return length > strlen(word) && !memcmp(text + length - strlen(word), word, strlen(word));
}

static enum waits_event state_of(const struct bcos_entry *entry)
{
	size_t length;
	const char *text = bcoslog_text(entry, &length);

	if (!states.known)
		states.since = entry->time;
	states.known = true;
	if (ends_in(text, length, " woken"))
		return WAITS_WOKEN;
	return ends_in(text, length, " runs") ? WAITS_NONE : WAITS_BLOCKED;
}

enum waits_event waits_event(const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;

	switch (entry->type) {
	case BCOS_GENERIC_PROCESS:
		if (event->event_id == BCOS_EVENT_TASK_STATE)
			return state_of(entry);
		break;
	case BCOS_GENERIC_CPU:
		/* Other classes than before, or a loss. */
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
	return WAITS_NONE;
}

void waits_blocked(struct waits *waits)
{
	waits->blocked = true;
}

void waits_begin(struct waits *waits, const struct bcoslog_account_process *process, u64 time)
{
	/* A process that has a CPU does not wait for one; one that was woken twice waits since the first time. */
	if (!process->cpus && !waits->woken)
		waits->woken = time;
}

static u64 count(struct waits *waits, const struct report *report, u64 since, u64 time)
{
	if (time < since || !report_counts(report, time))
		return 0;
	waits->count++;
	waits->sum += time - since;
	if (time - since > waits->longest || !waits->longest_at) {
		waits->longest = time - since;
		waits->longest_at = time;
	}
	return time - since;
}

u64 waits_end(struct waits *waits, const struct report *report, u64 time)
{
	u64 since = waits->woken;

	waits->woken = 0;
	waits->preempted = !since && !waits->blocked;
	waits->blocked = false;
	return since ? count(waits, report, since, time) : 0;
}

u64 waits_off(struct waits *waits, const struct report *report, u64 begin, u64 end)
{
	bool preempted = waits->preempted && states.known && states.since < begin;

	waits->preempted = false;
	return preempted ? count(waits, report, begin, end) : 0;
}
