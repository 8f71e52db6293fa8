/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Views over the tables of a log, of which views.sql has the text. */
#ifndef BCOSLOG_SQL_VIEWS_H
#define BCOSLOG_SQL_VIEWS_H

#include <sqlite3.h>

/* Adds the views to a connection that has the tables.  Return: SQLITE_OK, or another code of SQLite. */
int sql_views_add(sqlite3 *db);
/*
 * Adds them to a connection of somebody else, whose file they do not touch: they are temporary ones, and what is there has its name.
 * Return: likewise.
 */
int sql_views_add_beside(sqlite3 *db);

#endif
