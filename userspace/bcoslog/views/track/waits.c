// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Waits for a CPU: see waits.h. */
#include "waits.h"

bool waits_is_woken(const struct bcos_entry *entry)
{
	static const char word[] = " woken";
	size_t length;
	const char *text;

	if (entry->type != BCOS_GENERIC_PROCESS ||
	    ((const struct bcos_generic *)entry)->event_id != BCOS_EVENT_TASK_STATE)
		return false;
	text = bcoslog_text(entry, &length);
	return length > sizeof(word) && !memcmp(text + length - (sizeof(word) - 1), word, sizeof(word) - 1);
}

void waits_begin(struct waits *waits, const struct bcoslog_account_process *process, u64 time)
{
	/* Who has a CPU already does not wait for one, and who was woken twice has waited since the first time. */
	if (!process->cpus && !waits->woken)
		waits->woken = time;
}

u64 waits_end(struct waits *waits, const struct report *report, u64 time)
{
	u64 since = waits->woken;

	waits->woken = 0;
	if (!since || time < since || !report_counts(report, time))
		return 0;
	waits->count++;
	waits->sum += time - since;
	if (time - since > waits->longest || !waits->longest_at) {
		waits->longest = time - since;
		waits->longest_at = time;
	}
	return time - since;
}
