// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Creates and destroys a merge: see merge.h. */
#include "merge.h"

static void merge_free(struct bcos_merge *merge)
{
	struct bcos_tournament *next = &merge->next;
	struct bcos_heap *heap = &merge->log->model.heap;

	bcos_heap_free(heap, merge->source, merge->sources * sizeof(*merge->source));
	bcos_heap_free(heap, next->loser, next->leaves * sizeof(*next->loser));
	bcos_heap_free(heap, next->key, 2ul * next->leaves * sizeof(*next->key));
	merge->source = NULL;
	next->loser = NULL;
	next->key = NULL;
}

int bcos_merge_init(struct bcos_merge *merge, struct bcos_log *log, u32 sources)
{
	struct bcos_tournament *next = &merge->next;
	u32 i;

	if (sources > BCOS_ORDER_CPU_MASK + 1)
		return -EINVAL;
	merge->log = log;
	merge->sources = sources;
	bcos_timebase_init(&merge->timebase, log->precision);
	next->leaves = 1;
	while (next->leaves < sources)
		next->leaves *= 2;
	merge->source = bcos_heap_alloc(&log->model.heap, sources * sizeof(*merge->source));
	next->loser = bcos_heap_alloc(&log->model.heap, next->leaves * sizeof(*next->loser));
	next->key = bcos_heap_alloc(&log->model.heap, 2ul * next->leaves * sizeof(*next->key));
	if (!merge->source || !next->loser || !next->key) {
		merge_free(merge);
		return -ENOMEM;
	}
	for (i = 0; i < sources; i++)
		merge->source[i].time = BCOS_ORDER_NEVER;
	for (i = 0; i < next->leaves; i++)
		next->key[next->leaves + i] = ~0ull << BCOS_ORDER_RANK_SHIFT | i;
	return 0;
}

void bcos_merge_destroy(struct bcos_merge *merge)
{
	if (merge->log)
		merge_free(merge);
	merge->sources = 0;
}

void bcos_merge_add(struct bcos_merge *merge, u32 cpu, struct bcos_stage *stage)
{
	struct bcos_source *source = &merge->source[cpu];

	source->stage = stage;
	source->ring = stage->ring;
	source->mask = stage->mask;
}
