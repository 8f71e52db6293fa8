/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The rows of libbcoslog: a log as tables, for programs that ask questions, such as engines of SQL.
 *
 *	struct bcoslog_rows_options options = BCOSLOG_ROWS_ALL(bcoslog_rows_find("run"), "trace.bcos");
 *	const struct bcoslog_value *row;
 *	struct bcoslog_rows *rows;
 *	struct bcoslog_error error;
 *
 *	if (!bcoslog_rows_open(&rows, &options, &error))
 *		while (bcoslog_rows_next(rows, &row) > 0)
 *			printf("%lld\n", row[0].integer);
 *	bcoslog_rows_close(rows);
 *
 * Nothing is imported: each cursor passes over the log once, in memory that grows with what is alive and with the number of
 * different names, and not with the log's length.  Times and lengths are nanoseconds, times since boot.  What the log does
 * not tell is of the type BCOSLOG_NULL.  The names of tables and columns stay, and keep their meaning; later versions add
 * columns at the end of a table.
 */
#ifndef BCOSLOG_ROWS_H
#define BCOSLOG_ROWS_H

#include "bcoslog_archive.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The types of values, and of columns. A column of any type can have BCOSLOG_NULL. */
enum bcoslog_value_type {
	BCOSLOG_NULL,
	BCOSLOG_INTEGER,
	BCOSLOG_REAL,
	BCOSLOG_TEXT,
};

/**
 * struct bcoslog_value - a value of a row
 * @type: its type, enum bcoslog_value_type
 * @length: BCOSLOG_TEXT: length of @text in bytes
 * @integer: BCOSLOG_INTEGER: the value
 * @real: BCOSLOG_REAL: the value
 * @text: BCOSLOG_TEXT: the value, which no zero byte terminates, and which is UTF-8 only if what the log has is
 */
struct bcoslog_value {
	__u32 type;
	__u32 length;
	union {
		__s64 integer;
		double real;
		const char *text;
	};
};

/**
 * struct bcoslog_rows_column - a column of a table
 * @name: its name
 * @type: the type of its values that are not BCOSLOG_NULL
 * @about: what it says, a sentence without a full stop
 */
struct bcoslog_rows_column {
	const char *name;
	__u32 type;
	const char *about;
};

/**
 * struct bcoslog_rows_table - a table
 * @name: its name
 * @about: what has a row, a sentence without a full stop
 * @columns: its columns
 * @count: number of @columns, at most 64
 */
struct bcoslog_rows_table {
	const char *name;
	const char *about;
	const struct bcoslog_rows_column *columns;
	__u32 count;
};

/* Return: table number @index, from 0 on; NULL if there are not so many. */
const struct bcoslog_rows_table *bcoslog_rows_table(size_t index);

/* Return: the number of the table or column of this name; -1 if there is none. */
int bcoslog_rows_find(const char *table);
int bcoslog_rows_find_column(const struct bcoslog_rows_table *table, const char *name);

struct bcoslog_rows;

/**
 * struct bcoslog_rows_options - what is asked for
 * @size: size of this structure in bytes
 * @table: number of the table
 * @path: the log, a file or a recorded directory
 * @machine: the machine whose log is read from a directory of several ones; NULL: as bcoslog_open() chooses
 * @boot: the boot that is read; NULL: all
 * @part: the part of a recording that is read, as for bcoslog_set_window(); zeros: all
 * @since: when the window begins, ns since boot: intervals are clipped to it, and sums are of it
 * @until: when it ends; 0 for the end of the log
 * @columns: the columns that are needed, bit n for column n; the others may be BCOSLOG_NULL
 * @from: only rows whose column ts is at least this are needed; others may come.  This clips nothing
 * @to: only rows whose column ts is at most this are needed; others may come.  This clips nothing
 * @cpu: only rows of this CPU are needed; -1: of all
 * @pid: only rows of processes with this ID are needed; -1: of all
 * @context: first argument of the functions below, each of which may be NULL
 * @ends: called from time to time; reading ends with -EINTR if it returns something else than 0
 * @damaged: called for each damaged place of the log, which is skipped
 */
struct bcoslog_rows_options {
	__u32 size;
	__u32 table;
	const char *path;
	const char *machine;
	const char *boot;
	struct bcoslog_window part;
	__u64 since, until;
	__u64 columns;
	__s64 from, to;
	__s64 cpu, pid;
	void *context;
	int (*ends)(void *context);
	void (*damaged)(void *context, enum bcoslog_kind kind, const struct bcoslog_error *error);
};

/* Options that ask for all rows of a table. */
#define BCOSLOG_ROWS_ALL(number, file) \
	((struct bcoslog_rows_options){ .size = sizeof(struct bcoslog_rows_options), .table = (number), .path = (file), \
					.columns = ~0ull, .from = (-0x7FFFFFFFFFFFFFFFll - 1), .to = 0x7FFFFFFFFFFFFFFFll, \
					.cpu = -1, .pid = -1 })

/**
 * bcoslog_rows_open() - begin to read the rows of a table
 * @rows: receives the cursor, which bcoslog_rows_close() frees
 * @options: what is asked for; the texts stay valid until bcoslog_rows_close()
 * @error: receives the reason of a failure
 *
 * Return: 0 or a negative errno.
 */
int bcoslog_rows_open(struct bcoslog_rows **rows, const struct bcoslog_rows_options *options, struct bcoslog_error *error);

/**
 * bcoslog_rows_next() - read the next row
 * @rows: the cursor
 * @row: receives the values, one for each column of the table, valid until the next call
 *
 * The rows are in the order in which the log tells them.
 *
 * Return: 1; 0 after the last row; a negative errno, whose reason bcoslog_rows_error() has.
 */
int bcoslog_rows_next(struct bcoslog_rows *rows, const struct bcoslog_value **row);

/* Return: the reason of the last failure. */
const struct bcoslog_error *bcoslog_rows_error(const struct bcoslog_rows *rows);

/**
 * bcoslog_rows_keeps() - find out how long a text stays valid
 * @table: the table
 * @column: number of one of its columns
 *
 * Return: 1 if texts of this column stay valid until bcoslog_rows_close(), and equal texts are at one place; else 0.
 */
int bcoslog_rows_keeps(const struct bcoslog_rows_table *table, size_t column);

/* Return: for how many losses, gaps and damaged places of what was read so far the table loss has a row, in the same window. */
__u64 bcoslog_rows_missing(const struct bcoslog_rows *rows);

/* Free a cursor.  NULL is ignored. */
void bcoslog_rows_close(struct bcoslog_rows *rows);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
