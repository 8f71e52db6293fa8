// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Processes as lines show them: put together once, and kept until their names change. */
#include "command.h"

#define SHOWN 1024
#define SHOWN_TEXT 56

static struct shown {
	u32 id;
	u32 length;			/* 0: nothing */
	char text[SHOWN_TEXT];
} shown[SHOWN];

/* Keeps names that need no escape and are not long; hardly any is otherwise. */
static void show(struct shown *slot, const struct bcoslog_process *process)
{
	const size_t rest = sizeof("process  \"\"") - 1 + DECIMAL_MAX;
	char *at = slot->text;
	size_t i;

	slot->length = 0;
	if (process->name_length > sizeof(slot->text) - rest)
		return;
	for (i = 0; i < process->name_length; i++)
		if (!is_plain((u8)process->name[i]) || process->name[i] == '"')
			return;
	at = decimal(stpcpy(at, "process "), process->id);
	at = mempcpy(stpcpy(at, " \""), process->name, process->name_length);
	*at++ = '"';
	slot->id = process->id;
	slot->length = (u32)(at - slot->text);
}

void put_process(const struct bcoslog_state *state, u32 id)
{
	struct shown *slot = &shown[id % SHOWN];
	const struct bcoslog_process *process;

	if (likely(slot->id == id && slot->length)) {
		memcpy(output.buffer + output.used, slot->text, sizeof(slot->text));
		output.used += slot->length;
		return;
	}
	process = bcoslog_process(state, id);
	put_literal("process ");
	put_number(id);
	if (!process) {
		put_literal(" (unnamed)");
		return;
	}
	put_char(' ');
	put_quoted(process->name, process->name_length);
	show(slot, process);
}

void process_forget(const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_SET_PROCESS_NAME:
	case BCOS_HIST_SET_PROCESS_NAME:
	case BCOS_CANCEL_PROCESS_NAME:
		shown[entry->source % SHOWN].length = 0;
		break;
	case BCOS_GENERIC_DEVICE:
		if (bcoslog_is_missed(entry))
			memset(shown, 0, sizeof(shown));
		break;
	default:
		break;
	}
}
