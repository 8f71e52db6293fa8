/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The function bcos_ts() of SQL: a time as the options write it becomes ns since boot. */
#ifndef BCOSLOG_SQL_TIMES_H
#define BCOSLOG_SQL_TIMES_H

#include <sqlite3.h>

#include "source.h"

/* Adds the function to a connection; @log stays until that is closed.  Return: 0, or -1 after a complaint. */
int times_add(sqlite3 *db, struct asked_log *log);

#endif
