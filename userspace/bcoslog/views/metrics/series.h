/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Counters by name, of which a limited number is shown, and all others as one. */
#ifndef BCOSLOG_VIEWS_SERIES_H
#define BCOSLOG_VIEWS_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/host/user.h"

/* The most counters of a name. */
#define SERIES_VALUES 10
/* The most bytes of a name. Names that differ later are one. */
#define SERIES_NAME 255
/* The most names that a table keeps. Later ones are counted as others at once. */
#define SERIES_KEPT 65536

/**
 * struct series - the counters of a name
 * @value: the counters; the first one decides which names are shown, and the next one between equal ones
 * @number: a number that belongs to the name, such as that of an interrupt line
 * @shown: it has a series of its own, and keeps it
 * @length: length of @name
 * @name: the name, which no zero byte terminates
 */
struct series {
	u64 value[SERIES_VALUES];
	u32 number;
	bool shown;
	size_t length;
	char name[];
};

/**
 * struct series_table - counters by name and number; zeros but for @most at first
 * @tree: of tsearch()
 * @list: all series, in no order until series_choose() sorts them
 * @count: number of @list
 * @room: allocated number of @list
 * @most: how many are shown
 * @shown: how many are shown now; they come first in @list after series_choose()
 * @closed: as many as @most are shown, so that a new name is counted as one of the others at once
 * @others: sums of those that are not shown, of series_choose(); and of the names that are not kept, always
 * @unkept: the same for the names that are not kept alone
 * @failed: there was no memory for a name
 */
struct series_table {
	void *tree;
	struct series **list;
	size_t count, room, most, shown;
	bool closed;
	u64 others[SERIES_VALUES], unkept[SERIES_VALUES];
	bool failed;
};

/*
 * Return: the counters of a name, to which the caller adds: those of all others if it is empty and @number 0, or the table
 * keeps no more names.
 */
u64 *series_of(struct series_table *table, const char *name, size_t length, u32 number);
/* Return: the series of a name, or NULL if it has none of its own. */
const struct series *series_find(const struct series_table *table, const char *name, size_t length, u32 number);
/* Chooses which series are shown: those that were, and the greatest of the rest while there is room. Sums up the others. */
void series_choose(struct series_table *table);
void series_free(struct series_table *table);

#endif
