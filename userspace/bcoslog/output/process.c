// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A cache of the texts by which lines show processes. A text is valid until the name of its process changes. */
#include "output.h"
#include "process.h"

#define ID_DIGITS 10

/*
 * Writes the text of the process into the slot, if its name is short and needs no escape, as nearly all are.
 * Return: whether the text was written.
 */
static bool show_name(const struct lines *lines, struct shown *slot, const struct bcoslog_process *process)
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
	slot->generation = lines->generation;
	slot->id = process->id;
	slot->length = (u32)(at - slot->text);
	return true;
}

void put_process(struct lines *lines, u32 id)
{
	struct shown *slot = &lines->shown[id % SHOWN];
	const struct bcoslog_process *process;

	if (unlikely(slot->id != id || slot->generation != lines->generation)) {
		process = bcoslog_process(lines->state, id);
		if (!show_name(lines, slot, process)) {
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

void process_forget(struct lines *lines, const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_SET_PROCESS_NAME:
	case BCOS_HIST_SET_PROCESS_NAME:
	case BCOS_CANCEL_PROCESS_NAME:
		lines->shown[entry->source % SHOWN].generation = 0;
		break;
	case BCOS_GENERIC_DEVICE:
		lines->generation += bcoslog_is_missed(entry);
		break;
	default:
		break;
	}
}

void process_forget_all(struct lines *lines)
{
	lines->generation++;
}
