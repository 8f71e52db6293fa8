/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The log of which SQL asks: it is read once for each table of a statement, so what can be read only once is copied. */
#ifndef BCOSLOG_SQL_SOURCE_H
#define BCOSLOG_SQL_SOURCE_H

#include "log/run.h"
#include "sql/tables.h"

/**
 * struct asked_log - the log
 * @source: for the tables
 * @run: the pass that opened it, and that copied it
 * @copy: descriptor of the copy; -1: there is none
 * @path: path of the copy
 * @boot: ID of the boot that is read
 * @said: offset of the last damaged place that was counted
 * @window: what the options ask for, before the log was known
 */
struct asked_log {
	struct sql_source source;
	struct run run;
	int copy;
	char path[40];
	char boot[40];
	u64 said;
	struct window window;
};

/* Opens the log at @run.path.  Return: the exit status so far, or EXIT_ENVIRONMENT after a complaint. */
int source_open(struct asked_log *log);
/* Says what was missing, and closes the log.  Return: the exit status, of which @status is known. */
int source_close(struct asked_log *log, int status);

#endif
