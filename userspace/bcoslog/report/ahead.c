// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Holds back entries: see ahead.h. */
#include <stdlib.h>

#include "ahead.h"

/* Entries are aligned as the reader gives them, and have zeros after them. */
#define ALIGNMENT 16

/* A batch that is held, which its entries follow. */
struct block {
	size_t size;			/* of the entries */
	__u64 offset;			/* of the first one, in the log */
} __attribute__((aligned(ALIGNMENT)));

static struct {
	char *bytes;			/* blocks; those before @at were taken */
	size_t at, used, room;
} held;

/* Return: the bytes that a block of so many bytes of entries takes. */
static size_t block_room(size_t size)
{
	return sizeof(struct block) + (size + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

int ahead_hold(const struct bcoslog_batch *batch)
{
	size_t size = (size_t)((const char *)batch->end - (const char *)batch->first), takes = block_room(size);
	size_t room = held.room;
	struct block *block;
	char *larger;

	if (held.at && held.used + takes > held.room) {
		memmove(held.bytes, held.bytes + held.at, held.used - held.at);
		held.used -= held.at;
		held.at = 0;
	}
	while (held.used + takes > room)
		room = room ? 2 * room : (size_t)1 << 16;
	if (room != held.room) {
		larger = realloc(held.bytes, room);
		if (!larger)
			return -ENOMEM;
		held.bytes = larger;
		held.room = room;
	}
	block = (struct block *)(held.bytes + held.used);
	*block = (struct block){ .size = size, .offset = batch->offset };
	memcpy(block + 1, batch->first, size);
	memset((char *)(block + 1) + size, 0, takes - sizeof(*block) - size);
	held.used += takes;
	return 0;
}

bool ahead_take(struct bcoslog_batch *batch, bool all)
{
	const struct block *block = (const struct block *)(held.bytes + held.at);

	if (held.at == held.used || (!all && held.used - held.at <= AHEAD_BYTES))
		return false;
	batch->first = (const struct bcos_entry *)(block + 1);
	batch->end = (const struct bcos_entry *)((const char *)(block + 1) + block->size);
	batch->offset = block->offset;
	held.at += block_room(block->size);
	return true;
}

void ahead_free(void)
{
	free(held.bytes);
	memset(&held, 0, sizeof(held));
}
