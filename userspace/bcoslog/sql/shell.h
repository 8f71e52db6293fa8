/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Asks for statements, one after another: without a statement, bcoslog sql reads them from standard input. */
#ifndef BCOSLOG_SQL_SHELL_H
#define BCOSLOG_SQL_SHELL_H

#include "question.h"

/*
 * Answers the statements that standard input has, each up to a semicolon at the end of a line, and the words .tables, .schema and
 * .quit. On a terminal a statement that fails does not end it.
 * Return: 0, or -1 after a complaint about a statement.
 */
int shell_run(sqlite3 *db, struct session *session, const struct limits *limits);

#endif
