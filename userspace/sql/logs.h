/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The logs that the tables show: one, or one for each machine of a recorded directory. */
#ifndef BCOSLOG_SQL_LOGS_H
#define BCOSLOG_SQL_LOGS_H

#include <stdbool.h>

#include "bcoslog_rows.h"

/**
 * struct sql_boot - a boot of which a log tells
 * @id: its ID; NULL if it is unknown
 * @begin: the boot itself, on the log's line of time, ns
 * @end: its last entry, likewise
 */
struct sql_boot {
	const char *id;
	__u64 begin, end;
};

/**
 * struct sql_log - the log of a machine
 * @options: what every cursor asks for: the log, machine, boot and window, and functions that are called; the table, the
 *	columns and the times do not count
 * @machine: ID of the machine; NULL if it is unknown
 * @host: name of the machine; NULL if it is unknown
 * @boots: its boots in the order of time. Equal texts of all logs of a source are at one place
 * @boot_count: number of @boots
 * @known: @host and @boots are known; otherwise they are what a file states
 */
struct sql_log {
	struct bcoslog_rows_options options;
	const char *machine, *host;
	struct sql_boot *boots;
	size_t boot_count;
	bool known;
};

/**
 * struct sql_source - the logs that the tables show
 * @logs: the logs
 * @count: number of @logs
 * @texts: the texts of the logs
 * @numbered: the statement asks for numbers of rows, which are those in the whole table then: no condition is pushed down
 * @statement: number of the statement that runs: rows that are kept for it are freed in the next one
 * @shared: statements of others run on the connection, so the tables themselves find out what is @numbered and when one ends
 * @cursors: how many cursors are open, of a connection that is @shared
 * @missing: out: the greatest number of losses, gaps and damaged places that one pass over the logs has met
 */
struct sql_source {
	struct sql_log *logs;
	size_t count;
	struct sql_text *texts;
	bool numbered;
	unsigned long statement;
	bool shared;
	size_t cursors;
	__u64 missing;
};

/* Adds a log, about which nothing is known yet.  Return: the log; NULL if there is no memory. Former ones may move. */
struct sql_log *sql_log_add(struct sql_source *source);
/* Adds the next boot of a log.  Return: whether there was memory for it. */
bool sql_log_add_boot(struct sql_source *source, struct sql_log *log, const char *id, __u64 begin, __u64 end);
/* Return: a text that stays as long as the source; NULL if it is empty, with *@failed set if there is no memory. */
const char *sql_text_keep(struct sql_source *source, const char *text, bool *failed);
/* Learns what a file states of its host and boot, if that is not known yet.  Return: false if that cannot be read. */
bool sql_log_learn(struct sql_source *source, struct sql_log *log);
/* Return: the ID of the boot to which a time belongs; NULL if it is unknown, or may be another one. */
const char *sql_log_boot(const struct sql_log *log, __u64 time);
/* Return: the only log whose machine has this ID or name; NULL if there is none, or are several. */
struct sql_log *sql_log_find(const struct sql_source *source, const char *machine);
/* Frees what belongs to the source. */
void sql_source_free(struct sql_source *source);

#endif
