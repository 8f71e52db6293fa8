// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A cache of the texts by which lines show processes. A text is valid until the name of its process changes. */
#include "output.h"
#include "process.h"

#define SHOWN 4096
#define SHOWN_TEXT 48
#define ID_DIGITS 10

static struct shown {
	u64 generation;			/* the text is valid if this is name_generation */
	u32 id;
	u32 length;
	char text[SHOWN_TEXT];
} shown[SHOWN];

static u64 name_generation = 1;

/*
 * Writes the text of the process into the slot, if its name is short and needs no escape, as nearly all are.
 * Return: whether the text was written.
 */
static bool show_name(struct shown *slot, const struct bcoslog_process *process)
{
	const size_t rest = sizeof("process  \"\"") - 1 + ID_DIGITS;
	char *at = slot->text;
	size_t i;

	if (!process || process->name_length > sizeof(slot->text) - rest)
		return false;
	for (i = 0; i < process->name_length; i++)
		if (!is_plain((u8)process->name[i]) || process->name[i] == '"')
			return false;
	at = decimal_put(stpcpy(at, "process "), process->id);
	at = mempcpy(stpcpy(at, " \""), process->name, process->name_length);
	*at++ = '"';
	slot->generation = name_generation;
	slot->id = process->id;
	slot->length = (u32)(at - slot->text);
	return true;
}

void put_process(const struct bcoslog_state *state, u32 id)
{
	struct shown *slot = &shown[id % SHOWN];
	const struct bcoslog_process *process;

	if (unlikely(slot->id != id || slot->generation != name_generation)) {
		process = bcoslog_process(state, id);
		if (!show_name(slot, process)) {
			put_literal("process ");
			put_number(id);
			put_literal(" ");
			if (process)
				put_quoted(process->name, process->name_length);
			else
				put_literal("(unnamed)");
			return;
		}
	}
	memcpy(output.buffer + output.used, slot->text, sizeof(slot->text));
	output.used += slot->length;
}

void process_forget(const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_SET_PROCESS_NAME:
	case BCOS_HIST_SET_PROCESS_NAME:
	case BCOS_CANCEL_PROCESS_NAME:
		shown[entry->source % SHOWN].generation = 0;
		break;
	case BCOS_GENERIC_DEVICE:
		name_generation += bcoslog_is_missed(entry);
		break;
	default:
		break;
	}
}

void process_forget_all(void)
{
	name_generation++;
}
