/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A tournament of keys, the smallest wins: a complete binary tree, the leaves
 * at [leaves, 2 * leaves), in each node who won of those below it.  Among equal
 * keys the lower leaf wins.  A change of one key costs a comparison a level,
 * without a branch that depends on it.
 */
#ifndef BCOS_CORE_TOURNAMENT_H
#define BCOS_CORE_TOURNAMENT_H

#include "host.h"

/* Larger than any key. */
#define BCOS_NEVER (~0ull >> 1)

struct bcos_tournament {
	u64 *key;	/* of each leaf */
	u32 *winner;	/* of each node from 1 on; the leaves' own are themselves */
	u32 leaves;	/* a power of two */
};

static __always_inline u32 bcos_tournament_winner(const struct bcos_tournament *tournament)
{
	return tournament->winner[1];
}

/* Leaf @leaf has another key. */
static __always_inline void bcos_tournament_replay(struct bcos_tournament *tournament, u32 leaf)
{
	u32 node = tournament->leaves + leaf, rival;
	u64 key = tournament->key[leaf], other;
	bool lost;

	for (; node > 1; node >>= 1) {
		rival = tournament->winner[node ^ 1];
		other = tournament->key[rival];
		/* The left one wins among equals, and odd nodes are right. */
		lost = other < key + (node & 1);
		leaf = lost ? rival : leaf;
		key = lost ? other : key;
		tournament->winner[node >> 1] = leaf;
	}
}

/* The smallest key but that of @leaf, which is the winner. */
static __always_inline u64 bcos_tournament_second(const struct bcos_tournament *tournament, u32 leaf)
{
	u32 node = tournament->leaves + leaf;
	u64 second = BCOS_NEVER, key;

	for (; node > 1; node >>= 1) {
		key = tournament->key[tournament->winner[node ^ 1]];
		second = key < second ? key : second;
	}
	return second;
}

/* Any number of keys changed. */
static inline void bcos_tournament_play(struct bcos_tournament *tournament)
{
	u32 node = tournament->leaves, left, right;

	while (--node) {
		left = tournament->winner[2 * node];
		right = tournament->winner[2 * node + 1];
		tournament->winner[node] = tournament->key[right] < tournament->key[left] ? right : left;
	}
}

#endif
