// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Holds back batches of entries: see reader.h. */
#include <errno.h>
#include <stdlib.h>

#include "reader.h"

/* Entries are aligned as the reader gives them, and have zeros after them. */
#define ALIGNMENT 16

/* A batch that is held, which its entries follow. */
struct block {
	size_t size;			/* of the entries */
	__u64 offset;			/* of the first one, in the log */
} __attribute__((aligned(ALIGNMENT)));

/* Return: the bytes that a block of so many bytes of entries takes. */
static size_t block_room(size_t size)
{
	return sizeof(struct block) + (size + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

int batches_hold(struct batches *batches, const struct bcoslog_batch *batch)
{
	size_t size = (size_t)((const char *)batch->end - (const char *)batch->first), takes = block_room(size);
	size_t room = batches->room;
	struct block *block;
	char *larger;

	if (batches->at && batches->used + takes > batches->room) {
		memmove(batches->bytes, batches->bytes + batches->at, batches->used - batches->at);
		batches->used -= batches->at;
		batches->at = 0;
	}
	while (batches->used + takes > room)
		room = room ? 2 * room : (size_t)1 << 16;
	if (room != batches->room) {
		larger = realloc(batches->bytes, room);
		if (!larger)
			return -ENOMEM;
		batches->bytes = larger;
		batches->room = room;
	}
	block = (struct block *)(batches->bytes + batches->used);
	*block = (struct block){ .size = size, .offset = batch->offset };
	memcpy(block + 1, batch->first, size);
	memset((char *)(block + 1) + size, 0, takes - sizeof(*block) - size);
	batches->used += takes;
	return 0;
}

bool batches_take(struct batches *batches, size_t least, struct bcoslog_batch *batch)
{
	const struct block *block = (const struct block *)(batches->bytes + batches->at);

	if (batches_size(batches) <= least)
		return false;
	batch->first = (const struct bcos_entry *)(block + 1);
	batch->end = (const struct bcos_entry *)((const char *)(block + 1) + block->size);
	batch->offset = block->offset;
	batches->at += block_room(block->size);
	return true;
}

void batches_free(struct batches *batches)
{
	free(batches->bytes);
	*batches = (struct batches){ 0 };
}
