// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Holds back batches of entries: see reader.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

/* Entries are aligned as the reader gives them, and have zeros after them. */
#define ALIGNMENT 16

/* A batch that is held, which its entries follow. */
struct held_batch {
	struct held_batch *next;
	size_t size, room;		/* of the entries, and of the memory for them */
	__u64 offset;			/* of the first one, in the log */
} __attribute__((aligned(ALIGNMENT)));

/* Return: the bytes that so many bytes of entries take, with zeros after them. */
static size_t room_for(size_t size)
{
	return (size + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Return: memory for so many bytes of entries: that of a batch which was taken, if it suffices; NULL if there is none. */
static struct held_batch *get_memory(struct batches *batches, size_t size)
{
	size_t room = room_for(size);
	struct held_batch *batch = batches->taken;

	batches->taken = NULL;
	if (batch && batch->room >= room)
		return batch;
	free(batch);
	batch = malloc(sizeof(*batch) + room);
	if (batch)
		batch->room = room;
	return batch;
}

int batches_hold(struct batches *batches, const struct bcoslog_batch *batch)
{
	size_t size = (size_t)((const char *)batch->end - (const char *)batch->first);
	struct held_batch *held = get_memory(batches, size);

	if (!held)
		return -ENOMEM;
	held->next = NULL;
	held->size = size;
	held->offset = batch->offset;
	memcpy(held + 1, batch->first, size);
	memset((char *)(held + 1) + size, 0, room_for(size) - size);
	if (batches->newest)
		batches->newest->next = held;
	else
		batches->oldest = held;
	batches->newest = held;
	batches->size += size;
	return 0;
}

bool batches_take(struct batches *batches, size_t least, struct bcoslog_batch *batch)
{
	struct held_batch *held = batches->oldest;

	if (!held || batches->size <= least)
		return false;
	batch->first = (const struct bcos_entry *)(held + 1);
	batch->end = (const struct bcos_entry *)((const char *)(held + 1) + held->size);
	batch->offset = held->offset;
	batches->oldest = held->next;
	if (!batches->oldest)
		batches->newest = NULL;
	batches->size -= held->size;
	free(batches->taken);
	batches->taken = held;
	return true;
}

void batches_free(struct batches *batches)
{
	struct held_batch *held, *next;

	for (held = batches->oldest; held; held = next) {
		next = held->next;
		free(held);
	}
	free(batches->taken);
	*batches = (struct batches){ 0 };
}
