/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The rows of a table over all logs of a source, one log after another, with the columns that tell of which log a row is:
 * log, machine, host and boot.
 */
#ifndef BCOSLOG_SQL_PASS_H
#define BCOSLOG_SQL_PASS_H

#include "logs.h"

/* The columns after those of the log. */
enum pass_column { PASS_LOG, PASS_MACHINE, PASS_HOST, PASS_BOOT, PASS_COLUMNS };

/**
 * struct pass_table - a table with these columns
 * @table: its name and columns; it has no more than that of the log if that tells of machines and boots itself
 * @columns: the memory of them
 * @number: the number of the table of the log
 * @own: how many columns are the log's
 * @time: the column that tells to which boot a row belongs; -1: none does
 * @unique: the columns whose IDs are unique in a log, as bits
 */
struct pass_table {
	struct bcoslog_rows_table table;
	struct bcoslog_rows_column columns[64];
	__u32 number, own;
	int time;
	__u64 unique;
};

/* Makes a table. */
void pass_table_make(struct pass_table *table, __u32 number);
/* Return: the columns whose texts stay as long as the pass, and are at one place if they are equal. */
__u64 pass_keeps(const struct pass_table *table, const struct sql_source *source);

/**
 * struct pass_wanted - the rows that are needed; others may come
 * @columns: the columns, as bits
 * @from: the least time in ts
 * @to: the greatest one
 * @cpu: the CPU; -1: all
 * @pid: the process ID; -1: all
 * @text: values of the columns from PASS_MACHINE on, each at its own number; NULL: all
 */
struct pass_wanted {
	__u64 columns;
	__s64 from, to;
	__s64 cpu, pid;
	const char *text[PASS_COLUMNS];
};

struct pass;

/* Begins to read the rows of a table, which stays.  Return: the pass; NULL if there is no memory. */
struct pass *pass_new(struct sql_source *source, const struct pass_table *table, const struct pass_wanted *wanted);
/* Gets the next row, valid until the next call.  Return: 1; 0 after the last one; a negative errno, of which pass_error() tells. */
int pass_next(struct pass *pass, const struct bcoslog_value **row);
const struct bcoslog_error *pass_error(const struct pass *pass);
/* Return: for how many losses, gaps and damaged places of what was read the table loss has a row. */
__u64 pass_missing(const struct pass *pass);
/* Frees a pass.  NULL is ignored. */
void pass_free(struct pass *pass);

#endif
