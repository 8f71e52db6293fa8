/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A list that only grows. Its elements lie in parts that never move, so growing copies no elements. */
#ifndef EXPLORER_LIST_H
#define EXPLORER_LIST_H

#include "core/host/user.h"

#define LIST_PART_BITS 12
#define LIST_PART (1u << LIST_PART_BITS)

struct list {
	u32 size;		/* size of an element in bytes */
	u32 count;		/* number of elements */
	u32 parts, room;	/* number of parts, and of elements of @part */
	u8 **part;
};

#define LIST_OF(type) { .size = sizeof(type) }

/* Add a zeroed element.  Return: the element; NULL if there is no memory. */
void *list_add(struct list *list);

/* Return: element @index, which must exist. */
static inline void *list_at(const struct list *list, u32 index)
{
	return list->part[index >> LIST_PART_BITS] + (size_t)(index & (LIST_PART - 1)) * list->size;
}

/*
 * The elements begin with a time, a u64, and are in the order of this time.
 * Return: the index of the first element whose time is greater than @time; the number of elements if there is none.
 */
u32 list_after(const struct list *list, u64 time);

#endif
