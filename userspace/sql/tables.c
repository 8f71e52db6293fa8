// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables of a log as virtual tables of SQLite: see tables.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tables.h"

/* A module of SQLite: the table number @number of @source. */
struct module_data {
	struct sql_source *source;
	__u32 number;
};

/* The roles of columns whose conditions are pushed down; -1: the table has no such column. */
struct roles {
	int ts, cpu, pid;
};

struct table {
	sqlite3_vtab base;
	const struct module_data *data;
	const struct bcoslog_rows_table *shape;
	struct roles roles;
};

struct cursor {
	sqlite3_vtab_cursor base;
	struct bcoslog_rows *rows;
	const struct bcoslog_value *row;
	sqlite3_int64 number;		/* of the row */
	int more;			/* there is a row */
};

/* ---- the table ---------------------------------------------------------------------------- */

static char *declaration(const struct bcoslog_rows_table *shape)
{
	static const char *const types[] = { "", "INTEGER", "REAL", "TEXT" };
	sqlite3_str *text = sqlite3_str_new(NULL);
	__u32 i;

	for (i = 0; i < shape->count; i++)
		sqlite3_str_appendf(text, "%s\"%w\" %s", i ? ", " : "CREATE TABLE x(", shape->columns[i].name,
				    types[shape->columns[i].type]);
	sqlite3_str_appendall(text, ")");
	return sqlite3_str_finish(text);
}

static int connect_table(sqlite3 *db, void *data, int argc, const char *const *argv, sqlite3_vtab **opened, char **error)
{
	const struct module_data *module = data;
	const struct bcoslog_rows_table *shape = bcoslog_rows_table(module->number);
	struct table *table = sqlite3_malloc(sizeof(*table));
	char *declared = declaration(shape);
	int r = table && declared ? sqlite3_declare_vtab(db, declared) : SQLITE_NOMEM;

	(void)argc;
	(void)argv;
	(void)error;
	sqlite3_free(declared);
	if (r != SQLITE_OK) {
		sqlite3_free(table);
		return r;
	}
	memset(table, 0, sizeof(*table));
	table->data = module;
	table->shape = shape;
	table->roles = (struct roles){ .ts = bcoslog_rows_find_column(shape, "ts"), .cpu = bcoslog_rows_find_column(shape, "cpu"),
				       .pid = bcoslog_rows_find_column(shape, "pid") };
	*opened = &table->base;
	return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *table)
{
	sqlite3_free(table);
	return SQLITE_OK;
}

/*
 * Return: the letter of a condition that is pushed down, which the plan has for it: s and u for a time from or up to, e for
 * one time, c for a CPU, p for a process; or 0.
 */
static char condition_of(const struct roles *roles, const struct sqlite3_index_constraint *constraint)
{
	if (!constraint->usable || constraint->iColumn < 0)
		return 0;
	if (constraint->op == SQLITE_INDEX_CONSTRAINT_EQ)
		return constraint->iColumn == roles->ts ? 'e' : constraint->iColumn == roles->cpu ? 'c' :
		       constraint->iColumn == roles->pid ? 'p' : 0;
	if (constraint->iColumn != roles->ts)
		return 0;
	if (constraint->op == SQLITE_INDEX_CONSTRAINT_GE || constraint->op == SQLITE_INDEX_CONSTRAINT_GT)
		return 's';
	if (constraint->op == SQLITE_INDEX_CONSTRAINT_LE || constraint->op == SQLITE_INDEX_CONSTRAINT_LT)
		return 'u';
	return 0;
}

/* The conditions that a plan can have. Further ones are left to SQLite, which examines all of them. */
#define CONDITIONS 15

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	const struct table *table = (const struct table *)base;
	char plan[CONDITIONS + 1];
	double rows = 1e7;
	int i, n = 0;

	for (i = 0; i < info->nConstraint && n < CONDITIONS && !table->data->source->plain; i++) {
		plan[n] = condition_of(&table->roles, &info->aConstraint[i]);
		if (!plan[n])
			continue;
		rows /= plan[n] == 'p' ? 100 : 4;
		info->aConstraintUsage[i].argvIndex = ++n;
	}
	plan[n] = 0;
	info->idxStr = sqlite3_mprintf("%llx %s", (unsigned long long)info->colUsed, plan);
	if (!info->idxStr)
		return SQLITE_NOMEM;
	info->needToFreeIdxStr = 1;
	/* The log is read as a whole, whatever is asked for. */
	info->estimatedCost = 1e7 + rows;
	info->estimatedRows = (sqlite3_int64)rows;
	return SQLITE_OK;
}

/* ---- the cursor ---------------------------------------------------------------------------- */

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **opened)
{
	struct cursor *cursor = sqlite3_malloc(sizeof(*cursor));

	(void)table;
	if (!cursor)
		return SQLITE_NOMEM;
	memset(cursor, 0, sizeof(*cursor));
	*opened = &cursor->base;
	return SQLITE_OK;
}

/* Ends a pass over the log. */
static void end_pass(struct cursor *cursor)
{
	const struct table *table = (const struct table *)cursor->base.pVtab;
	struct sql_source *source = table->data->source;

	if (!cursor->rows)
		return;
	if (bcoslog_rows_missing(cursor->rows) > source->missing)
		source->missing = bcoslog_rows_missing(cursor->rows);
	bcoslog_rows_close(cursor->rows);
	cursor->rows = NULL;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
	end_pass((struct cursor *)base);
	sqlite3_free(base);
	return SQLITE_OK;
}

static int say_failure(sqlite3_vtab *table, const struct bcoslog_error *error)
{
	if (error->code == ENOMEM)
		return SQLITE_NOMEM;
	if (error->code == EINTR)
		return SQLITE_INTERRUPT;
	sqlite3_free(table->zErrMsg);
	table->zErrMsg = sqlite3_mprintf("%s", error->text);
	return SQLITE_ERROR;
}

static int next_row(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;
	int r = bcoslog_rows_next(cursor->rows, &cursor->row);

	cursor->number++;
	cursor->more = r > 0;
	return r < 0 ? say_failure(base->pVtab, bcoslog_rows_error(cursor->rows)) : SQLITE_OK;
}

/* Applies a condition that is pushed down. A value that is no number is left to SQLite. */
static void narrow_options(struct bcoslog_rows_options *options, char condition, sqlite3_value *value)
{
	sqlite3_int64 number = sqlite3_value_int64(value);
	int type = sqlite3_value_type(value);

	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
		return;
	if ((condition == 's' || condition == 'e') && number > options->from)
		options->from = number;
	if ((condition == 'u' || condition == 'e') && number < options->to)
		options->to = number;
	/* SQLite finds nothing where the number is no ID at all. */
	if (condition == 'c' && number >= 0)
		options->cpu = number;
	if (condition == 'p' && number >= 0)
		options->pid = number;
}

static int filter_cursor(sqlite3_vtab_cursor *base, int number, const char *plan, int argc, sqlite3_value **argv)
{
	struct cursor *cursor = (struct cursor *)base;
	const struct table *table = (const struct table *)base->pVtab;
	struct bcoslog_rows_options options = table->data->source->options;
	struct bcoslog_error error;
	char *conditions;
	int i;

	(void)number;
	end_pass(cursor);
	options.size = sizeof(options);
	options.table = table->data->number;
	options.columns = strtoull(plan, &conditions, 16);
	for (i = 0; i < argc; i++)
		narrow_options(&options, conditions[1 + i], argv[i]);
	if (bcoslog_rows_open(&cursor->rows, &options, &error))
		return say_failure(base->pVtab, &error);
	cursor->number = 0;
	return next_row(base);
}

static int has_ended(sqlite3_vtab_cursor *base)
{
	return !((struct cursor *)base)->more;
}

static int get_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	const struct bcoslog_value *value = &((struct cursor *)base)->row[column];

	switch (value->type) {
	case BCOSLOG_INTEGER:
		sqlite3_result_int64(context, value->integer);
		break;
	case BCOSLOG_REAL:
		sqlite3_result_double(context, value->real);
		break;
	case BCOSLOG_TEXT:
		sqlite3_result_text(context, value->text, (int)value->length, SQLITE_TRANSIENT);
		break;
	default:
		break;
	}
	return SQLITE_OK;
}

static int get_number(sqlite3_vtab_cursor *base, sqlite3_int64 *number)
{
	*number = ((struct cursor *)base)->number;
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.xConnect = connect_table,
	.xBestIndex = best_index,
	.xDisconnect = disconnect_table,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = filter_cursor,
	.xNext = next_row,
	.xEof = has_ended,
	.xColumn = get_column,
	.xRowid = get_number,
};

/* Connects a table. SQLite does so at its first use otherwise, which an authorizer would see as a change of the schema. */
static int connect_now(sqlite3 *db, const char *name)
{
	char *text = sqlite3_mprintf("SELECT 1 FROM \"%w\"", name);
	sqlite3_stmt *statement = NULL;
	int r = text ? sqlite3_prepare_v2(db, text, -1, &statement, NULL) : SQLITE_NOMEM;

	sqlite3_finalize(statement);
	sqlite3_free(text);
	return r;
}

int sql_tables_add(sqlite3 *db, struct sql_source *source)
{
	const struct bcoslog_rows_table *shape;
	struct module_data *data;
	size_t i;
	int r = SQLITE_OK;

	for (i = 0; r == SQLITE_OK && (shape = bcoslog_rows_table(i)); i++) {
		data = sqlite3_malloc(sizeof(*data));
		if (!data)
			return SQLITE_NOMEM;
		*data = (struct module_data){ .source = source, .number = (__u32)i };
		/* SQLite frees the data also if this fails. */
		r = sqlite3_create_module_v2(db, shape->name, &module, data, sqlite3_free);
		if (r == SQLITE_OK)
			r = connect_now(db, shape->name);
	}
	return r;
}
