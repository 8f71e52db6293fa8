// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A reader's cursor: see cursor.h. */
#include "core/format/entry.h"
#include "core/format/phrase.h"
#include "cursor.h"

/*
 * Writes the notice of missed entries, which only this reader gets. Returns its size, or -EMSGSIZE.
 */
static long write_notice(const struct bcos_cursor *cursor, const struct bcos_mark *oldest, void *to,
			 size_t room)
{
	struct bcos_generic *entry = to;
	char text[BCOS_CURSOR_ROOM - sizeof(*entry)];
	size_t length, size;

	length = (size_t)bcos_phrase_missed(text, sizeof(text), oldest->entry - cursor->place.entry,
					    oldest->offset - cursor->place.offset);
	size = bcos_entry_size(BCOS_GENERIC_TEXT, length);
	if (size > room)
		return -EMSGSIZE;
	memset(entry, 0, size);
	entry->header.size = (u16)size;
	entry->header.type = BCOS_GENERIC_DEVICE;
	entry->header.source = BCOS_DEVICE_SELF;
	entry->header.time = cursor->time;
	entry->event_id = BCOS_EVENT_MISSED;
	entry->severity = BCOS_SEVERITY_ERROR;
	memcpy(entry->text, text, length);
	return (long)size;
}

/*
 * Returns the latest time in @entries, or @newest if that is later. Historical entries bear earlier
 * times.
 */
static u64 newest_time(const void *entries, size_t size, u64 newest)
{
	const struct bcos_entry *entry;
	size_t at;

	for (at = 0; at < size; at += entry->size) {
		entry = (const struct bcos_entry *)((const u8 *)entries + at);
		if (entry->time > newest)
			newest = entry->time;
	}
	return newest;
}

long bcos_cursor_read(const struct bcos_ring *ring, const struct bcos_cursor *cursor, u64 end,
		      void *to, size_t size, struct bcos_cursor *next)
{
	struct bcos_marks marks;
	u64 entries;
	long part;

	*next = *cursor;
	do {
		bcos_ring_marks(ring, &marks);
		if (cursor->place.offset < marks.oldest.offset) {
			part = write_notice(cursor, &marks.oldest, to, size);
			next->place = marks.oldest;
			return part;
		}
		if (marks.head.offset < end)
			end = marks.head.offset;
		if (cursor->place.offset >= end)
			return 0;
		part = bcos_ring_copy(ring, &cursor->place, end, to, size, &entries);
		if (!part)
			return -EMSGSIZE;
	} while (part == -EAGAIN);
	next->place.offset += (u64)part;
	next->place.entry += entries;
	next->time = newest_time(to, (size_t)part, cursor->time);
	return part;
}
