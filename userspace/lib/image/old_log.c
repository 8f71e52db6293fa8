// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The log that the image has: see recovery.h. Its bytes may be damaged, and are checked as a reader does. */
#include "core/format/entry.h"
#include "entry/gap.h"
#include "recovery.h"

/* So many well-formed entries in a row, of which the first begins a group, are taken for a part of the log. */
#define RECOGNISED 4

/* Do the bytes from @at on look like a group? */
static bool is_group(const u8 *at, size_t left)
{
	struct bcos_entry header;
	u32 count;

	for (count = 0; count < RECOGNISED; count++) {
		if (left < sizeof(header) || bcos_entry_check(at, left) != BCOS_WELL_FORMED)
			return false;
		memcpy(&header, at, sizeof(header));
		if (count ? !(header.type & BCOS_TYPE_HISTORICAL) : header.type != BCOS_HIST_CORE_ONLINE)
			return false;
		at += header.size;
		left -= header.size;
	}
	return true;
}

/* Return: the offset of the next group after @at, or @size if there is none. */
static u64 next_group(const u8 *log, u64 at, u64 size)
{
	for (at += 4; at < size && !is_group(log + at, size - at); at += 4)
		;
	return at < size ? at : size;
}

static int put_entry(struct recovery *recovery, const void *entry, size_t size)
{
	const struct bcos_entry *put = (const struct bcos_entry *)(recovery->ring + recovery->used);

	memcpy(recovery->ring + recovery->used, entry, size);
	recovery->used += size;
	recovery->entries++;
	if (!(put->type & BCOS_TYPE_HISTORICAL) && put->time > recovery->time)
		recovery->time = put->time;
	return bcoslog_state_apply(recovery->state, put);
}

/* Leave out @bytes damaged bytes, and say so. The notice makes readers forget what they know, up to the group after it. */
static int put_damage(struct recovery *recovery, u64 bytes)
{
	const struct gap gap = { .cause = GAP_LOG_DAMAGED, .bytes = bytes };
	u32 room[GAP_ENTRY / sizeof(u32)];

	recovery->result->damaged += bytes;
	return put_entry(recovery, room, gap_put(room, recovery->time, recovery->time, &gap));
}

int recovery_copy_log(struct recovery *recovery)
{
	const struct bcos_image *image = &recovery->image;
	u64 first = image->marks.oldest.offset, size = image->marks.head.offset - first, mask, at, end;
	u8 *log = recovery->ring + recovery->ring_size / 2;
	int r = 0;

	/* The old log goes to the upper half of the ring first, in one piece, and moves down entry by entry. */
	mask = image->header->ring_size - 1;
	end = image->header->ring_size - (first & mask);
	if (end > size)
		end = size;
	memcpy(log, image->ring + (first & mask), end);
	memcpy(log + end, image->ring, size - end);
	for (at = 0; at < size && !r; at = end) {
		struct bcos_entry header;

		if (bcos_entry_check(log + at, size - at) == BCOS_WELL_FORMED) {
			memcpy(&header, log + at, sizeof(header));
			end = at + header.size;
			if (header.size % 4 == 0) {
				r = put_entry(recovery, log + at, header.size);
				continue;
			}
		}
		end = next_group(log, at, size);
		r = put_damage(recovery, end - at);
	}
	recovery->result->entries = recovery->entries;
	return r;
}
