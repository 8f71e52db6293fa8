// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Wake-ups, from which arrows lead to the turns that follow them. */
#include <errno.h>
#include <stdlib.h>

#include "bcoslog.h"
#include "core/format/phrase.h"
#include "wakes.h"

static void forget_wakes(struct wakes *wakes, u32 process)
{
	struct wake *wake = table_find(&wakes->table, process);

	if (wake)
		item_free(&wakes->table, &wakes->memory, wake, sizeof(*wake));
}

static int process_woken(struct wakes *wakes, const struct bcos_entry *entry, u32 cpu)
{
	struct wake *wake;

	/* Its first wake-up is the one that it waits since. */
	if (table_find(&wakes->table, entry->source))
		return 0;
	wake = item_add(&wakes->table, &wakes->memory, entry->source, sizeof(*wake));
	if (!wake)
		return -ENOMEM;
	wake->cpu = cpu;
	wake->time = entry->time;
	return 0;
}

int wakes_entry(struct wakes *wakes, const struct bcos_entry *entry)
{
	struct bcos_thread_phrase phrase;
	size_t length;
	const char *text;

	if (entry->type == BCOS_CANCEL_PROCESS_NAME)
		forget_wakes(wakes, entry->source);
	if (bcoslog_is_missed(entry)) {
		table_clear(&wakes->table, node_free);
		wakes->memory = 0;
	}
	if (entry->type != BCOS_GENERIC_PROCESS || ((const struct bcos_generic *)entry)->event_id != BCOS_EVENT_TASK_STATE)
		return 0;
	text = bcoslog_text(entry, &length);
	if (!bcos_phrase_thread_parse(text, length, &phrase) || phrase.state != BCOS_STATE_WOKEN || !phrase.has_cpu)
		return 0;
	return process_woken(wakes, entry, phrase.cpu);
}

bool wakes_take(struct wakes *wakes, u32 process, u64 begin, struct wake *wake)
{
	const struct wake *found = table_find(&wakes->table, process);
	bool follows = found && begin >= found->time;

	if (follows)
		*wake = *found;
	forget_wakes(wakes, process);
	return follows;
}

void wakes_free(struct wakes *wakes)
{
	table_destroy(&wakes->table, node_free);
}
