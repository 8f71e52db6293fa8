/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tables of a log as virtual tables of SQLite, which read the log when a statement asks for them. */
#ifndef BCOSLOG_SQL_TABLES_H
#define BCOSLOG_SQL_TABLES_H

#include <sqlite3.h>
#include <stdbool.h>

#include "bcoslog_rows.h"

/**
 * struct sql_source - the log that the tables show
 * @options: what every cursor asks for: the log, machine, boot and window, and functions that are called; the table, the
 *	columns and the times do not count
 * @numbered: the statement asks for numbers of rows, which are those in the whole table then: no condition is pushed down
 * @statement: number of the statement that runs: rows that are kept for it are freed in the next one
 * @missing: out: the greatest number of losses, gaps and damaged places that one pass over the log has met
 */
struct sql_source {
	struct bcoslog_rows_options options;
	bool numbered;
	unsigned long statement;
	__u64 missing;
};

/*
 * Adds the tables to a database connection. @source stays valid until the connection is closed.
 * Return: SQLITE_OK, or another code of SQLite.
 */
int sql_tables_add(sqlite3 *db, struct sql_source *source);

#endif
