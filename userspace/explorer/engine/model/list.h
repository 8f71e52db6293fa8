/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A list that only grows, in parts that never move: growing it copies nothing. */
#ifndef EXPLORER_LIST_H
#define EXPLORER_LIST_H

#include "core/host/user.h"

#define LIST_PART_BITS 12
#define LIST_PART (1u << LIST_PART_BITS)

struct list {
	u32 size;		/* of an element */
	u32 count;
	u32 parts, room;
	u8 **part;
};

#define LIST_OF(type) { .size = sizeof(type) }

/* Room for one more, zeroed.  Return: NULL if there is no memory. */
void *list_add(struct list *list);

/* Element @index of those there are. */
static inline void *list_at(const struct list *list, u32 index)
{
	return list->part[index >> LIST_PART_BITS] + (size_t)(index & (LIST_PART - 1)) * list->size;
}

/* The first element whose u64 at its beginning is above @time; they are in its order. */
u32 list_after(const struct list *list, u64 time);

#endif
