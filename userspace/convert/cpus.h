/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Arrays that have an item for each CPU, and sets of CPUs. */
#ifndef CONVERT_CPUS_H
#define CONVERT_CPUS_H

#include <stdlib.h>

#include "core/host/user.h"

/*
 * Makes room for the item with @index in the array @items, which has room for @count items of @size bytes so far. The
 * added items are zero. Returns the array and sets @count, or returns NULL if there is no memory; then @items stays as
 * it is.
 */
static inline void *cpus_grow(void *items, u32 *count, size_t size, u32 index)
{
	size_t more = *count ? *count : 16;
	char *larger;

	while (more <= index)
		more *= 2;
	larger = realloc(items, more * size);
	if (!larger)
		return NULL;
	memset(larger + *count * size, 0, (more - *count) * size);
	*count = (u32)more;
	return larger;
}

/*
 * A set of CPUs that something may concern, for exporters that have their CPUs in an array (where a CPU has an address of
 * its own, struct chain of lib does the same). A CPU joins at most once, and whoever takes the CPUs looks which of them
 * still matter. So what concerns all CPUs costs at most as much as what made them join, however often it comes.
 */

/* A set has room for the CPUs below this number, which no kernel exceeds. */
#define CPU_SET_MAX 65536u

/* All zeros is an empty set. A bit of @filled stands for a word of @words that is not 0. */
struct cpu_set {
	u32 count;
	u64 filled[CPU_SET_MAX / 64 / 64];
	u64 words[CPU_SET_MAX / 64];
};

/* Adds a CPU below CPU_SET_MAX. */
static inline void cpu_set_add(struct cpu_set *set, u32 cpu)
{
	u64 bit = 1ull << cpu % 64;

	set->count += !(set->words[cpu / 64] & bit);
	set->words[cpu / 64] |= bit;
	set->filled[cpu / 64 / 64] |= 1ull << cpu / 64 % 64;
}

/* Takes the lowest CPU out of the set. Returns false if the set is empty. */
static inline bool cpu_set_take(struct cpu_set *set, u32 *cpu)
{
	u32 part = 0, word;

	if (likely(!set->count))
		return false;
	set->count--;
	while (!set->filled[part])
		part++;
	word = part * 64 + (u32)__builtin_ctzll(set->filled[part]);
	*cpu = word * 64 + (u32)__builtin_ctzll(set->words[word]);
	set->words[word] &= set->words[word] - 1;
	if (!set->words[word])
		set->filled[part] &= set->filled[part] - 1;
	return true;
}

#endif
