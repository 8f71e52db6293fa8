/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Prints the tables and their columns. */
#ifndef BCOSLOG_SQL_SCHEMA_H
#define BCOSLOG_SQL_SCHEMA_H

#include <sqlite3.h>

#include "options/session.h"

/* Prints all tables in the form of the session, or the one of this name.  Return: the exit status. */
int schema_print(struct session *session, const char *name);
/* Prints the names of the tables, and those of the views of a connection. */
void schema_names(sqlite3 *db);

#endif
