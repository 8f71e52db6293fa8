/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Statements with parameters as functions that give a table: SELECT * FROM diff(0, 1000, 1000, 2000). */
#ifndef BCOSLOG_SQL_MACROS_H
#define BCOSLOG_SQL_MACROS_H

#include <sqlite3.h>

/* Adds the functions to a connection that has the tables.  Return: SQLITE_OK, or another code of SQLite. */
int sql_macros_add(sqlite3 *db);
/* Return: the name of function number @index with its parameters, from 0 on; NULL if there are not so many. */
const char *sql_macro_call(int index);

#endif
