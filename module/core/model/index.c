// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* An index by 64-bit keys: see index.h. */
#include "index.h"

#define FIRST_BITS 6

int bcos_index_init(struct bcos_index *index, struct bcos_heap *heap)
{
	const struct bcos_host *host = heap->host;

	index->odd = (host->random ? host->random(heap->context) : 0x9E3779B97F4A7C15ull) | 1;
	index->bits = FIRST_BITS;
	index->count = 0;
	index->bucket = bcos_heap_alloc(heap, sizeof(*index->bucket) << FIRST_BITS);
	return index->bucket ? 0 : -ENOMEM;
}

void bcos_index_destroy(struct bcos_index *index, struct bcos_heap *heap)
{
	bcos_heap_free(heap, index->bucket, sizeof(*index->bucket) << index->bits);
	index->bucket = NULL;
}

static void enter_item(struct bcos_index *index, struct bcos_item *item)
{
	struct bcos_item **at = bcos_index_bucket(index, item->key);

	item->next = *at;
	*at = item;
}

/* Doubles the number of buckets. */
static void grow_index(struct bcos_index *index, struct bcos_heap *heap)
{
	struct bcos_item **old = index->bucket, *item, *next;
	u64 buckets = 1ull << index->bits, i;
	struct bcos_item **bucket = bcos_heap_alloc(heap, 2 * buckets * sizeof(*bucket));

	if (!bucket)
		return;
	index->bucket = bucket;
	index->bits++;
	for (i = 0; i < buckets; i++) {
		for (item = old[i]; item; item = next) {
			next = item->next;
			enter_item(index, item);
		}
	}
	bcos_heap_free(heap, old, buckets * sizeof(*old));
}

void bcos_index_add(struct bcos_index *index, struct bcos_heap *heap, struct bcos_item *item)
{
	if (index->count >> index->bits && index->bits < 30)
		grow_index(index, heap);
	enter_item(index, item);
	index->count++;
}

void bcos_index_remove(struct bcos_index *index, struct bcos_item *item)
{
	struct bcos_item **at = bcos_index_bucket(index, item->key);

	while (*at != item)
		at = &(*at)->next;
	*at = item->next;
	index->count--;
}
