// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Statements of SQL over the tables of a log: see question.h. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/linux.h"
#include "log/run.h"
#include "question.h"
#include "result.h"
#include "sql/functions.h"
#include "sql/macros.h"
#include "sql/numbers.h"
#include "sql/views.h"
#include "complain/complain.h"

/* SQLite asks after so many of its steps whether the statement is to end. */
#define STEPS 1000

/* When the statement that runs is to end, on the monotonic clock in ns; 0: no limit. */
static u64 deadline;
static bool refused, late;
/* What the tables show. */
static struct sql_source *asked;

static int is_late(void)
{
	late |= deadline && clock_now(CLOCK_MONOTONIC) > deadline;
	return late;
}

static int ends_statement(void *context)
{
	(void)context;
	return run_ends() || is_late();
}

/* Statements read the tables. They write nothing, open no file and change no setting. */
static int authorize(void *context, int action, const char *first, const char *second, const char *database, const char *trigger)
{
	(void)context;
	(void)database;
	(void)trigger;
	(void)first;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		if (second && sqlite3_stricmp(second, "load_extension"))
			return SQLITE_OK;
		/* fall through */
	default:
		refused = true;
		return SQLITE_DENY;
	}
}

sqlite3 *question_open(struct sql_source *source, const struct limits *limits)
{
	sqlite3 *db = NULL;
	size_t i;
	int r;

	if (limits->mib)
		sqlite3_hard_heap_limit64((sqlite3_int64)(limits->mib << 20));
	r = sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
	if (r == SQLITE_OK)
		r = sql_tables_add(db, source);
	if (r == SQLITE_OK)
		r = sql_views_add(db);
	if (r == SQLITE_OK)
		r = sql_macros_add(db);
	if (r == SQLITE_OK)
		r = sql_functions_add(db, source);
	if (r != SQLITE_OK) {
		complain("the tables cannot be made: %s", sqlite3_errstr(r));
		sqlite3_close(db);
		return NULL;
	}
	for (i = 0; i < source->count; i++)
		source->logs[i].options.ends = ends_statement;
	asked = source;
	question_guard(db);
	return db;
}

void question_guard(sqlite3 *db)
{
	sqlite3_set_authorizer(db, authorize, NULL);
	sqlite3_progress_handler(db, STEPS, ends_statement, NULL);
}

/* Says why a statement failed.  Return: -1. */
static int say_why(sqlite3 *db, const struct limits *limits, int code)
{
	output_flush();
	if (late)
		complain("the statement took more than %llu s (--timeout): ask for a shorter time (WHERE ts BETWEEN ..., --since), or allow more",
			 (unsigned long long)limits->seconds);
	else if (run_ends())
		return -1;
	else if ((code & 0xFF) == SQLITE_NOMEM)
		complain("the statement needs more memory than %llu MiB (--memory): ask for fewer rows or columns, or allow more",
			 (unsigned long long)limits->mib);
	else if (refused)
		complain("the statement would write, open a file or change a setting: bcoslog sql only reads");
	else
		complain("%s", sqlite3_errmsg(db));
	return -1;
}

/* Prints the rows of a statement.  Return: 0, or -1 after a complaint. */
static int print_rows(sqlite3 *db, struct session *session, const struct limits *limits, sqlite3_stmt *statement)
{
	struct result *result = result_begin(session, statement);
	int r = SQLITE_ROW;

	if (!result)
		return -1;
	while (!run_ends()) {
		r = sqlite3_step(statement);
		if (r != SQLITE_ROW || result_row(result))
			break;
	}
	if (result_end(result, r == SQLITE_DONE))
		return -1;
	return r == SQLITE_ROW || r == SQLITE_DONE ? 0 : say_why(db, limits, r);
}

int question_ask(sqlite3 *db, struct session *session, const struct limits *limits, const char *text)
{
	sqlite3_stmt *statement;
	const char *begin;
	int r = 0;

	for (; !r && *text && !run_ends(); sqlite3_finalize(statement)) {
		statement = NULL;
		late = refused = false;
		deadline = limits->seconds ? clock_now(CLOCK_MONOTONIC) + limits->seconds * 1000000000 : 0;
		begin = text;
		r = sqlite3_prepare_v2(db, text, -1, &statement, &text);
		if (r != SQLITE_OK) {
			r = say_why(db, limits, r);
		} else if (statement && sqlite3_column_count(statement)) {
			asked->statement++;
			asked->numbered = sql_asks_numbers(db, begin, (size_t)(text - begin));
			r = print_rows(db, session, limits, statement);
		} else if (statement) {
			/* VACUUM and REINDEX, of which the authorizer is not asked. */
			refused = true;
			r = say_why(db, limits, SQLITE_AUTH);
		}
	}
	return r;
}
