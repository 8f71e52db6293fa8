// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The entries of a log that goes on: see old_entries.h. */
#include "core/format/entry.h"
#include "old_entries.h"

static u64 zone_of(const struct bcos_ring *ring, u64 offset)
{
	return offset / ring->zone_size;
}

/*
 * Note where a complete group begins, to which the ring may move its oldest mark. The queue has room for one of each zone,
 * and a log that went on before has several in one. The zone in which the log goes on gets a new one.
 */
static void note_group(struct bcos_ring *ring, const struct bcos_mark *start, u64 head)
{
	u64 zone = zone_of(ring, start->offset);

	if (start->offset == ring->now.oldest.offset || zone == zone_of(ring, head))
		return;
	if (ring->queued && zone_of(ring, ring->queue[ring->queued - 1].offset) == zone)
		ring->queued--;
	if (ring->queued < BCOS_ZONES)
		ring->queue[ring->queued++] = *start;
}

/* Does a group begin with this entry?  It is the first historical one after others that states a core. */
static bool begins_group(const struct bcos_entry *entry, u32 before)
{
	return entry->type == BCOS_HIST_CORE_ONLINE && before != BCOS_HIST_CORE_ONLINE;
}

static void copy_bytes(struct bcos_ring *ring, const struct bcos_image *image)
{
	u64 at, first = image->marks.oldest.offset, size = image->marks.head.offset - first;
	u64 end = ring->size - (first & ring->mask);

	if (end > size)
		end = size;
	at = first & ring->mask;
	memcpy(ring->data + at, image->ring + at, end);
	memcpy(ring->data, image->ring, size - end);
}

int old_entries_take(struct bcos_ring *ring, const struct bcos_image *image, struct bcoslog_state *state, u64 *time)
{
	struct bcos_mark place = image->marks.oldest, group = place;
	const struct bcos_entry *entry;
	u64 head = image->marks.head.offset;
	u32 before = 0;
	int r = 0;

	if (ring->size != image->header->ring_size)
		return -EBADMSG;
	copy_bytes(ring, image);
	ring->now = image->marks;
	*time = 0;
	while (place.offset < head && !r) {
		entry = (const struct bcos_entry *)(ring->data + (place.offset & ring->mask));
		if (bcos_entry_check(entry, head - place.offset) != BCOS_WELL_FORMED || entry->size % 4)
			return -EBADMSG;
		if (begins_group(entry, before)) {
			group = place;
			note_group(ring, &group, head);
		}
		before = entry->type;
		if (!(entry->type & BCOS_TYPE_HISTORICAL) && entry->time > *time)
			*time = entry->time;
		r = bcoslog_state_apply(state, entry);
		place.offset += entry->size;
		place.entry++;
	}
	if (place.offset != head || place.entry != image->marks.head.entry)
		return r ? r : -EBADMSG;
	ring->now.group = group;
	return r;
}
