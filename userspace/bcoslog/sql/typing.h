/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The lines of the dialogue: on a terminal with a history, editing and completion, where libedit was there at the build. */
#ifndef BCOSLOG_SQL_TYPING_H
#define BCOSLOG_SQL_TYPING_H

#include <sqlite3.h>
#include <stdbool.h>
#include <sys/types.h>

struct typing;

/* Begins to read standard input. @asks: it is a terminal, which gets a prompt.  Return: NULL if there is no memory. */
struct typing *typing_begin(sqlite3 *db, bool asks);
/*
 * Reads a line. @more: it goes on with a statement. *@line is valid until the next call.
 * Return: its length with its end; -1 at the end, or after an error, which errno tells if it is not 0.
 */
ssize_t typing_line(struct typing *typing, bool more, const char **line);
/* Keeps the history in ~/.bcoslog_sql_history, and ends.  NULL is ignored. */
void typing_end(struct typing *typing);

#endif
