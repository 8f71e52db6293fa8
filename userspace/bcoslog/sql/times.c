// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The function bcos_ts() of SQL: see times.h. */
#include <stdio.h>

#include "complain/complain.h"
#include "log/reach.h"
#include "sql/functions.h"
#include "times.h"

/* A log has all times here: a condition that no row fulfils is no mistake. */
#define ANY_SPAN UINT64_MAX
/* The time of a text was not looked for in a log. */
#define UNKNOWN (-1)

/*
 * Finds a time as if the options asked for it, with those that were given: the log has the same line of time then.
 * Return: whether it was found; otherwise *@why is a sentence, or the reason was said.
 */
static bool find_time(const struct asked_log *asked, const struct sql_log *log, const char *text, u64 *time, const char **why)
{
	struct session session = *asked->run.session;
	struct run run = { .session = &session, .path = log->options.path };
	struct bcoslog_error error;
	bool found = false;

	*why = NULL;
	session.clock = (struct clock){ .mode = asked->run.session->clock.mode };
	session.window = asked->window;
	/* The copy of a log has no recorder, and no boots to choose from. */
	if (asked->copy >= 0) {
		session.window = (struct window){ .moment.kind = WHEN_NONE };
		session.boots = (struct boot_choice){ .machine = NULL };
		session.asked_recorder = session.joined = false;
	} else if (log->options.machine) {
		session.boots.machine = log->options.machine;
	}
	session.window.span = ANY_SPAN;
	if (!is_time_asked(text, &session.window.moment)) {
		*why = "takes " MOMENT_FORMS;
		return false;
	}
	if (bcoslog_open(&run.log, run.path, 0, &error)) {
		complain("%s", error.text);
		return false;
	}
	if (!run_settle_times(&run)) {
		found = window_get_moment(&session.window, &session.clock, time) && session.window.moment.kind == WHEN_BOOT;
		if (!found)
			*why = "needs the wall clock, which the log does not state: name seconds since boot, or how long before the end";
	}
	wall_forget(&session.clock);
	bcoslog_close(run.log);
	return found;
}

/*
 * Finds a time where other threads may open logs and complain.
 * Return: as find_time(), and if the reason would be said on standard error, which is the caller's, it is *@why.
 */
static bool find_time_locked(const struct asked_log *asked, const struct sql_log *log, const char *text, u64 *time, const char **why,
			     char *said, size_t room)
{
	size_t length = (size_t)snprintf(said, room, "has no answer: ");
	bool found;

	pthread_mutex_lock(asked->lock);
	complain_hold(true);
	found = find_time(asked, log, text, time, why);
	if (found)
		complain_hold(false);
	else if (complain_take(said + length, room - length) && !*why)
		*why = said;
	pthread_mutex_unlock(asked->lock);
	return found;
}

static void give_failure(sqlite3_context *context, const char *why, const char *text)
{
	char *sentence = sqlite3_mprintf("bcos_ts('%s') %s", text, why ? why : "has no answer");

	if (sentence)
		sqlite3_result_error(context, sentence, -1);
	else
		sqlite3_result_error_nomem(context);
	sqlite3_free(sentence);
}

/* Keeps the time of a text for the log of this number, so that the log is not opened for each row. SQLite does so for constant texts. */
static void keep_time(sqlite3_context *context, size_t count, size_t number, sqlite3_int64 time)
{
	sqlite3_int64 *known = sqlite3_get_auxdata(context, 0);
	size_t i;

	if (known) {
		known[number] = time;
		return;
	}
	known = sqlite3_malloc64(count * sizeof(*known));
	if (!known)
		return;
	for (i = 0; i < count; i++)
		known[i] = i == number ? time : UNKNOWN;
	sqlite3_set_auxdata(context, 0, known, sqlite3_free);
}

static void time_function(sqlite3_context *context, int count, sqlite3_value **values)
{
	const char *text = (const char *)sqlite3_value_text(values[0]), *why;
	const struct asked_log *asked = sqlite3_user_data(context);
	const sqlite3_int64 *known = sqlite3_get_auxdata(context, 0);
	const struct sql_log *log;
	char said[1024];
	size_t number;
	bool found;
	u64 time;

	if (!text)
		return;
	log = sql_function_log(&asked->source, context, count, values);
	if (!log)
		return;
	number = (size_t)(log - asked->source.logs);
	if (known && known[number] != UNKNOWN) {
		sqlite3_result_int64(context, known[number]);
		return;
	}
	found = asked->lock ? find_time_locked(asked, log, text, &time, &why, said, sizeof(said)) : find_time(asked, log, text, &time, &why);
	if (!found) {
		give_failure(context, why, text);
		return;
	}
	if (time > INT64_MAX)
		time = INT64_MAX;
	sqlite3_result_int64(context, (sqlite3_int64)time);
	keep_time(context, asked->source.count, number, (sqlite3_int64)time);
}

int times_add(sqlite3 *db, struct asked_log *log)
{
	int r = sqlite3_create_function(db, "bcos_ts", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, log, time_function, NULL, NULL);

	if (r == SQLITE_OK)
		r = sqlite3_create_function(db, "bcos_ts", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, log, time_function, NULL, NULL);
	if (r == SQLITE_OK)
		return 0;
	complain("bcos_ts() cannot be made: %s", sqlite3_errstr(r));
	return -1;
}
