/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rows of several tables by one pass over a log. */
#ifndef BCOSLOG_ROWS_SEVERAL_H
#define BCOSLOG_ROWS_SEVERAL_H

#include "bcoslog_rows.h"
#include "core/host/user.h"

/**
 * rows_add_table() - have a cursor give the rows of another table as well
 * @rows: a cursor of a table that has an account, and of which no row was asked for yet
 * @table: number of the other table: event, loss or process, which need nothing that only one cursor can get
 * @clipped: it has the window of @rows; otherwise its rows are those of all that is read
 *
 * Return: 0 or -ENOMEM.
 */
int rows_add_table(struct bcoslog_rows *rows, u32 table, bool clipped);

/*
 * Reads the next row, as bcoslog_rows_next() does, of any of the tables. *@table receives the number of its table. The rows of each
 * table are in the order in which they come without the others.
 */
int rows_next_of_several(struct bcoslog_rows *rows, u32 *table, const struct bcoslog_value **row);

#endif
