/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions of SQL that know the log. */
#ifndef BCOSLOG_SQL_FUNCTIONS_H
#define BCOSLOG_SQL_FUNCTIONS_H

#include "tables.h"

/*
 * Adds bcos_wall(ts): what the wall clock showed at a time, ns since 1970, UTC; NULL if the log does not tell. The log is read when
 * the function is first called.  Return: SQLITE_OK, or another code of SQLite.
 */
int sql_functions_add(sqlite3 *db, struct sql_source *source);

#endif
