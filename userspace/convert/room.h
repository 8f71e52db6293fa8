/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Arrays that have an item for each CPU, and grow up to the highest CPU number that occurs. */
#ifndef CONVERT_ROOM_H
#define CONVERT_ROOM_H

#include <stdlib.h>

#include "core/host/user.h"

/*
 * Makes room for the item with @index in the array @items, which has room for @count items of @size bytes so far. The
 * added items are zero. Returns the array and sets @count, or returns NULL if there is no memory; then @items stays as
 * it is.
 */
static inline void *room_grow(void *items, u32 *count, size_t size, u32 index)
{
	size_t more = *count ? *count : 16;
	char *larger;

	while (more <= index)
		more *= 2;
	larger = realloc(items, more * size);
	if (!larger)
		return NULL;
	memset(larger + *count * size, 0, (more - *count) * size);
	*count = (u32)more;
	return larger;
}

#endif
