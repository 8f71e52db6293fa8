/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The order in which the merge applies records: by time, then by rank, then by CPU. A key holds all
 * three, so that one comparison of numbers decides. Its time counts from the base of the pass.
 */
#ifndef BCOS_CORE_ORDER_H
#define BCOS_CORE_ORDER_H

#include "core/raw/raw.h"

#define BCOS_ORDER_TIME_SHIFT 16
#define BCOS_ORDER_RANK_SHIFT 14
#define BCOS_ORDER_CPU_MASK 0x3FFFu

/* The times in the keys of a pass are below this many ns. */
#define BCOS_ORDER_SPAN ((1ull << (64 - BCOS_ORDER_TIME_SHIFT)) - 1)

/* A source without a next record has this time. */
#define BCOS_ORDER_NEVER (~0ull)

#define BCOS_ORDER_RANK(rank) ((rank) << BCOS_ORDER_RANK_SHIFT)

/*
 * The rank of each kind, as BCOS_ORDER_RANK(). Among records of equal time, names come first, and
 * deaths and removals last.
 */
extern const u16 bcos_order_ranks[BCOS_RAW_KINDS];

/* Returns the key of a record at @time. A time before the base counts as the base. */
static __always_inline u64 bcos_order_key(u64 base, u64 time, u16 rank, u32 cpu)
{
	u64 since = time > base ? time - base : 0;

	return (since < BCOS_ORDER_SPAN ? since : BCOS_ORDER_SPAN) << BCOS_ORDER_TIME_SHIFT | rank |
	       cpu;
}

/* Returns the time of a key. */
static __always_inline u64 bcos_order_time(u64 base, u64 key)
{
	return base + (key >> BCOS_ORDER_TIME_SHIFT);
}

#endif
