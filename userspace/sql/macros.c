// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Statements with parameters as functions that give a table: see macros.h. */
#include <string.h>

#include "macros.h"

/* The greatest number of parameters. */
#define PARAMETERS 4

struct macro {
	const char *name, *call;
	const char *parameters[PARAMETERS];	/* in the order of the call, each with the colon of the statement */
	const char *statement;
};

static const struct macro macros[] = {
	{
		/*
		 * The newest turn of a thread at a time, the turn of the thread that woke it, and so on. A wake-up lies in the turn of its
		 * waker, or at the end of it.
		 */
		.name = "critical_path",
		.call = "critical_path(utid, ts)",
		.parameters = { ":utid", ":ts" },
		.statement =
"WITH RECURSIVE chain AS (\n"
"	SELECT * FROM (SELECT 0 AS step, ts, ts + dur AS until_ts, cpu, utid, tid, upid, pid, name, ready_ns, preempted, waker_kind,\n"
"		waker_pid, waker_tid, waker_name, log, machine, host, boot FROM turn WHERE utid = :utid AND ts <= :ts ORDER BY ts DESC LIMIT 1)\n"
"	UNION ALL\n"
"	SELECT c.step + 1, w.ts, c.ts - c.ready_ns, w.cpu, w.utid, w.tid, w.upid, w.pid, w.name, w.ready_ns, w.preempted, w.waker_kind,\n"
"		w.waker_pid, w.waker_tid, w.waker_name, w.log, w.machine, w.host, w.boot\n"
"	FROM chain c JOIN turn w ON w.tid = c.waker_tid AND w.pid = c.waker_pid AND w.log = c.log\n"
"	WHERE c.waker_kind = 'thread' AND c.step < 99 AND w.ts < c.ts - c.ready_ns AND w.ts + w.dur >= c.ts - c.ready_ns\n"
")\n"
"SELECT step, ts, until_ts - ts AS dur, cpu, utid, tid, upid, pid, name, ready_ns, preempted, waker_kind, waker_pid,\n"
"	waker_tid, waker_name, machine, host, boot FROM chain",
	},
	{
		.name = "diff",
		.call = "diff(ts_a, until_a, ts_b, until_b)",
		.parameters = { ":ts_a", ":until_a", ":ts_b", ":until_b" },
		.statement =
"SELECT use, name, sum(a) AS a_ns, sum(b) AS b_ns, sum(b) - sum(a) AS more_ns, machine, host FROM (\n"
"	SELECT use, name, log, machine, host, max(0, min(ts + dur, :until_a) - max(ts, :ts_a)) AS a,\n"
"		max(0, min(ts + dur, :until_b) - max(ts, :ts_b)) AS b\n"
"	FROM run WHERE ts < max(:until_a, :until_b)\n"
") WHERE a > 0 OR b > 0 GROUP BY use, name, log ORDER BY more_ns DESC, use, name",
	},
};

#define MACROS ((int)(sizeof(macros) / sizeof(macros[0])))

struct macro_table {
	sqlite3_vtab base;
	sqlite3 *db;
	const struct macro *macro;
	int columns;			/* of the statement; the parameters follow */
	int parameters;
};

struct macro_cursor {
	sqlite3_vtab_cursor base;
	sqlite3_stmt *statement;
	sqlite3_value *values[PARAMETERS];
	sqlite3_int64 row;
	int ended;
};

const char *sql_macro_call(int index)
{
	return index < MACROS ? macros[index].call : NULL;
}

static char *declaration(struct macro_table *table, sqlite3_stmt *statement)
{
	sqlite3_str *text = sqlite3_str_new(NULL);
	int i;

	table->columns = sqlite3_column_count(statement);
	for (i = 0; i < table->columns; i++)
		sqlite3_str_appendf(text, "%s\"%w\"", i ? ", " : "CREATE TABLE x(", sqlite3_column_name(statement, i));
	for (i = 0; i < PARAMETERS && table->macro->parameters[i]; i++)
		sqlite3_str_appendf(text, ", \"of_%w\" HIDDEN", table->macro->parameters[i] + 1);
	table->parameters = i;
	sqlite3_str_appendall(text, ")");
	return sqlite3_str_finish(text);
}

static int connect_macro(sqlite3 *db, void *data, int argc, const char *const *argv, sqlite3_vtab **opened, char **error)
{
	struct macro_table *table = sqlite3_malloc(sizeof(*table));
	sqlite3_stmt *statement = NULL;
	char *declared = NULL;
	int r;

	(void)argc;
	(void)argv;
	if (!table)
		return SQLITE_NOMEM;
	memset(table, 0, sizeof(*table));
	table->db = db;
	table->macro = data;
	r = sqlite3_prepare_v2(db, table->macro->statement, -1, &statement, NULL);
	if (r == SQLITE_OK) {
		declared = declaration(table, statement);
		r = declared ? sqlite3_declare_vtab(db, declared) : SQLITE_NOMEM;
	} else {
		*error = sqlite3_mprintf("%s", sqlite3_errmsg(db));
	}
	sqlite3_finalize(statement);
	sqlite3_free(declared);
	if (r == SQLITE_OK)
		*opened = &table->base;
	else
		sqlite3_free(table);
	return r;
}

static int disconnect_macro(sqlite3_vtab *base)
{
	sqlite3_free(base);
	return SQLITE_OK;
}

/* All parameters are needed, and come in their order. */
static int plan_macro(sqlite3_vtab *base, sqlite3_index_info *info)
{
	struct macro_table *table = (struct macro_table *)base;
	int i, parameter, given = 0, found = 0;

	for (i = 0; i < info->nConstraint; i++) {
		parameter = info->aConstraint[i].iColumn - table->columns;
		if (parameter < 0 || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
			continue;
		given |= 1 << parameter;
		if (!info->aConstraint[i].usable || found >> parameter & 1)
			continue;
		info->aConstraintUsage[i].argvIndex = parameter + 1;
		info->aConstraintUsage[i].omit = 1;
		found |= 1 << parameter;
	}
	if (given != (1 << table->parameters) - 1) {
		sqlite3_free(base->zErrMsg);
		base->zErrMsg = sqlite3_mprintf("%s needs all its arguments", table->macro->call);
		return SQLITE_ERROR;
	}
	if (found != given)
		return SQLITE_CONSTRAINT;
	info->estimatedCost = 1e7;
	info->estimatedRows = 100;
	return SQLITE_OK;
}

static int open_macro(sqlite3_vtab *table, sqlite3_vtab_cursor **opened)
{
	struct macro_cursor *cursor = sqlite3_malloc(sizeof(*cursor));

	(void)table;
	if (!cursor)
		return SQLITE_NOMEM;
	memset(cursor, 0, sizeof(*cursor));
	*opened = &cursor->base;
	return SQLITE_OK;
}

static void end_statement(struct macro_cursor *cursor)
{
	int i;

	sqlite3_finalize(cursor->statement);
	cursor->statement = NULL;
	for (i = 0; i < PARAMETERS; i++) {
		sqlite3_value_free(cursor->values[i]);
		cursor->values[i] = NULL;
	}
}

static int close_macro(sqlite3_vtab_cursor *base)
{
	end_statement((struct macro_cursor *)base);
	sqlite3_free(base);
	return SQLITE_OK;
}

static int next_macro(sqlite3_vtab_cursor *base)
{
	struct macro_cursor *cursor = (struct macro_cursor *)base;
	struct macro_table *table = (struct macro_table *)base->pVtab;
	int r = sqlite3_step(cursor->statement);

	cursor->row++;
	cursor->ended = r != SQLITE_ROW;
	if (r == SQLITE_ROW || r == SQLITE_DONE)
		return SQLITE_OK;
	sqlite3_free(base->pVtab->zErrMsg);
	base->pVtab->zErrMsg = sqlite3_mprintf("%s", sqlite3_errmsg(table->db));
	return r;
}

/*
 * Takes an argument. SQLite finds every text greater than every number, so a time such as '14:03' would have an answer that looks like
 * that of a moment. Without a value there are no rows, as of other functions that give a table.
 */
static int take_argument(struct macro_cursor *cursor, int number, sqlite3_value *value)
{
	struct macro_table *table = (struct macro_table *)cursor->base.pVtab;
	const char *parameter = table->macro->parameters[number];
	int type = sqlite3_value_numeric_type(value);

	if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
		sqlite3_free(table->base.zErrMsg);
		table->base.zErrMsg = sqlite3_mprintf("%s takes numbers, and %s is none: bcos_ts('14:03:05') makes one of a time",
						      table->macro->call, parameter + 1);
		return SQLITE_ERROR;
	}
	cursor->values[number] = sqlite3_value_dup(value);
	if (!cursor->values[number])
		return SQLITE_NOMEM;
	return sqlite3_bind_value(cursor->statement, sqlite3_bind_parameter_index(cursor->statement, parameter), value);
}

static int filter_macro(sqlite3_vtab_cursor *base, int number, const char *plan, int argc, sqlite3_value **argv)
{
	struct macro_cursor *cursor = (struct macro_cursor *)base;
	struct macro_table *table = (struct macro_table *)base->pVtab;
	int i, r;

	(void)number;
	(void)plan;
	end_statement(cursor);
	cursor->row = 0;
	r = sqlite3_prepare_v2(table->db, table->macro->statement, -1, &cursor->statement, NULL);
	for (i = 0; r == SQLITE_OK && i < argc; i++)
		r = take_argument(cursor, i, argv[i]);
	return r == SQLITE_OK ? next_macro(base) : r;
}

static int has_ended(sqlite3_vtab_cursor *base)
{
	return ((struct macro_cursor *)base)->ended;
}

static int get_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	struct macro_cursor *cursor = (struct macro_cursor *)base;
	int columns = ((struct macro_table *)base->pVtab)->columns;

	sqlite3_result_value(context, column < columns ? sqlite3_column_value(cursor->statement, column) :
							 cursor->values[column - columns]);
	return SQLITE_OK;
}

static int get_number(sqlite3_vtab_cursor *base, sqlite3_int64 *number)
{
	*number = ((struct macro_cursor *)base)->row;
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.xConnect = connect_macro,
	.xBestIndex = plan_macro,
	.xDisconnect = disconnect_macro,
	.xOpen = open_macro,
	.xClose = close_macro,
	.xFilter = filter_macro,
	.xNext = next_macro,
	.xEof = has_ended,
	.xColumn = get_column,
	.xRowid = get_number,
};

int sql_macros_add(sqlite3 *db)
{
	sqlite3_stmt *statement;
	char *text;
	int i, r = SQLITE_OK;

	for (i = 0; r == SQLITE_OK && i < MACROS; i++) {
		r = sqlite3_create_module_v2(db, macros[i].name, &module, (void *)&macros[i], NULL);
		/* An authorizer would see the first use as a change of the schema. This fails, but connects. */
		text = r == SQLITE_OK ? sqlite3_mprintf("SELECT 1 FROM %s", macros[i].name) : NULL;
		statement = NULL;
		if (text)
			sqlite3_prepare_v2(db, text, -1, &statement, NULL);
		sqlite3_finalize(statement);
		sqlite3_free(text);
	}
	return r;
}
