// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The hash table uses multiply-shift hashing with a random multiplier and chains, and doubles when it is half full. */
#include <stdlib.h>

#include "host/host.h"
#include "table.h"

#define TABLE_BITS_MIN 6

int table_init(struct table *table)
{
	table->bits = TABLE_BITS_MIN;
	table->count = 0;
	table->buckets = calloc((size_t)1 << table->bits, sizeof(*table->buckets));
	if (!table->buckets)
		return -ENOMEM;
	table->multiplier = host_random() | 1;
	return 0;
}

void table_clear(struct table *table, void (*release)(struct node *node))
{
	struct node *node, *next, **small;
	size_t i;

	if (!table->buckets || !table->count)
		return;
	for (i = 0; i < (size_t)1 << table->bits; i++) {
		for (node = table->buckets[i]; node; node = next) {
			next = node->next;
			release(node);
		}
		table->buckets[i] = NULL;
	}
	table->count = 0;
	/* Shrink the table, because the next calls would clear many empty buckets again. */
	small = realloc(table->buckets, sizeof(*small) << TABLE_BITS_MIN);
	if (!small)
		return;
	table->buckets = small;
	table->bits = TABLE_BITS_MIN;
}

void table_destroy(struct table *table, void (*release)(struct node *node))
{
	table_clear(table, release);
	free(table->buckets);
	table->buckets = NULL;
}

void node_free(struct node *node)
{
	free(node);
}

static int table_grow(struct table *table)
{
	size_t i, old = (size_t)1 << table->bits;
	struct node **buckets = table->buckets, **bucket, *node, *next;

	table->buckets = calloc(old * 2, sizeof(*buckets));
	if (!table->buckets) {
		table->buckets = buckets;
		return -ENOMEM;
	}
	table->bits++;
	for (i = 0; i < old; i++) {
		for (node = buckets[i]; node; node = next) {
			next = node->next;
			bucket = table_bucket(table, node->id);
			node->next = *bucket;
			*bucket = node;
		}
	}
	free(buckets);
	return 0;
}

int table_add(struct table *table, struct node *node)
{
	struct node **bucket;

	if (table->count >= 1u << (table->bits - 1) && table->bits < 31 && table_grow(table))
		return -ENOMEM;
	bucket = table_bucket(table, node->id);
	node->next = *bucket;
	*bucket = node;
	table->count++;
	return 0;
}

void table_remove(struct table *table, struct node *node)
{
	struct node **link = table_bucket(table, node->id);

	while (*link != node)
		link = &(*link)->next;
	*link = node->next;
	table->count--;
}

static int by_id(const void *left, const void *right)
{
	const struct node *one = *(struct node *const *)left, *other = *(struct node *const *)right;

	return one->id < other->id ? -1 : one->id > other->id;
}

struct node **table_sorted(const struct table *table)
{
	struct node **nodes = calloc(table->count + 1ul, sizeof(struct node *)), *node;
	size_t i, count = 0;

	if (!nodes)
		return NULL;
	for (i = 0; i < (size_t)1 << table->bits; i++)
		for (node = table->buckets[i]; node; node = node->next)
			nodes[count++] = node;
	qsort(nodes, count, sizeof(struct node *), by_id);
	return nodes;
}

void *item_add(struct table *table, u64 *memory, u32 id, size_t size)
{
	struct node *node;

	if (*memory + size > ITEMS_MEMORY_MAX)
		return NULL;
	node = calloc(1, size);
	if (!node)
		return NULL;
	node->id = id;
	if (table_add(table, node)) {
		free(node);
		return NULL;
	}
	*memory += size;
	return node;
}

void item_free(struct table *table, u64 *memory, void *item, size_t size)
{
	table_remove(table, item);
	*memory -= size;
	free(item);
}
