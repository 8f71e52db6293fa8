/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A hash table by 32-bit ID. It is fast for all IDs, also for those that an attacker has chosen. */
#ifndef BCOSLOG_TABLE_H
#define BCOSLOG_TABLE_H

#include "core/host/user.h"

struct node {
	struct node *next;
	u32 id;
};

struct table {
	struct node **buckets;
	u64 multiplier;		/* odd and random, so that nobody can choose colliding IDs */
	u32 bits;		/* binary logarithm of the number of buckets */
	u32 count;
};

/* Limit of the memory in bytes that a hostile log can make a reader use; no real machine requires as much. */
#define ITEMS_MEMORY_MAX ((u64)1 << 30)

/* Return: 0 or -ENOMEM. */
int table_init(struct table *table);
/* Remove all nodes, and call @release for each. */
void table_clear(struct table *table, void (*release)(struct node *node));
void table_destroy(struct table *table, void (*release)(struct node *node));
/* A @release for items that own nothing else, and begin with their node. */
void node_free(struct node *node);
/* Add a node whose ID is not in the table.  Return: 0 or -ENOMEM. */
int table_add(struct table *table, struct node *node);
void table_remove(struct table *table, struct node *node);
/* All nodes in ascending order of their IDs.  Return: an array of @table->count, to be freed; NULL if there is no memory. */
struct node **table_sorted(const struct table *table);

/*
 * Add a zeroed item of @size bytes, which begins with its node and counts in *@memory.  Return: the item; NULL if there is
 * no memory.
 */
void *item_add(struct table *table, u64 *memory, u32 id, size_t size);
/* Remove an item from its table, and free it. */
void item_free(struct table *table, u64 *memory, void *item, size_t size);

static inline struct node **table_bucket(const struct table *table, u32 id)
{
	return &table->buckets[(id * table->multiplier) >> (64 - table->bits)];
}

static inline void *table_find(const struct table *table, u32 id)
{
	struct node *node = *table_bucket(table, id);

	while (node && node->id != id)
		node = node->next;
	return node;
}

#endif
