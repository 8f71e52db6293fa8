/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Does a statement ask for the numbers of rows, which are those in a whole table? */
#ifndef BCOSLOG_SQL_NUMBERS_H
#define BCOSLOG_SQL_NUMBERS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Return: whether a statement asks for numbers of rows. It does where it names rowid, and where SQLite has to know a row again:
 * for OR, RIGHT JOIN and FULL JOIN, if it finds rows by keys.
 */
bool sql_asks_numbers(sqlite3 *db, const char *text, size_t length);
/* Return: whether any statement does that runs on this connection. */
bool sql_any_asks_numbers(sqlite3 *db);

#endif
