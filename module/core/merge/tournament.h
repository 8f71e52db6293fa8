/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The smallest key wins a tournament of keys. The tournament is a complete binary tree. Each node
 * holds the loser of the match that was played there, and node 0 the winner of all. A key tells
 * which leaf it belongs to, so no two keys are equal. When the winner gets a new key, the matches
 * on its way up are played again. Each match takes a minimum and a maximum, without a branch that
 * the processor would have to guess.
 */
#ifndef BCOS_CORE_TOURNAMENT_H
#define BCOS_CORE_TOURNAMENT_H

#include "core/host/host.h"

struct bcos_tournament {
	u64 *loser;	/* [leaves]: [0] is the winner, the others the loser at each node */
	u64 *key;	/* [2 * leaves]: the upper half is the leaves' keys before all matches */
	u32 leaves;	/* a power of two */
};

static __always_inline u64 bcos_tournament_winner(const struct bcos_tournament *tournament)
{
	return tournament->loser[0];
}

/* Plays all matches with the keys of the leaves. */
static inline void bcos_tournament_play(struct bcos_tournament *tournament)
{
	u64 *key = tournament->key, left, right;
	u32 node = tournament->leaves;

	while (--node) {
		left = key[2 * node];
		right = key[2 * node + 1];
		key[node] = left < right ? left : right;
		tournament->loser[node] = left < right ? right : left;
	}
	tournament->loser[0] = key[1];
}

/* Gives @leaf, which is the winner, another key. */
static __always_inline void bcos_tournament_replay(struct bcos_tournament *tournament, u32 leaf,
						   u64 key)
{
	u32 node = (tournament->leaves + leaf) >> 1;
	u64 *loser = tournament->loser, other, less;

	for (; node; node >>= 1) {
		other = loser[node];
		less = other < key ? other : key;
		loser[node] = other < key ? key : other;
		key = less;
	}
	loser[0] = key;
}

/*
 * Returns the smallest key apart from that of @leaf, which is the winner; or @never if that is
 * smaller.
 */
static __always_inline u64 bcos_tournament_second(const struct bcos_tournament *tournament,
						  u32 leaf, u64 never)
{
	u32 node = (tournament->leaves + leaf) >> 1;

	for (; node; node >>= 1)
		never = tournament->loser[node] < never ? tournament->loser[node] : never;
	return never;
}

#endif
