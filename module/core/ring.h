/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The zoned ring (6.1): the log itself, four zones, addressed by offsets that
 * only grow.
 *
 *	         oldest                newest group      head
 *	           v                        v              v
 *	-----------GGGG......|.....GGGG.....|GGGG..........|- - - - - -
 *	           |<----------- at most size ------------>|
 *
 * Invariants:
 *  - oldest is the start of a complete group, and moves only to another one;
 *  - head - oldest <= size;
 *  - there is at most one group a zone, and after its end at most one zone of
 *    other entries before the next;
 *  - what is between oldest and head, as last published, is whole entries.
 *
 * One writer, any number of readers that take no lock.  The writer publishes
 * new marks before it overwrites what they gave up; a reader copies, then
 * looks whether the oldest mark passed its place meanwhile.
 */
#ifndef BCOS_CORE_RING_H
#define BCOS_CORE_RING_H

#include "host.h"

#define BCOS_ZONES 4

/* The largest entry that the ring takes, so that a zone is never one entry. */
#define BCOS_RING_ENTRY_MAX 4096

#define BCOS_RING_MIN (256u << 10)

struct bcos_ring {
	u8 *data;			/* size bytes, mapped twice in a row */
	u64 size;			/* a power of two */
	u64 zone_size;
	u64 due;			/* end of the zone that has its group */
	u64 easy;			/* below here head may grow and nothing is due or discarded */
	bool in_group;
	struct bcos_marks now;		/* the writer's own */
	struct bcos_mark group_start;	/* of the group being written */
	struct bcos_mark queue[BCOS_ZONES + 1];	/* starts of complete groups after oldest, oldest first */
	u32 queued;

	/* Published: marks[generation & 1] is valid, the other one is being written. */
	struct bcos_control *control;
	struct bcos_control own ____cacheline_aligned;
};

/**
 * bcos_ring_init() - an empty ring
 * @ring: zeroed
 * @data: @size bytes, followed by a second mapping of the same
 * @size: in bytes, a power of two, at least BCOS_RING_MIN
 */
void bcos_ring_init(struct bcos_ring *ring, void *data, u64 size);

/**
 * bcos_ring_share() - publish where others can map it
 * @ring: initialised, and not written to yet
 * @control: zeroed, in memory of its own
 * @data: where the ring begins in the mapping that begins with @control
 */
void bcos_ring_share(struct bcos_ring *ring, struct bcos_control *control, u64 data);

/* Is there room without discarding anything, and will no group be due afterwards? */
static __always_inline bool bcos_ring_is_easy(const struct bcos_ring *ring, u32 bytes)
{
	return ring->now.head.offset + bytes < ring->easy;
}

/* Where the next entry goes, once there is room. */
static __always_inline void *bcos_ring_head(const struct bcos_ring *ring)
{
	return ring->data + (ring->now.head.offset & (ring->size - 1));
}

/* bcos_ring_reserve() where that is not so. */
void *bcos_ring_make_room(struct bcos_ring *ring, u32 bytes, u64 time);

/**
 * bcos_ring_reserve() - make room, discarding the oldest if need be (6.1)
 * @ring: the ring
 * @bytes: a multiple of 4, at most BCOS_RING_ENTRY_MAX
 * @time: ns since boot; of a compaction that this causes
 *
 * Context: the log writer.
 * Return: where to write; never NULL, since bcos_ring_room() limits groups.
 */
static __always_inline void *bcos_ring_reserve(struct bcos_ring *ring, u32 bytes, u64 time)
{
	if (likely(bcos_ring_is_easy(ring, bytes)))
		return bcos_ring_head(ring);
	return bcos_ring_make_room(ring, bytes, time);
}

/* Append what was written to the reserved place: one entry of @bytes. */
static __always_inline void bcos_ring_commit(struct bcos_ring *ring, u32 bytes)
{
	ring->now.head.offset += bytes;
	ring->now.head.entry++;
}

/* Has head left the zone that has its group?  Then the writer writes a group (6.1). */
static __always_inline bool bcos_ring_wants_group(const struct bcos_ring *ring)
{
	return ring->now.head.offset >= ring->due && !ring->in_group;
}

/* Bytes a group that starts at head may take: two zones, and never the newest complete group. */
u64 bcos_ring_room(const struct bcos_ring *ring);

void bcos_ring_group_begin(struct bcos_ring *ring);
void bcos_ring_group_end(struct bcos_ring *ring);

/* Make all that was committed visible to readers. */
void bcos_ring_publish(struct bcos_ring *ring);

/**
 * bcos_ring_marks() - a consistent set of marks
 * @ring: the ring
 * @marks: out
 *
 * Context: any, at any time, against the running writer.
 */
void bcos_ring_marks(const struct bcos_ring *ring, struct bcos_marks *marks);

/**
 * bcos_ring_copy() - copy whole entries out of the ring
 * @ring: the ring
 * @from: the place of an entry; @from->offset between oldest and head
 * @head: the end, from bcos_ring_marks()
 * @to: buffer
 * @size: of the buffer, in bytes
 * @entries: out: how many entries were copied
 *
 * Context: any; each caller its own buffer.
 * Return: bytes of the whole entries copied; 0 if not even one fits or there
 * is none; -EAGAIN if the writer overtook @from, so that the copy is worthless.
 */
long bcos_ring_copy(const struct bcos_ring *ring, const struct bcos_mark *from, u64 head, void *to,
		    size_t size, u64 *entries);

#endif
