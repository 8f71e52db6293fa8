/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A queue of items that something may concern. An item joins it at most once, and whoever takes the items looks which of
 * them still matter. So what concerns all items costs at most as much as what made them join, however often it comes: a
 * loss of all CPUs visits only those that have become known since the loss before.
 */
#ifndef BCOSLOG_CHAIN_H
#define BCOSLOG_CHAIN_H

#include <stddef.h>

#include "core/host/user.h"

/* The item of which @pointer is the member. */
#define item_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

struct link {
	struct link *next;
	bool linked;
};

/* All zeros is an empty queue. */
struct chain {
	struct link *first, *last;
};

static inline void chain_add(struct chain *chain, struct link *link)
{
	if (link->linked)
		return;
	link->linked = true;
	link->next = NULL;
	if (chain->first)
		chain->last->next = link;
	else
		chain->first = link;
	chain->last = link;
}

/* Return: the first item, which leaves the queue; NULL if the queue is empty. */
static inline struct link *chain_take(struct chain *chain)
{
	struct link *link = chain->first;

	if (link) {
		chain->first = link->next;
		link->linked = false;
	}
	return link;
}

#endif
