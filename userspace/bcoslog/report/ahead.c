// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Holds back entries: see ahead.h. */
#include <stdlib.h>

#include "ahead.h"

static struct {
	char *bytes;
	size_t at, used, room;
	__u64 offset;			/* of the byte at @at */
} held;

int ahead_hold(const struct bcoslog_batch *batch)
{
	size_t size = (size_t)((const char *)batch->end - (const char *)batch->first), room = held.room;
	char *larger;

	if (held.at && held.used + size > held.room) {
		memmove(held.bytes, held.bytes + held.at, held.used - held.at);
		held.used -= held.at;
		held.at = 0;
	}
	while (held.used + size > room)
		room = room ? 2 * room : (size_t)1 << 16;
	if (room != held.room) {
		larger = realloc(held.bytes, room);
		if (!larger)
			return -ENOMEM;
		held.bytes = larger;
		held.room = room;
	}
	if (held.at == held.used)
		held.offset = batch->offset;
	memcpy(held.bytes + held.used, batch->first, size);
	held.used += size;
	return 0;
}

bool ahead_take(struct bcoslog_batch *batch, bool all)
{
	size_t limit = all ? held.used : held.used - held.at > AHEAD_BYTES ? held.used - AHEAD_BYTES : held.at;
	const struct bcos_entry *entry = (const struct bcos_entry *)(held.bytes + held.at);

	/* Bytes are moved after a take, so a take is worth the while only if it is long. */
	if (held.at == held.used || (!all && limit - held.at < AHEAD_BYTES / 4))
		return false;
	batch->first = entry;
	batch->offset = held.offset;
	while ((const char *)entry < held.bytes + limit)
		entry = bcoslog_after(entry);
	batch->end = entry;
	held.offset += (__u64)((const char *)entry - (held.bytes + held.at));
	held.at = (size_t)((const char *)entry - held.bytes);
	return true;
}
