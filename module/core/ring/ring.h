/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The zoned ring (6.1) is the log itself: four zones, addressed by offsets that only grow.
 *
 *	         oldest                newest group      head
 *	           v                        v              v
 *	-----------GGGG......|.....GGGG.....|GGGG..........|- - - - - -
 *	           |<----------- at most size ------------>|
 *
 * Invariants:
 * - oldest is the start of a complete group, and moves only to the start of another one;
 * - head - oldest <= size;
 * - a zone has at most one group, and after a group's end there is at most one zone of other
 *   entries before the next group;
 * - between the published oldest and head there are whole entries.
 *
 * There is one writer and any number of readers, which take no lock. The writer publishes new marks
 * before it overwrites the entries that they no longer include. A reader copies, then checks
 * whether the oldest mark has passed its place meanwhile.
 */
#ifndef BCOS_CORE_RING_H
#define BCOS_CORE_RING_H

#include "core/host/host.h"

#define BCOS_ZONES 4

/* The largest entry in bytes. A zone always holds many entries. */
#define BCOS_RING_ENTRY_MAX 4096

/* The smallest ring in bytes. */
#define BCOS_RING_MIN (256u << 10)

struct bcos_ring {
	u8 *data;			/* size bytes, mapped twice in a row */
	u64 size;			/* a power of two */
	u64 mask;			/* size - 1 */
	u64 zone_size;
	u64 due;			/* end of the zone in which the newest group ends */
	/* While head stays below this offset, no group is due and nothing is discarded. */
	u64 easy;
	bool in_group;
	struct bcos_marks now;		/* marks as the writer has them */
	struct bcos_mark group_start;	/* start of the group that is being written */
	/* Starts of complete groups after oldest, oldest first. */
	struct bcos_mark queue[BCOS_ZONES + 1];
	u32 queued;

	/*
	 * The published marks. marks[generation & 1] is valid; the writer fills in the other set.
	 */
	struct bcos_control *control;
	struct bcos_control own ____cacheline_aligned;
};

/**
 * bcos_ring_init() - initialise an empty ring
 * @ring: zeroed
 * @data: @size bytes, followed by a second mapping of the same memory
 * @size: in bytes, a power of two, at least BCOS_RING_MIN
 */
void bcos_ring_init(struct bcos_ring *ring, void *data, u64 size);

/**
 * bcos_ring_share() - publish the marks where readers can map them
 * @ring: initialised, and not yet written to
 * @control: zeroed, in memory of its own
 * @data: offset of the ring in the mapping that begins with @control
 */
void bcos_ring_share(struct bcos_ring *ring, struct bcos_control *control, u64 data);

/* Is there room for @bytes without discarding entries, and will no group be due afterwards? */
static __always_inline bool bcos_ring_is_easy(const struct bcos_ring *ring, u32 bytes)
{
	return ring->now.head.offset + bytes < ring->easy;
}

/* Returns the address of the next entry, for which there must be room. */
static __always_inline void *bcos_ring_head(const struct bcos_ring *ring)
{
	return ring->data + (ring->now.head.offset & ring->mask);
}

/* The slow path of bcos_ring_reserve(). */
void *bcos_ring_make_room(struct bcos_ring *ring, u32 bytes, u64 time);

/**
 * bcos_ring_reserve() - make room for an entry, discarding the oldest zone if necessary (6.1)
 * @ring: the ring
 * @bytes: a multiple of 4, at most BCOS_RING_ENTRY_MAX
 * @time: ns since boot, becomes the time of a compaction
 *
 * Context: the log writer.
 * Return: the address for the entry; never NULL, since bcos_ring_room() limits groups.
 */
static __always_inline void *bcos_ring_reserve(struct bcos_ring *ring, u32 bytes, u64 time)
{
	if (likely(bcos_ring_is_easy(ring, bytes)))
		return bcos_ring_head(ring);
	return bcos_ring_make_room(ring, bytes, time);
}

/* Appends the entry of @bytes that was written to the reserved place. */
static __always_inline void bcos_ring_commit(struct bcos_ring *ring, u32 bytes)
{
	ring->now.head.offset += bytes;
	ring->now.head.entry++;
}

/* Has head left the zone of the newest group? Then the writer must write a group (6.1). */
static __always_inline bool bcos_ring_wants_group(const struct bcos_ring *ring)
{
	return ring->now.head.offset >= ring->due && !ring->in_group;
}

/*
 * Returns how many bytes a group at head may have: two zones at most, and never so many that it
 * overwrites the newest complete group.
 */
u64 bcos_ring_room(const struct bcos_ring *ring);

/* The entries between these two calls form a group of historical entries (6.1). */
void bcos_ring_group_begin(struct bcos_ring *ring);
void bcos_ring_group_end(struct bcos_ring *ring);

/* Makes all committed entries visible to readers. */
void bcos_ring_publish(struct bcos_ring *ring);

/**
 * bcos_ring_marks() - get a consistent set of marks
 * @ring: the ring, or a mapping of it
 * @marks: out
 *
 * Context: any, also while the writer publishes.
 */
void bcos_ring_marks(const struct bcos_ring *ring, struct bcos_marks *marks);

/**
 * bcos_ring_copy() - copy whole entries out of the ring
 * @ring: the ring, or a mapping of it
 * @from: the place of an entry; @from->offset is between oldest and head
 * @head: the end, from bcos_ring_marks()
 * @to: buffer
 * @size: size of @to in bytes
 * @entries: out: number of entries copied
 *
 * Context: any; each caller uses its own buffer.
 * Return: bytes of whole entries copied; 0 if there is no entry or none fits; -EAGAIN if the writer
 *   overtook @from, so that the copy is worthless.
 */
long bcos_ring_copy(const struct bcos_ring *ring, const struct bcos_mark *from, u64 head, void *to,
		    size_t size, u64 *entries);

#endif
