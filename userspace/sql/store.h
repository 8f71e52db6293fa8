/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rows that are kept by their keys, so that SQLite gets those of one key together, and need not sort: it has no other way
 * to group. Beyond a limit of memory they are in a file without a name.
 */
#ifndef BCOSLOG_SQL_STORE_H
#define BCOSLOG_SQL_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "bcoslog_rows.h"

/* The greatest number of keys. */
#define STORE_KEYS 3

struct store;

/**
 * struct store_shape - what a store keeps
 * @table: the table of the rows
 * @columns: the columns that are kept, as bits
 * @keeps: the columns whose texts stay where they are, equal ones at one place, as bits
 * @keys: number of keys; 0: all rows are together
 * @key: the columns that are keys, whose texts stay
 * @descends: whether the order of the key is the reverse one
 * @numbered: the number of each row is kept, from 1 on, in the order in which they are added
 */
struct store_shape {
	const struct bcoslog_rows_table *table;
	__u64 columns, keeps;
	int keys;
	int key[STORE_KEYS];
	bool descends[STORE_KEYS];
	bool numbered;
};

/* Can rows of these columns be kept by these keys, in memory that does not grow with their number? */
bool store_is_possible(const struct store_shape *shape);
/* Return: an empty store, which takes about @memory bytes before it uses a file; NULL if there is no memory. */
struct store *store_new(const struct store_shape *shape, size_t memory);
/* Keep a row. Kept texts stay where they are.  Return: 0 or a negative errno. */
int store_add(struct store *store, const struct bcoslog_value *row);
/* Go to the first row in the order of the keys, once all rows are there.  Return: 1, 0 if there is none, a negative errno. */
int store_first(struct store *store);
/* Go to the first row whose only key is @key.  Return: likewise. */
int store_find(struct store *store, __s64 key);
/* Go to the next row, after store_find() of the same key.  Return: likewise. */
int store_next(struct store *store);
/* Get a column of the present row. */
void store_get(const struct store *store, int column, struct bcoslog_value *value);
/* Return: the number of the present row; 0 if the store keeps none. */
__s64 store_number(const struct store *store);
/* Free a store.  NULL is ignored. */
void store_free(struct store *store);

#endif
