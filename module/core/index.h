/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An index: finds things by a key of 64 bits, in as many steps for 50,000 of
 * them as for five.  The hash multiplies by an odd number that is drawn for
 * each index, and so is universal: whoever chooses keys cannot choose those
 * that fall into one bucket.
 */
#ifndef BCOS_CORE_INDEX_H
#define BCOS_CORE_INDEX_H

#include "host.h"

struct bcos_model;

/* First in what an index finds. */
struct bcos_item {
	struct bcos_item *next;
	u64 key;
};

struct bcos_index {
	struct bcos_item **bucket;
	u64 odd;			/* what keys are multiplied by */
	u32 bits;			/* 1 << bits buckets */
	u32 count;
};

/* Empty.  Return: 0 or -ENOMEM. */
int bcos_index_init(struct bcos_index *index, struct bcos_model *model);

/* It must be empty, or zeroed. */
void bcos_index_destroy(struct bcos_index *index, struct bcos_model *model);

static __always_inline struct bcos_item **bcos_index_bucket(const struct bcos_index *index, u64 key)
{
	return &index->bucket[key * index->odd >> (64 - index->bits)];
}

/* The newest of this key; others of it are among those that follow it.  NULL: there is none. */
static __always_inline struct bcos_item *bcos_index_find(const struct bcos_index *index, u64 key)
{
	struct bcos_item *item = *bcos_index_bucket(index, key);

	while (item && item->key != key)
		item = item->next;
	return item;
}

/* Its key is set.  Without memory to grow the index is slower, not wrong. */
void bcos_index_add(struct bcos_index *index, struct bcos_model *model, struct bcos_item *item);
void bcos_index_remove(struct bcos_index *index, struct bcos_item *item);

#endif
