// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes an LTT trace from its beginning to its end. Entries are held until the first one that is an event. */
#include <stdlib.h>

#include "write.h"

int ltt_writer_begin(struct ltt_writer *writer, const char *folder)
{
	memset(writer, 0, sizeof(*writer));
	writer->folder = strdup(folder);
	writer->state = bcoslog_state_new();
	if (!writer->folder || !writer->state || table_init(&writer->more_cpus) || table_init(&writer->devices))
		return ltt_fail(writer, -ENOMEM, "trace");
	return 0;
}

static int hold_entry(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	size_t room = writer->held_room ? writer->held_room : 65536;
	u8 *held;

	while (room < writer->held_size + entry->size)
		room *= 2;
	if (room != writer->held_room) {
		held = realloc(writer->held, room);
		if (!held)
			return ltt_fail(writer, -ENOMEM, "group");
		writer->held = held;
		writer->held_room = room;
	}
	memcpy(writer->held + writer->held_size, entry, entry->size);
	writer->held_size += entry->size;
	return 0;
}

/*
 * Writes the held entries: the first group and the statements after it. Their events get the time of the first entry
 * that is not historical.
 */
static int put_held(struct ltt_writer *writer)
{
	const u8 *at, *end = writer->held + writer->held_size;
	const struct bcos_entry *entry;
	struct bcoslog_wall wall;
	bool found = false;
	int r;

	for (at = writer->held; at < end; at += entry->size) {
		entry = (const struct bcos_entry *)at;
		if (!(entry->type & BCOS_TYPE_HISTORICAL) && !found) {
			writer->now = entry->time;
			found = true;
		} else if (!found && entry->time > writer->now) {
			writer->now = entry->time;
		}
		if (!writer->wall && bcoslog_wall_clock(entry, &wall) && wall.utc >= wall.boot)
			writer->wall = wall.utc - wall.boot;
	}
	writer->first = writer->now;
	writer->begun = true;
	r = ltt_files_begin(writer);
	for (at = writer->held; !r && at < end; at += entry->size) {
		entry = (const struct bcos_entry *)at;
		r = ltt_put_next(writer, entry);
	}
	free(writer->held);
	writer->held = NULL;
	writer->held_size = writer->held_room = 0;
	return r;
}

int ltt_writer_entry(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	int r;

	if (likely(writer->begun))
		return ltt_put_next(writer, entry);
	r = hold_entry(writer, entry);
	if (!r && ((!(entry->type & BCOS_TYPE_HISTORICAL) && !bcoslog_is_statement(entry)) ||
		   writer->held_size > LTT_HELD_MAX))
		r = put_held(writer);
	return r;
}

int ltt_writer_forget(struct ltt_writer *writer)
{
	bcoslog_state_forget(writer->state);
	return ltt_lose_cpus(writer);
}

int ltt_writer_end(struct ltt_writer *writer)
{
	int r = writer->begun ? 0 : put_held(writer);

	return r ? r : ltt_files_end(writer);
}
