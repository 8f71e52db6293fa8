// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events that wait in memory: see small.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "small.h"

/* A log states the wall clock after its first group. This is more than any group has events before it. */
#define HELD_MAX ((size_t)64 << 20)
/* Entries lie at multiples of this many bytes. */
#define HELD_STEP 8u
/* Zeros follow an entry in a log, and whoever reads a short one may read them. */
#define HELD_ZEROS 8u

/* The head of an event in held.bytes. */
struct held_head {
	u32 entry, name;
	bool named;
};

static size_t step_up(size_t size)
{
	return (size + HELD_STEP - 1) & ~(size_t)(HELD_STEP - 1);
}

int held_add(struct held *held, const struct bcos_entry *entry, const char *name, size_t length)
{
	struct held_head head = { entry->size, (u32)length, name };
	size_t size = step_up(sizeof(head)) + step_up(entry->size + HELD_ZEROS) + step_up(length), room;
	u8 *larger;

	if (held->used + size > held->room) {
		room = 2 * (held->used + size);
		larger = realloc(held->bytes, room);
		if (!larger)
			return -ENOMEM;
		held->bytes = larger;
		held->room = room;
	}
	memcpy(held->bytes + held->used, &head, sizeof(head));
	held->used += step_up(sizeof(head));
	memcpy(held->bytes + held->used, entry, entry->size);
	memset(held->bytes + held->used + entry->size, 0, HELD_ZEROS);
	held->used += step_up(entry->size + HELD_ZEROS);
	if (name)
		memcpy(held->bytes + held->used, name, length);
	held->used += step_up(length);
	return 0;
}

bool held_is_full(const struct held *held)
{
	return held->used > HELD_MAX;
}

void held_release(struct held *held,
		  void (*take)(void *context, const struct bcos_entry *entry, const char *name, size_t length),
		  void *context)
{
	const struct bcos_entry *entry;
	struct held_head head;
	size_t at = 0;

	while (at < held->used) {
		memcpy(&head, held->bytes + at, sizeof(head));
		at += step_up(sizeof(head));
		entry = (const struct bcos_entry *)(held->bytes + at);
		at += step_up(head.entry + HELD_ZEROS);
		take(context, entry, head.named ? (const char *)held->bytes + at : NULL, head.name);
		at += step_up(head.name);
	}
	held_free(held);
}

void held_free(struct held *held)
{
	free(held->bytes);
	*held = (struct held){ 0 };
}
