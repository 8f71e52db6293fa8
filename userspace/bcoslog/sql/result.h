/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Prints the rows of a statement as they come: as a table, JSON or CSV. */
#ifndef BCOSLOG_SQL_RESULT_H
#define BCOSLOG_SQL_RESULT_H

#include <sqlite3.h>

#include "options/session.h"

struct result;

/*
 * Return: what objects and the head of CSV call a column, a name that none of the @names before it has; NULL if there is no memory.
 * free() frees it.
 */
char *result_name(sqlite3_stmt *statement, char *const *names, int column);
/* Return: the result of a statement that has columns, and whose rows come next; NULL after a complaint. */
struct result *result_begin(struct session *session, sqlite3_stmt *statement);
/* Prints the present row, or keeps it until others have come.  Return: 0, or -1 after a complaint. */
int result_row(struct result *result);
/* Prints what was kept, and frees the result. @whole: all rows have come.  Return: 0, or -1 after a complaint. */
int result_end(struct result *result, bool whole);

#endif
