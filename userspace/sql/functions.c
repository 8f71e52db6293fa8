// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Functions of SQL that know the log: see functions.h. */
#include <stdint.h>
#include <stdlib.h>

#include "bcoslog.h"
#include "functions.h"
#include "state/clock.h"

/* The wall clocks of the logs. */
struct clocks {
	const struct sql_source *source;
	size_t count;
	struct bcoslog_clock **of;	/* @count of them, by log; NULL: it was not read */
};

static void free_clocks(void *data)
{
	struct clocks *clocks = data;
	size_t i;

	for (i = 0; i < clocks->count; i++)
		bcoslog_clock_free(clocks->of[i]);
	free(clocks->of);
	free(clocks);
}

/* Makes room for the clocks of the logs, which may have been opened only now.  Return: whether there is memory for it. */
static bool make_room(struct clocks *clocks)
{
	if (!clocks->of)
		clocks->of = calloc(clocks->source->count, sizeof(clocks->of[0]));
	clocks->count = clocks->of ? clocks->source->count : 0;
	return clocks->of;
}

/* Return: 0 or -ENOMEM. */
static int add_reading(struct bcoslog_clock *clock, const struct bcoslog_value *row)
{
	struct bcoslog_wall wall = { .boot = (__u64)row[0].integer, .utc = (__u64)row[1].integer, .precision = UINT32_MAX };

	if (row[0].type != BCOSLOG_INTEGER || row[1].type != BCOSLOG_INTEGER)
		return 0;
	if (row[2].type == BCOSLOG_INTEGER)
		wall.precision = (__u32)row[2].integer;
	return bcoslog_clock_add(clock, &wall);
}

/* Return: a clock with all readings of a log; NULL if it cannot be read. */
static struct bcoslog_clock *read_clock(const struct sql_log *log)
{
	struct bcoslog_rows_options options = log->options;
	struct bcoslog_clock *clock = bcoslog_clock_new();
	const struct bcoslog_value *row;
	struct bcoslog_error error;
	struct bcoslog_rows *rows;
	int r = -1;

	options.size = sizeof(options);
	options.table = (__u32)bcoslog_rows_find("clock");
	/* A window has no reading of its own, perhaps. */
	options.since = options.until = 0;
	if (clock && !bcoslog_rows_open(&rows, &options, &error)) {
		while ((r = bcoslog_rows_next(rows, &row)) > 0)
			if (add_reading(clock, row))
				break;
		bcoslog_rows_close(rows);
	}
	if (!r)
		return clock;
	bcoslog_clock_free(clock);
	return NULL;
}

struct sql_log *sql_function_log(const struct sql_source *source, sqlite3_context *context, int count, sqlite3_value **values)
{
	const char *machine = count > 1 ? (const char *)sqlite3_value_text(values[1]) : NULL;
	struct sql_log *log = count < 2 ? (source->count == 1 ? source->logs : NULL) : machine ? sql_log_find(source, machine) : NULL;

	if (!source->count)
		sqlite3_result_error(context, "no log is open: SELECT bcos_open('PATH') opens one", -1);
	else if (!log)
		sqlite3_result_error(context, count < 2 ? "the log is of several machines, each with a line of time of its own: name one of "
				     "them as a second argument, as machine or host tells it" :
				     "the second argument is no machine, or name of one alone, that is read", -1);
	return log;
}

static void wall_function(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct clocks *clocks = sqlite3_user_data(context);
	int type = sqlite3_value_numeric_type(values[0]);
	sqlite3_int64 time = sqlite3_value_int64(values[0]);
	const struct sql_log *log;
	__u64 wall;
	size_t i;

	/* SQLite takes the digits at the begin of a text for a number, and none for 0, which is a time as well. */
	if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
		sqlite3_result_error(context, "bcos_wall() takes ns since boot, as the columns ts are: bcos_ts('14:03:05') makes "
				     "them of a time", -1);
		return;
	}
	if (type == SQLITE_NULL || time < 0)
		return;
	log = sql_function_log(clocks->source, context, count, values);
	if (!log)
		return;
	i = (size_t)(log - clocks->source->logs);
	if (!make_room(clocks)) {
		sqlite3_result_error_nomem(context);
		return;
	}
	if (!clocks->of[i])
		clocks->of[i] = read_clock(log);
	if (!clocks->of[i]) {
		sqlite3_result_error(context, "bcos_wall() cannot read the log", -1);
		return;
	}
	wall = bcoslog_clock_wall(clocks->of[i], (__u64)time);
	if (wall && wall <= INT64_MAX)
		sqlite3_result_int64(context, (sqlite3_int64)wall);
}

/* Each number of arguments has clocks of its own, which SQLite frees, also if this fails. */
static int add_wall(sqlite3 *db, struct sql_source *source, int arguments)
{
	struct clocks *clocks = calloc(1, sizeof(*clocks));

	if (!clocks)
		return SQLITE_NOMEM;
	clocks->source = source;
	return sqlite3_create_function_v2(db, "bcos_wall", arguments, SQLITE_UTF8, clocks, wall_function, NULL, NULL, free_clocks);
}

int sql_functions_add(sqlite3 *db, struct sql_source *source)
{
	int r = add_wall(db, source, 1);

	return r == SQLITE_OK ? add_wall(db, source, 2) : r;
}
