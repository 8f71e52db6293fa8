/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The log of which SQL asks: it is read once for each table of a statement, so what can be read only once is copied. A recorded
 * directory of several machines, of which none is chosen, is a log for each.
 */
#ifndef BCOSLOG_SQL_SOURCE_H
#define BCOSLOG_SQL_SOURCE_H

#include <pthread.h>

#include "log/boots.h"
#include "log/run.h"
#include "sql/tables.h"

struct asked_log;

/**
 * struct asked_machine - the log of a machine, as struct sql_log has it for the tables
 * @asked: all of them
 * @of: the boots of the machine, of which this is one; zeros if the options choose the machine
 * @name: for complaints: its host, with its ID if another machine has that name; empty if there is one log
 * @said: offset of the last damaged place that was counted
 * @boot: ID of the boot that is read, if the options choose one
 */
struct asked_machine {
	struct asked_log *asked;
	struct boot of;
	char name[80];
	char boot[40];
	u64 said;
};

/**
 * struct asked_log - the log
 * @source: for the tables
 * @run: the pass that opened it, and that copied it
 * @copy: descriptor of the copy; -1: there is none
 * @path: path of the copy
 * @window: what the options ask for, before the log was known
 * @machines: those of @source.logs, in their order
 * @lock: held while a log is opened and while something is said, since other threads do so; NULL: there is one thread
 */
struct asked_log {
	struct sql_source source;
	struct run run;
	int copy;
	char path[40];
	struct window window;
	struct asked_machine *machines;
	pthread_mutex_t *lock;
};

/* Opens the log at @run.path.  Return: the exit status so far, or EXIT_ENVIRONMENT after a complaint. */
int source_open(struct asked_log *log);
/* Does so with a log that was opened, as @run.log.  Return: likewise. */
int source_settle(struct asked_log *log);
/* Says what was missing, and closes the log.  Return: the exit status, of which @status is known. */
int source_close(struct asked_log *log, int status);

#endif
