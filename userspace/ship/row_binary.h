/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rows in the format RowBinary of ClickHouse. */
#ifndef SHIP_ROW_BINARY_H
#define SHIP_ROW_BINARY_H

#include "bcoslog_rows.h"
#include "tables.h"

/* The bytes of rows of one table. Zeros have none. */
struct row_bytes {
	u8 *bytes;
	size_t size, room;
	u64 rows;
};

/**
 * row_binary_add() - add a row
 * @to: gets its bytes
 * @table: its table
 * @values: a value for each column of @table. A number that its column cannot hold is no value, as BCOSLOG_NULL is; a column that
 *	is not nullable then has 0 or an empty text
 *
 * Return: 0 or -ENOMEM.
 */
int row_binary_add(struct row_bytes *to, const struct ship_table *table, const struct bcoslog_value *values);

#endif
