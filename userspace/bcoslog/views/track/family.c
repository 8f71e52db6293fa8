// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Families of lives: see family.h. */
#include <errno.h>
#include <stdlib.h>

#include "family.h"

struct known {
	const struct bcoslog_account_process *process;
	size_t index;
};

/* Return: less than 0, 0 or more, as @left began before @right, or was told of before it, or after. */
static int compare_begins(const struct bcoslog_account_process *left, const struct bcoslog_account_process *right)
{
	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return left->serial < right->serial ? -1 : left->serial > right->serial;
}

static int by_id(const void *left, const void *right)
{
	const struct known *a = left, *b = right;

	if (a->process->id != b->process->id)
		return a->process->id < b->process->id ? -1 : 1;
	return compare_begins(a->process, b->process);
}

/* Return: the index of the newest life with the ID of the parent that began before @child; FAMILY_NONE: there is none. */
static size_t find_parent(const struct known *known, size_t count, const struct bcoslog_account_process *child)
{
	size_t low = 0, high = count, middle;
	const struct bcoslog_account_process *each;

	while (low < high) {
		middle = low + (high - low) / 2;
		each = known[middle].process;
		if (each->id < child->parent || (each->id == child->parent && compare_begins(each, child) < 0))
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || known[low - 1].process->id != child->parent)
		return FAMILY_NONE;
	each = known[low - 1].process;
	return each->ended && each->end < child->start ? FAMILY_NONE : known[low - 1].index;
}

int family_find(struct family *family, const struct lives *lives)
{
	size_t i, count = lives->count;
	struct known *known = calloc(count ? count : 1, sizeof(*known));
	const struct bcoslog_account_process *process;

	if (!known)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		known[i] = (struct known){ &lives->lives[i].process, i };
	if (count)
		qsort(known, count, sizeof(*known), by_id);
	for (i = 0; i < count; i++)
		family[i] = (struct family){ FAMILY_NONE, FAMILY_NONE, FAMILY_NONE };
	for (i = count; i; i--) {
		process = &lives->lives[i - 1].process;
		if (!process->has_parent)
			continue;
		family[i - 1].parent = find_parent(known, count, process);
		if (family[i - 1].parent == FAMILY_NONE)
			continue;
		family[i - 1].next = family[family[i - 1].parent].child;
		family[family[i - 1].parent].child = i - 1;
	}
	free(known);
	return 0;
}
