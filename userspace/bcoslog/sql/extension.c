// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The tables, views and functions of bcoslog sql as an extension that SQLite loads into a program of somebody else:
 *
 *	.load bcoslog_sqlite
 *	SELECT bcos_open('/var/lib/bcos_evlog');
 *
 * A connection reads one log.
 */
#include <pthread.h>
#include <stdlib.h>

#include "command.h"
#include "complain/complain.h"
#include "handle/error.h"
#include "log/pass.h"
#include "source.h"
#include "sql/functions.h"
#include "sql/macros.h"
#include "sql/views.h"
#include "times.h"

/* The least version of SQLite, which has sqlite3_vtab_distinct() and sqlite3_vtab_rhs_value(). */
#define VERSION_NUMBER 3038000

const sqlite3_api_routines *sqlite3_api;

/* What a connection reads. */
struct extension {
	struct asked_log log;
	struct session session;
	sqlite3 *db;
	char *path;			/* NULL: nothing yet */
	void (*damaged)(void *context, enum bcoslog_kind kind, const struct bcoslog_error *error);
};

/* The tool has one place for complaints, and opens one log at a time. */
static pthread_mutex_t tool_lock = PTHREAD_MUTEX_INITIALIZER;

static void free_extension(void *data)
{
	struct extension *extension = data;

	pthread_mutex_lock(&tool_lock);
	if (extension->path)
		source_close(&extension->log, EXIT_OK);
	pthread_mutex_unlock(&tool_lock);
	free(extension->path);
	free(extension);
}

/* Has somebody asked for the end of the statement? SQLite does not tell, but refuses to run another one then. */
static int is_interrupted(void *context)
{
	const struct asked_machine *machine = context;
	const struct extension *extension = (const struct extension *)machine->asked;
	sqlite3_stmt *statement = NULL;
	int r = sqlite3_prepare_v2(extension->db, "SELECT 1", -1, &statement, NULL);

	if (r == SQLITE_OK)
		r = sqlite3_step(statement);
	sqlite3_finalize(statement);
	return r == SQLITE_INTERRUPT;
}

static void note_damage(void *context, enum bcoslog_kind kind, const struct bcoslog_error *error)
{
	const struct asked_machine *machine = context;
	const struct extension *extension = (const struct extension *)machine->asked;

	pthread_mutex_lock(&tool_lock);
	extension->damaged(context, kind, error);
	pthread_mutex_unlock(&tool_lock);
}

/* Opens the log at the path.  Return: whether it is open; otherwise a complaint was held back, or is in @error. */
static bool open_log(struct extension *extension, struct bcoslog_error *error)
{
	struct run *run = &extension->log.run;
	size_t i;

	extension->log.copy = -1;
	extension->log.run = (struct run){ .session = &extension->session, .path = extension->path };
	extension->session = (struct session){ 0 };
	if (bcoslog_open(&run->log, extension->path, 0, error))
		return false;
	if (bcoslog_kind(run->log) != BCOSLOG_FILE && bcoslog_kind(run->log) != BCOSLOG_RECORDING) {
		error_set(error, EINVAL, "%s is no file and no recording: bcoslog cat %s >FILE makes a file of what it tells", extension->path, extension->path);
		bcoslog_close(run->log);
		return false;
	}
	if (source_settle(&extension->log) == EXIT_ENVIRONMENT) {
		error_set(error, EINVAL, "%s cannot be read", extension->path);
		source_close(&extension->log, EXIT_ENVIRONMENT);
		extension->log = (struct asked_log){ .source.shared = true, .lock = &tool_lock };
		return false;
	}
	for (i = 0; i < extension->log.source.count; i++) {
		extension->damaged = extension->log.source.logs[i].options.damaged;
		extension->log.source.logs[i].options.damaged = note_damage;
		extension->log.source.logs[i].options.ends = is_interrupted;
	}
	return true;
}

static bool open_locked(struct extension *extension, char *why, size_t room)
{
	struct bcoslog_error error = { .code = 0 };
	bool opened;

	pthread_mutex_lock(&tool_lock);
	complain_hold(true);
	opened = open_log(extension, &error);
	if (opened)
		complain_hold(false);
	else if (!complain_take(why, room))
		snprintf(why, room, "%s", error.text);
	pthread_mutex_unlock(&tool_lock);
	return opened;
}

/* bcos_open(PATH) */
static void open_function(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct extension *extension = sqlite3_user_data(context);
	const char *path = (const char *)sqlite3_value_text(values[0]);
	char why[1024];

	(void)count;
	if (!path) {
		sqlite3_result_error(context, "bcos_open() takes the path of a log: a file, or a recorded directory", -1);
		return;
	}
	if (extension->path && strcmp(extension->path, path)) {
		snprintf(why, sizeof(why), "this connection reads %s already: open another connection for %s", extension->path, path);
		sqlite3_result_error(context, why, -1);
		return;
	}
	if (!extension->path) {
		extension->path = strdup(path);
		if (!extension->path) {
			sqlite3_result_error_nomem(context);
			return;
		}
		if (!open_locked(extension, why, sizeof(why))) {
			free(extension->path);
			extension->path = NULL;
			sqlite3_result_error(context, why, -1);
			return;
		}
	}
	sqlite3_result_text(context, extension->path, -1, SQLITE_TRANSIENT);
}

/* bcos_missing() */
static void missing_function(sqlite3_context *context, int count, sqlite3_value **values)
{
	const struct extension *extension = sqlite3_user_data(context);

	(void)count;
	(void)values;
	if (extension->path)
		sqlite3_result_int64(context, (sqlite3_int64)extension->log.source.missing);
}

static int add_all(sqlite3 *db, struct extension *extension)
{
	struct sql_source *source = &extension->log.source;
	int r;

	/* SQLite frees the extension after the connection, and also if this fails. */
	r = sqlite3_create_function_v2(db, "bcos_open", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, extension, open_function, NULL, NULL, free_extension);
	if (r == SQLITE_OK)
		r = sqlite3_create_function(db, "bcos_missing", 0, SQLITE_UTF8, extension, missing_function, NULL, NULL);
	if (r == SQLITE_OK)
		r = sql_tables_add(db, source);
	if (r == SQLITE_OK)
		r = sql_macros_add(db);
	if (r == SQLITE_OK)
		r = sql_functions_add(db, source);
	if (r == SQLITE_OK)
		r = times_add(db, &extension->log) ? SQLITE_ERROR : SQLITE_OK;
	return r == SQLITE_OK ? sql_views_add_beside(db) : r;
}

/* Has the connection the tables already? It keeps the log that it reads then. */
static bool is_loaded(sqlite3 *db)
{
	sqlite3_stmt *statement = NULL;
	int r = sqlite3_prepare_v2(db, "SELECT bcos_missing()", -1, &statement, NULL);

	sqlite3_finalize(statement);
	return r == SQLITE_OK;
}

int sqlite3_bcoslogsqlite_init(sqlite3 *db, char **error, const sqlite3_api_routines *api);

/* SQLite makes the name of the entry of that of the file. */
__attribute__((visibility("default")))
int sqlite3_bcoslogsqlite_init(sqlite3 *db, char **error, const sqlite3_api_routines *api)
{
	struct extension *extension;
	int r;

	sqlite3_api = api;
	if (sqlite3_libversion_number() < VERSION_NUMBER) {
		*error = sqlite3_mprintf("this is SQLite %s, and bcoslog_sqlite needs 3.38 or later", sqlite3_libversion());
		return SQLITE_ERROR;
	}
	if (is_loaded(db))
		return SQLITE_OK;
	extension = calloc(1, sizeof(*extension));
	if (!extension)
		return SQLITE_NOMEM;
	extension->db = db;
	extension->log.source.shared = true;
	extension->log.lock = &tool_lock;
	r = add_all(db, extension);
	if (r != SQLITE_OK)
		*error = sqlite3_mprintf("the tables cannot be made: %s", sqlite3_errmsg(db));
	return r;
}
