/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tables of logs as virtual tables of SQLite, which read the logs when a statement asks for them. */
#ifndef BCOSLOG_SQL_TABLES_H
#define BCOSLOG_SQL_TABLES_H

#include <sqlite3.h>

#include "logs.h"

/*
 * Adds the tables to a database connection. @source stays valid until the connection is closed.
 * Return: SQLITE_OK, or another code of SQLite.
 */
int sql_tables_add(sqlite3 *db, struct sql_source *source);

#endif
