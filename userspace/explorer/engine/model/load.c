// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Loading the model from the bytes of the log. */
#include <stdlib.h>

#include "account/report.h"
#include "core/format/entry.h"
#include "export.h"
#include "grid.h"
#include "state/clock.h"
#include "model.h"

/*
 * Find the item of the process or device of an entry. *@known is true if the account knows it.
 * Return: the number of the item; WHO_NONE if there is none.
 */
static u32 entry_subject(const struct bcos_entry *entry, bool *known)
{
	const struct bcoslog_account_process *process;
	const struct bcoslog_account_device *device;

	*known = false;
	switch (entry->type & BCOS_TYPE_SUBJECT_MASK) {
	case BCOS_SUBJECT_PROCESS:
		process = bcoslog_account_process(model.account, entry->source);
		*known = process;
		return item_of_process(process);
	case BCOS_SUBJECT_DEVICE:
		device = bcoslog_account_device(model.account, entry->source);
		*known = device;
		return item_of_device(device);
	default:
		return WHO_NONE;
	}
}

/* Copies of the entries that state a loss later than it begins. */
static struct {
	char *bytes;
	size_t used;
} late;

/* Return: the bytes that a copy of the entry takes, so that the next one is aligned. */
static size_t late_room(const struct bcos_entry *entry)
{
	return (entry->size + 7u) & ~(size_t)7;
}

static int keep_late(const struct bcos_entry *entry)
{
	struct bcoslog_loss loss;
	char *larger;

	if (!bcoslog_loss(entry, &loss) || !loss.late)
		return 0;
	larger = realloc(late.bytes, late.used + late_room(entry));
	if (!larger)
		return -ENOMEM;
	late.bytes = larger;
	memcpy(late.bytes + late.used, entry, entry->size);
	late.used += late_room(entry);
	return 0;
}

int late_announce(struct bcoslog_account *account)
{
	const struct bcos_entry *entry;
	size_t at;
	int r = 0;

	for (at = 0; !r && at < late.used; at += late_room(entry)) {
		entry = (const struct bcos_entry *)(late.bytes + at);
		r = bcoslog_account_coming(account, entry);
	}
	return r;
}

static int take_event(const struct bcos_entry *entry)
{
	bool known, now;
	u32 item = entry_subject(entry, &known);
	int r = bcoslog_account_entry(model.account, entry) ?: keep_late(entry);

	if (r)
		return r;
	if (!known && (entry->type == BCOS_SET_PROCESS_NAME || entry->type == BCOS_SET_DEVICE_NAME))
		item = entry_subject(entry, &now);
	event_entry(entry, known, item);
	r = bcoslog_clock_learn(model.clock, entry);
	return r < 0 ? r : 0;
}

static int load_entry(void *context, const struct bcos_entry *entry)
{
	(void)context;
	model.entries++;
	switch (entry->type) {
	case BCOS_ASSIGN_CPU:
	case BCOS_IRQ:
	case BCOS_DEVICE_INPUT:
	case BCOS_DEVICE_OUTPUT:
		return bcoslog_account_entry(model.account, entry);
	default:
		if (entry->type & BCOS_TYPE_HISTORICAL)
			return bcoslog_account_entry(model.account, entry);
		return take_event(entry);
	}
}

/* Begin to load a log.  Return: 0 or -ENOMEM. */
EXPORT(load_begin) int load_begin(void)
{
	static const struct bcoslog_account_options options = {
		.interval = course_interval, .segment = course_segment, .process_ended = process_ended,
		.device_ended = device_ended, .transfer = course_transfer, .interrupt = course_interrupt,
	};

	model.reader = reader_new();
	model.account = bcoslog_account_new(&options);
	model.clock = bcoslog_clock_new();
	return model.reader && model.account && model.clock ? 0 : -ENOMEM;
}

/* Load the next @size bytes of the log.  Return: 0; -EILSEQ if the bytes are no log; -ENOMEM. */
EXPORT(load_part) int load_part(const u8 *part, u32 size)
{
	return size ? reader_feed(model.reader, part, size, load_entry, NULL) : 0;
}

static void load_settled(void)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(model.account);

	model.begin = totals->begin;
	model.end = totals->end;
	items_settled();
	grid_build();
}

/* Complete the model up to the last entry. Another load_part() may follow.  Return: as load_part(). */
EXPORT(load_pause) int load_pause(void)
{
	int r = reader_pause(model.reader, load_entry, NULL);

	bcoslog_account_settle(model.account);
	course_pause();
	load_settled();
	return r;
}

/* Complete the model at the end of the log.  Return: as load_part(). */
EXPORT(load_end) int load_end(void)
{
	int r = reader_feed(model.reader, NULL, 0, load_entry, NULL);

	bcoslog_account_end(model.account);
	load_settled();
	return r;
}

EXPORT(memory_new) void *memory_new(u32 size)
{
	return malloc(size);
}

EXPORT(memory_free) void memory_free(void *memory)
{
	free(memory);
}
