// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The list that only grows: see list.h. */
#include <stdlib.h>

#include "list.h"

static bool grow_list(struct list *list)
{
	u8 **parts;
	u32 room;

	if (list->parts == list->room) {
		room = list->room ? 2 * list->room : 16;
		parts = realloc(list->part, room * sizeof(*parts));
		if (!parts)
			return false;
		list->part = parts;
		list->room = room;
	}
	list->part[list->parts] = malloc((size_t)LIST_PART * list->size);
	if (!list->part[list->parts])
		return false;
	list->parts++;
	return true;
}

void *list_add(struct list *list)
{
	void *element;

	if (list->count == list->parts << LIST_PART_BITS && !grow_list(list))
		return NULL;
	element = list_at(list, list->count++);
	memset(element, 0, list->size);
	return element;
}

u32 list_after(const struct list *list, u64 time)
{
	u32 low = 0, high = list->count, middle;
	u64 at;

	while (low < high) {
		middle = low + (high - low) / 2;
		memcpy(&at, list_at(list, middle), sizeof(at));
		if (at > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}
