// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The check of the rule that no historical entry states an object that ended before. */
#include <stdlib.h>

#include "check.h"

static struct table *table_of(struct bcoslog_check *check, u16 type)
{
	return &check->ended[(type & BCOS_TYPE_SUBJECT_MASK) >> 13];
}

int ended_init(struct bcoslog_check *check)
{
	size_t i;

	for (i = 0; i < 4; i++)
		if (table_init(&check->ended[i]))
			return -ENOMEM;
	return 0;
}

void ended_free(struct bcoslog_check *check)
{
	size_t i;

	for (i = 0; i < 4; i++)
		table_destroy(&check->ended[i], node_free);
}

void ended_clear(struct bcoslog_check *check)
{
	size_t i;

	for (i = 0; i < 4; i++)
		table_clear(&check->ended[i], node_free);
}

/* Find when the object that ends with this entry began.  Return: true if the log says so. */
static bool start_of(const struct bcoslog_check *check, const struct bcos_entry *entry, u64 *start)
{
	const struct bcoslog_process *process;
	const struct bcoslog_device *device;
	const struct bcoslog_core *core;
	const struct bcoslog_cpu *cpu;

	switch (entry->type) {
	case BCOS_CANCEL_PROCESS_NAME:
		process = bcoslog_process(check->state, entry->source);
		*start = process ? process->start : 0;
		return process;
	case BCOS_CANCEL_DEVICE_NAME:
		device = bcoslog_device(check->state, entry->source);
		*start = device ? device->start : 0;
		return device;
	case BCOS_CORE_OFFLINE:
		core = bcoslog_core(check->state, entry->source);
		*start = core ? core->start : 0;
		return core;
	default:
		cpu = bcoslog_cpu(check->state, entry->source);
		*start = cpu ? cpu->start : 0;
		return cpu;
	}
}

static int note_end(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	struct table *table = table_of(check, entry->type);
	struct ended *ended = table_find(table, entry->source);
	u64 start;

	if (!start_of(check, entry, &start))
		return 0;
	if (!ended) {
		ended = item_add(table, &check->state->memory, entry->source, sizeof(*ended));
		if (!ended)
			return -ENOMEM;
	}
	ended->start = start;
	ended->end = entry->time;
	return 0;
}

static void note_begin(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	struct table *table = table_of(check, entry->type);
	struct ended *ended = table_find(table, entry->source);

	if (!ended)
		return;
	item_free(table, &check->state->memory, ended, sizeof(*ended));
}

int ended_note(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	if (bcos_type_ends(entry->type))
		return note_end(check, entry);
	if (bcos_type_begins(entry->type) && !(entry->type & BCOS_TYPE_HISTORICAL))
		note_begin(check, entry);
	return 0;
}

void ended_judge(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	const struct ended *ended = table_find(table_of(check, entry->type), entry->source);
	u64 latest = entry->time + entry->precision;

	if (!ended || entry->type == BCOS_HIST_ASSIGN_CPU)
		return;
	/* The entry states the next owner of the ID, whose beginning was lost. */
	if (entry->time != ended->start && (latest >= ended->end || entry->precision == 0xFFFFFFFFu))
		return;
	violation(check, "history-ended", "%s of what has ended: %s 0x%08X did at %llu ns",
		  bcoslog_type_name(entry->type), bcoslog_subject(entry->type), entry->source,
		  (unsigned long long)ended->end);
}
