/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A hash table with 32-bit IDs as keys. It is fast for all IDs, even if an attacker has chosen them. */
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

/* The greatest memory in bytes that a hostile log can make a reader use; the log of a real machine needs less. */
#define ITEMS_MEMORY_MAX ((u64)1 << 30)

/* Return: 0 or -ENOMEM. */
int table_init(struct table *table);
/* Remove all nodes, and call @release for each. */
void table_clear(struct table *table, void (*release)(struct node *node));
void table_destroy(struct table *table, void (*release)(struct node *node));
/* A @release for items that begin with their node and own no other memory. */
void node_free(struct node *node);
/* Add a node whose ID is not in the table.  Return: 0 or -ENOMEM. */
int table_add(struct table *table, struct node *node);
void table_remove(struct table *table, struct node *node);
/*
 * List all nodes in ascending order of their IDs.
 * Return: an array of @table->count pointers, which the caller frees; NULL if there is no memory.
 */
struct node **table_sorted(const struct table *table);

/*
 * Add a zeroed item of @size bytes, which begins with its node, and add @size to *@memory.
 * Return: the item; NULL if there is no memory, or *@memory would exceed ITEMS_MEMORY_MAX.
 */
void *item_add(struct table *table, u64 *memory, u32 id, size_t size);
/* Remove an item from its table, free it, and subtract @size from *@memory. */
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
