// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Functions of SQL that know the log: see functions.h. */
#include <stdint.h>
#include <stdlib.h>

#include "bcoslog.h"
#include "functions.h"
#include "state/clock.h"

/* The readings of the wall clock. */
struct readings {
	struct sql_source *source;
	struct bcoslog_clock *clock;	/* NULL: the log was not read */
};

static void free_readings(void *data)
{
	struct readings *readings = data;

	bcoslog_clock_free(readings->clock);
	free(readings);
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

/* Reads all readings of the clock.  Return: whether that succeeded. */
static bool read_clock(struct readings *readings)
{
	struct bcoslog_rows_options options = readings->source->options;
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
		readings->clock = clock;
	else
		bcoslog_clock_free(clock);
	return !r;
}

static void wall_function(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct readings *readings = sqlite3_user_data(context);
	sqlite3_int64 time = sqlite3_value_int64(values[0]);
	__u64 wall;

	(void)count;
	if (sqlite3_value_numeric_type(values[0]) == SQLITE_NULL || time < 0)
		return;
	if (!readings->clock && !read_clock(readings)) {
		sqlite3_result_error(context, "bcos_wall() cannot read the log", -1);
		return;
	}
	wall = bcoslog_clock_wall(readings->clock, (__u64)time);
	if (wall && wall <= INT64_MAX)
		sqlite3_result_int64(context, (sqlite3_int64)wall);
}

int sql_functions_add(sqlite3 *db, struct sql_source *source)
{
	struct readings *readings = calloc(1, sizeof(*readings));

	if (!readings)
		return SQLITE_NOMEM;
	readings->source = source;
	/* SQLite frees the readings also if this fails. */
	return sqlite3_create_function_v2(db, "bcos_wall", 1, SQLITE_UTF8, readings, wall_function, NULL, NULL, free_readings);
}
