// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The zoned ring: see ring.h for the picture and the invariants. */
#include "ring.h"

void bcos_ring_init(struct bcos_ring *ring, void *data, u64 size)
{
	ring->data = data;
	ring->size = size;
	ring->mask = size - 1;
	ring->zone_size = size / BCOS_ZONES;
	bcos_ring_share(ring, &ring->own, 0);
}

void bcos_ring_share(struct bcos_ring *ring, struct bcos_control *control, u64 data)
{
	control->abi_version = BCOS_ABI_VERSION;
	control->size = sizeof(*control);
	control->data = data;
	control->ring_size = ring->size;
	ring->control = control;
}

/* Updates @easy after oldest or due moved. */
static void ease_zone(struct bcos_ring *ring)
{
	u64 full = ring->now.oldest.offset + ring->size + 1;

	ring->easy = full < ring->due ? full : ring->due;
}

/*
 * Discards the oldest entries, up to the next complete group. Returns false if there is no such
 * group.
 */
static bool compact_zone(struct bcos_ring *ring)
{
	u32 i;

	if (!ring->queued)
		return false;
	ring->now.oldest = ring->queue[0];
	ring->queued--;
	for (i = 0; i < ring->queued; i++)
		ring->queue[i] = ring->queue[i + 1];
	ease_zone(ring);
	return true;
}

void *bcos_ring_make_room(struct bcos_ring *ring, u32 bytes, u64 time)
{
	bool moved = false;

	while (ring->now.head.offset + bytes - ring->now.oldest.offset > ring->size) {
		/*
		 * bcos_ring_room() limits groups, so there is always a complete group to move
		 * oldest to.
		 */
		if (host_broken(!compact_zone(ring)))
			return NULL;
		moved = true;
	}
	if (moved) {
		ring->now.compactions++;
		ring->now.compaction_time = time;
		bcos_ring_publish(ring);
	}
	return bcos_ring_head(ring);
}

u64 bcos_ring_room(const struct bcos_ring *ring)
{
	u64 room = ring->size - (ring->now.head.offset - ring->now.group.offset);

	return room < 2 * ring->zone_size ? room : 2 * ring->zone_size;
}

void bcos_ring_group_begin(struct bcos_ring *ring)
{
	ring->in_group = true;
	ring->group_start = ring->now.head;
}

void bcos_ring_group_end(struct bcos_ring *ring)
{
	ring->in_group = false;
	ring->due = (ring->now.head.offset / ring->zone_size + 1) * ring->zone_size;
	ring->now.group = ring->group_start;
	/* Each group has a zone of its own, so the queue has room for one more. */
	if (ring->group_start.offset && !host_broken(ring->queued > BCOS_ZONES))
		ring->queue[ring->queued++] = ring->group_start;
	ease_zone(ring);
}

/*
 * Readers may be copying marks[generation & 1], so this fills in the other set. That set was valid
 * one publication ago. The barrier at the end of that publication makes a reader that still copies
 * the set see that the generation has moved on. The barrier at the end of this publication also
 * orders the marks before the bytes that the writer overwrites next.
 */
void bcos_ring_publish(struct bcos_ring *ring)
{
	struct bcos_control *control = ring->control;
	u32 next = control->generation + 1;

	control->marks[next & 1] = ring->now;
	/* Pairs with the acquire in bcos_ring_marks(). */
	smp_store_release(&control->generation, next);
	/*
	 * Pairs with smp_rmb() in bcos_ring_copy(); for the next publication, with that in
	 * bcos_ring_marks().
	 */
	smp_wmb();
}

void bcos_ring_marks(const struct bcos_ring *ring, struct bcos_marks *marks)
{
	const struct bcos_control *control = ring->control;
	u32 generation;

	do {
		/* Pairs with the release in bcos_ring_publish(). */
		generation = smp_load_acquire(&control->generation);
		host_copy_racy(marks, &control->marks[generation & 1], sizeof(*marks));
		/* Pairs with the smp_wmb() of the publication before. */
		smp_rmb();
	} while (READ_ONCE(control->generation) != generation);
}

/*
 * Returns the bytes of the whole entries in the first @size bytes of @from, and adds their number
 * to *@entries.
 */
static size_t whole_entries(const u8 *from, size_t size, u64 *entries)
{
	size_t done = 0;
	u16 n;

	while (size - done >= BCOS_ENTRY_MIN) {
		memcpy(&n, from + done, sizeof(n));
		if (n < BCOS_ENTRY_MIN || n > size - done)
			break;
		done += n;
		++*entries;
	}
	return done;
}

long bcos_ring_copy(const struct bcos_ring *ring, const struct bcos_mark *from, u64 head, void *to,
		    size_t size, u64 *entries)
{
	struct bcos_marks marks;

	*entries = 0;
	if (size > head - from->offset)
		size = head - from->offset;
	if (size > ring->size)
		size = ring->size;
	host_copy_racy(to, ring->data + (from->offset & (ring->size - 1)), size);
	/* Pairs with smp_wmb() in bcos_ring_publish(). */
	smp_rmb();
	bcos_ring_marks(ring, &marks);
	if (marks.oldest.offset > from->offset)
		return -EAGAIN;
	return (long)whole_entries(to, size, entries);
}
