// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Remembers the statements of a log: see statements.h. */
#include "core/format/statement_text.h"
#include "statements.h"

static u32 event_id(const struct stated *stated)
{
	return ((const struct bcos_generic *)stated->room)->event_id;
}

void statements_learn(struct statements *statements, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	struct stated *stated;

	if (!bcoslog_is_statement(entry) || entry->size > sizeof(stated->room))
		return;
	for (stated = statements->of; stated < statements->of + STATEMENTS_MAX; stated++) {
		if (stated->size && event_id(stated) != event->event_id)
			continue;
		stated->size = entry->size;
		memcpy(stated->room, entry, entry->size);
		return;
	}
}

/* Makes the event state the wall clock at @time. */
static void move_clock(struct bcos_generic *event, const struct bcoslog_wall *shown, u64 time)
{
	char text[BCOS_CLOCK_TEXT];
	int n = bcos_clock_format(text, sizeof(text), bcoslog_wall_time(shown, time));

	memset(event->text, 0, sizeof(text));
	event->header.size = (u16)((BCOS_GENERIC_TEXT + (size_t)n + 3) & ~(size_t)3);
	memcpy(event->text, text, (size_t)n);
}

int statements_put(struct statements *statements, u64 time, int (*put)(void *context, const struct bcos_entry *entry),
		   void *context)
{
	struct bcoslog_wall shown;
	struct bcos_generic *event;
	struct stated *stated;
	int r = 0;

	for (stated = statements->of; !r && stated < statements->of + STATEMENTS_MAX && stated->size; stated++) {
		event = (struct bcos_generic *)stated->room;
		if (bcoslog_wall_clock(&event->header, &shown))
			move_clock(event, &shown, time);
		event->header.time = time;
		r = put(context, &event->header);
	}
	return r;
}

void statements_forget(struct statements *statements)
{
	memset(statements, 0, sizeof(*statements));
}
