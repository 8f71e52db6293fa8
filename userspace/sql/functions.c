// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Functions of SQL that know the log: see functions.h. */
#include <stdint.h>
#include <stdlib.h>

#include "bcoslog.h"
#include "functions.h"

/* The readings of the wall clock. */
struct readings {
	struct sql_source *source;
	struct bcoslog_wall *walls;
	size_t count, room;
	int read;			/* the log was read */
};

static void free_readings(void *data)
{
	struct readings *readings = data;

	free(readings->walls);
	free(readings);
}

/* Return: 0 or -ENOMEM. */
static int add_reading(struct readings *readings, const struct bcoslog_value *row)
{
	size_t room = readings->room ? 2 * readings->room : 16;
	struct bcoslog_wall *walls;

	if (row[0].type != BCOSLOG_INTEGER || row[1].type != BCOSLOG_INTEGER)
		return 0;
	if (readings->count == readings->room) {
		walls = reallocarray(readings->walls, room, sizeof(*walls));
		if (!walls)
			return -1;
		readings->walls = walls;
		readings->room = room;
	}
	readings->walls[readings->count++] = (struct bcoslog_wall){ .boot = (__u64)row[0].integer, .utc = (__u64)row[1].integer };
	return 0;
}

/* Reads all readings of the clock.  Return: whether that succeeded. */
static int read_clock(struct readings *readings)
{
	struct bcoslog_rows_options options = readings->source->options;
	const struct bcoslog_value *row;
	struct bcoslog_error error;
	struct bcoslog_rows *rows;
	int r;

	options.size = sizeof(options);
	options.table = (__u32)bcoslog_rows_find("clock");
	/* A window has no reading of its own, perhaps. */
	options.since = options.until = 0;
	if (bcoslog_rows_open(&rows, &options, &error))
		return 0;
	while ((r = bcoslog_rows_next(rows, &row)) > 0)
		if (add_reading(readings, row))
			break;
	bcoslog_rows_close(rows);
	readings->read = !r;
	return !r;
}

static void wall_function(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct readings *readings = sqlite3_user_data(context);
	sqlite3_int64 time = sqlite3_value_int64(values[0]);
	__u64 wall;
	size_t i;

	(void)count;
	if (sqlite3_value_numeric_type(values[0]) == SQLITE_NULL || time < 0)
		return;
	if (!readings->read && !read_clock(readings)) {
		sqlite3_result_error(context, "bcos_wall() cannot read the log", -1);
		return;
	}
	/* The newest reading before the time counts, as in the reports; before the first one, that. */
	for (i = readings->count; i > 1 && readings->walls[i - 1].boot > (__u64)time; i--)
		;
	wall = i ? bcoslog_wall_time(&readings->walls[i - 1], (__u64)time) : 0;
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
