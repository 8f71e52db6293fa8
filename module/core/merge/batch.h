/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Inside the merge: many records at once. Where several CPUs are busy, all that
 * they have in a window of time is sorted by the digits of its keys. That costs
 * the same for any number of CPUs, where a tournament has a match more whenever
 * these double.
 *
 *		from           end
 *	CPU 0	x..x...x.x.....|x.x	in the order of each CPU,
 *	CPU 1	...x.......x...|...	and nothing before the end is missing:
 *	CPU 2	..x.xxx.x......|?x.	what has no place (?) ends it
 */
#ifndef BCOS_CORE_BATCH_H
#define BCOS_CORE_BATCH_H

#include "merge.h"

/**
 * bcos_batch_sort() - the order of the records that come next
 * @merge: lined up, or run since; changed are merge->batch and each source's batched
 * @horizon: ns since boot, later than what comes next
 * @limit: records that may be applied; a batch may have more
 *
 * Return: how many batch->room->item has then, in order, their keys (run.h) with times since batch->from. Those before
 * batch->end are all that there are. 0: here a tournament is better, or the only way.
 */
u32 bcos_batch_sort(struct bcos_merge *merge, u64 horizon, u32 limit);

/* How many of those that bcos_batch_sort() gave were before batch->end. */
void bcos_batch_applied(struct bcos_batch *batch, u32 applied, u32 sorted);

#endif
