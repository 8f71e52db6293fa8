/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An index finds items by a 64-bit key, in constant time on average. The hash multiplies by an odd
 * random number, drawn for each index, so it is universal: nobody who chooses keys can make them
 * fall into one bucket.
 */
#ifndef BCOS_CORE_INDEX_H
#define BCOS_CORE_INDEX_H

#include "core/host/heap.h"

/* This must be the first member of an item in an index. */
struct bcos_item {
	struct bcos_item *next;
	u64 key;
};

struct bcos_index {
	struct bcos_item **bucket;
	u64 odd;			/* random multiplier of the hash */
	u32 bits;			/* log2 of the number of buckets */
	u32 count;
};

/* Makes an empty index. Returns 0 or -ENOMEM. */
int bcos_index_init(struct bcos_index *index, struct bcos_heap *heap);

/* Frees the index, which must be empty or zeroed. */
void bcos_index_destroy(struct bcos_index *index, struct bcos_heap *heap);

static __always_inline struct bcos_item **bcos_index_bucket(const struct bcos_index *index, u64 key)
{
	return &index->bucket[key * index->odd >> (64 - index->bits)];
}

/*
 * Returns the newest item with this key, or NULL. Other items with the key are further along its
 * chain.
 */
static __always_inline struct bcos_item *bcos_index_find(const struct bcos_index *index, u64 key)
{
	struct bcos_item *item = *bcos_index_bucket(index, key);

	while (item && item->key != key)
		item = item->next;
	return item;
}

/*
 * Adds an item whose key is set. Without memory to grow, the index becomes slower but stays right.
 */
void bcos_index_add(struct bcos_index *index, struct bcos_heap *heap, struct bcos_item *item);
/* Removes an item, which the index must have. */
void bcos_index_remove(struct bcos_index *index, struct bcos_item *item);

#endif
