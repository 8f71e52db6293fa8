/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Statements of SQL over the tables of a log: they read only, and end at limits of time and memory. */
#ifndef BCOSLOG_SQL_QUESTION_H
#define BCOSLOG_SQL_QUESTION_H

#include <sqlite3.h>

#include "options/session.h"
#include "sql/tables.h"

/* The limits of a statement; 0: there is none. */
struct limits {
	u64 seconds;			/* of time */
	u64 mib;			/* of memory that SQLite takes */
};

/* Return: a database of the tables; NULL after a complaint. */
sqlite3 *question_open(struct sql_source *source, const struct limits *limits);
/* Has statements of a database read alone, and end at the limits. question_open() has been called before. */
void question_guard(sqlite3 *db);
/*
 * Runs the statements of a text, and prints the rows of each in the form of the session.
 * Return: 0, or -1 after a complaint.
 */
int question_ask(sqlite3 *db, struct session *session, const struct limits *limits, const char *text);

#endif
