/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Inside the merge: in which order records go, and the way through them in that order. */
#ifndef BCOS_CORE_RUN_H
#define BCOS_CORE_RUN_H

#include "merge.h"
#include "overflow.h"

/* A key: time since the base, rank, CPU. */
#define BCOS_TIME_SHIFT 16
#define BCOS_RANK_SHIFT 14
#define BCOS_RANK(rank) ((rank) << BCOS_RANK_SHIFT)
#define BCOS_CPU_MASK 0x3FFFu
#define BCOS_SPAN ((1ull << (64 - BCOS_TIME_SHIFT)) - 1)

/* The time at which nothing comes. */
#define BCOS_NEVER (~0ull)

/* BCOS_RANK(): where a record stands among others of the same time: names first, deaths last. */
extern const u16 bcos_ranks[BCOS_RAW_KINDS];

static __always_inline const struct bcos_raw *bcos_record_at(const struct bcos_source *source, u64 tail)
{
	return (const struct bcos_raw *)&source->ring[tail & source->mask];
}

/* Finds what comes next on a CPU. */
static __always_inline void bcos_source_prepare(struct bcos_merge *merge, struct bcos_source *source)
{
	const struct bcos_raw *raw = bcos_record_at(source, source->tail);

	source->time = BCOS_NEVER;
	if (likely(source->tail != source->head)) {
		source->time = bcos_timebase_time(&merge->timebase, raw->time);
		source->precision = merge->timebase.line.precision;
		source->rank = bcos_ranks[raw->kind];
	}
	if (unlikely(source->pending))
		bcos_source_pending_first(source);
}

/*
 * In the order in which records are applied: by time, from merge->base on, then
 * by rank, then by CPU.  What is BCOS_SPAN or more after the base is not of this pass.
 */
static __always_inline u64 bcos_merge_key(const struct bcos_merge *merge, u64 time, u16 rank, u32 cpu)
{
	u64 since = time > merge->base ? time - merge->base : 0;

	return (since < BCOS_SPAN ? since : BCOS_SPAN) << BCOS_TIME_SHIFT | rank | cpu;
}

/* Which CPU's record is the first, from merge->base on. */
void bcos_merge_line_up(struct bcos_merge *merge);

/* Applies everything before @horizon, lined up.  Return: records left of @limit. */
u32 bcos_merge_run(struct bcos_merge *merge, u64 horizon, u32 limit);

#endif
