/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions of SQL that know the log. */
#ifndef BCOSLOG_SQL_FUNCTIONS_H
#define BCOSLOG_SQL_FUNCTIONS_H

#include "tables.h"

/*
 * Adds bcos_wall(ts) and bcos_wall(ts, machine): what the wall clock showed at a time, ns since 1970, UTC; NULL if the log does not
 * tell, or if ts is NULL or negative. A text that is no number is an error. The log is read when the function is first called. The
 * source, whose logs stay, is freed after the connection.
 * Return: SQLITE_OK, or another code of SQLite.
 */
int sql_functions_add(sqlite3 *db, struct sql_source *source);
/*
 * Finds the log that a function is about, whose second argument, if it has @count of them, names the machine.
 * Return: NULL after an error in the context.
 */
struct sql_log *sql_function_log(const struct sql_source *source, sqlite3_context *context, int count, sqlite3_value **values);

#endif
