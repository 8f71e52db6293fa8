// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Wake-ups, from which arrows lead to the turns that follow them. */
#include <errno.h>
#include <stdlib.h>

#include "bcoslog.h"
#include "core/format/phrase.h"
#include "wakes.h"

static void release(struct node *node)
{
	free(node);
}

static void forget(struct table *wakes, u32 process)
{
	struct node *node = table_find(wakes, process);

	if (!node)
		return;
	table_remove(wakes, node);
	free(node);
}

static int woken(struct table *wakes, const struct bcos_entry *entry, u32 cpu)
{
	struct wake *wake;

	/* Its first wake-up is the one that it waits since. */
	if (table_find(wakes, entry->source))
		return 0;
	wake = calloc(1, sizeof(*wake));
	if (!wake)
		return -ENOMEM;
	wake->node.id = entry->source;
	wake->cpu = cpu;
	wake->time = entry->time;
	if (!table_add(wakes, &wake->node))
		return 0;
	free(wake);
	return -ENOMEM;
}

int wakes_entry(struct table *wakes, const struct bcos_entry *entry)
{
	struct bcos_thread_phrase phrase;
	size_t length;
	const char *text;

	if (entry->type == BCOS_CANCEL_PROCESS_NAME)
		forget(wakes, entry->source);
	if (bcoslog_is_missed(entry))
		table_clear(wakes, release);
	if (entry->type != BCOS_GENERIC_PROCESS || ((const struct bcos_generic *)entry)->event_id != BCOS_EVENT_TASK_STATE)
		return 0;
	text = bcoslog_text(entry, &length);
	if (!bcos_phrase_thread_parse(text, length, &phrase) || phrase.state != BCOS_STATE_WOKEN || !phrase.has_cpu)
		return 0;
	return woken(wakes, entry, phrase.cpu);
}

bool wakes_take(struct table *wakes, u32 process, u64 begin, struct wake *wake)
{
	const struct wake *found = table_find(wakes, process);
	bool follows = found && begin >= found->time;

	if (follows)
		*wake = *found;
	forget(wakes, process);
	return follows;
}

void wakes_free(struct table *wakes)
{
	table_destroy(wakes, release);
}
