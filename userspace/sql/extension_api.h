/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Has a source call SQLite through the program that loads the extension. The makefile includes it before all others. */
#ifndef BCOSLOG_SQL_EXTENSION_API_H
#define BCOSLOG_SQL_EXTENSION_API_H

#include <sqlite3ext.h>

extern const sqlite3_api_routines *sqlite3_api;

#endif
