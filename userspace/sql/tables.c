// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables of a log as virtual tables of SQLite: see tables.h. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "pass.h"
#include "store.h"
#include "tables.h"

/* The memory that rows take which are kept by their keys. Others are in a file without a name. */
#define STORE_BYTES ((size_t)16 << 20)

/* A module of SQLite: the table number @number of @source. */
struct module_data {
	sqlite3 *db;
	struct sql_source *source;
	__u32 number;
};

/* The roles of columns whose conditions are pushed down; -1: the table has no such column. */
struct roles {
	int ts, cpu, pid, machine, host, boot;
};

/*
 * The rows that a plan asks for. They outlive the cursor: SQLite opens another one each time that it runs a subquery or a term of
 * OR, and does not read the log for each.
 */
struct asked_rows {
	struct asked_rows *next;
	struct pass *pass;		/* NULL: none are read */
	struct store *store;		/* rows by their keys, which come from @pass; NULL: they come as they are read */
	bool whole;			/* @store has all rows of the table, whatever the conditions are */
	bool used;			/* a cursor has them */
	bool numbered;			/* they have the numbers that they have in the whole table */
	unsigned int times;		/* how often the rows were asked for */
	int number;			/* the plan: of the column by which rows are found, from 1 on; 0: none */
	char plan[];
};

struct table {
	sqlite3_vtab base;
	const struct module_data *data;
	struct pass_table wide;
	const struct bcoslog_rows_table *shape;	/* with all columns */
	struct roles roles;
	struct asked_rows *asked;	/* by the statement that runs */
	unsigned long statement;	/* its number */
};

struct cursor {
	sqlite3_vtab_cursor base;
	struct asked_rows *asked;	/* NULL: nothing was asked for */
	const struct bcoslog_value *row;
	sqlite3_int64 number;		/* of the row, unless a store has it */
	int more;			/* there is a row */
};

/* ---- the table ---------------------------------------------------------------------------- */

static char *declaration(const struct pass_table *table)
{
	const struct bcoslog_rows_table *shape = &table->table;
	static const char *const types[] = { "", "INTEGER", "REAL", "TEXT" };
	sqlite3_str *text = sqlite3_str_new(NULL);
	__u32 i;

	for (i = 0; i < shape->count; i++)
		sqlite3_str_appendf(text, "%s\"%w\" %s%s", i ? ", " : "CREATE TABLE x(", shape->columns[i].name,
				    types[shape->columns[i].type], i < table->own ? "" : " HIDDEN");
	sqlite3_str_appendall(text, ")");
	return sqlite3_str_finish(text);
}

static int connect_table(sqlite3 *db, void *data, int argc, const char *const *argv, sqlite3_vtab **opened, char **error)
{
	const struct module_data *module = data;
	struct table *table = sqlite3_malloc(sizeof(*table));
	const struct bcoslog_rows_table *shape;
	char *declared;
	int r;

	(void)argc;
	(void)argv;
	(void)error;
	if (!table)
		return SQLITE_NOMEM;
	memset(table, 0, sizeof(*table));
	pass_table_make(&table->wide, module->number);
	declared = declaration(&table->wide);
	r = declared ? sqlite3_declare_vtab(db, declared) : SQLITE_NOMEM;
	sqlite3_free(declared);
	if (r != SQLITE_OK) {
		sqlite3_free(table);
		return r;
	}
	table->data = module;
	table->shape = shape = &table->wide.table;
	table->roles = (struct roles){ .ts = bcoslog_rows_find_column(shape, "ts"), .cpu = bcoslog_rows_find_column(shape, "cpu"),
				       .pid = bcoslog_rows_find_column(shape, "pid"), .machine = -1, .host = -1, .boot = -1 };
	if (shape->count > table->wide.own) {
		table->roles.machine = (int)table->wide.own + PASS_MACHINE;
		table->roles.host = (int)table->wide.own + PASS_HOST;
		table->roles.boot = (int)table->wide.own + PASS_BOOT;
	}
	*opened = &table->base;
	return SQLITE_OK;
}

/* Ends a pass over the log. */
static void end_pass(const struct table *table, struct asked_rows *asked)
{
	struct sql_source *source = table->data->source;

	if (!asked->pass)
		return;
	if (pass_missing(asked->pass) > source->missing)
		source->missing = pass_missing(asked->pass);
	store_free(asked->store);
	pass_free(asked->pass);
	asked->store = NULL;
	asked->pass = NULL;
	asked->whole = false;
}

/* Frees what no cursor uses. */
static void forget_asked(struct table *table)
{
	struct asked_rows **at = &table->asked, *asked;

	while ((asked = *at)) {
		if (asked->used) {
			at = &asked->next;
			continue;
		}
		*at = asked->next;
		end_pass(table, asked);
		sqlite3_free(asked);
	}
}

static int disconnect_table(sqlite3_vtab *base)
{
	forget_asked((struct table *)base);
	sqlite3_free(base);
	return SQLITE_OK;
}

/*
 * Return: the letter of a condition that is pushed down, which the plan has for it: s and u for a time from or up to, e for
 * one time, c for a CPU, p for a process, M, H and B for a machine, host and boot; or 0.
 */
static char condition_of(const struct roles *roles, const struct sqlite3_index_constraint *constraint)
{
	if (!constraint->usable || constraint->iColumn < 0)
		return 0;
	if (constraint->op == SQLITE_INDEX_CONSTRAINT_EQ)
		return constraint->iColumn == roles->ts ? 'e' : constraint->iColumn == roles->cpu ? 'c' :
		       constraint->iColumn == roles->pid ? 'p' : constraint->iColumn == roles->machine ? 'M' :
		       constraint->iColumn == roles->host ? 'H' : constraint->iColumn == roles->boot ? 'B' : 0;
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

/*
 * Return: whether rows come grouped by the columns that the statement groups by, and the groups in their order. SQLite would
 * sort all rows. Only columns with few different values serve: the rows of each take memory of their own.
 *
 * SQLite 3.40 asks for groups in any order (sqlite3_vtab_distinct() is 1) also where an ORDER BY relies on their order, so the
 * order is always that of the terms.
 */
static bool comes_grouped(const struct table *table, sqlite3_index_info *info, struct store_shape *shape)
{
	static const char *const few[] = { "cpu", "core", "use", "upid", "pid", "name", "tid", "utid", "udid", "id", "device", "direction",
					   "irq", "number", "compat", "event_id", "severity", "type", "source", "end_state",
					   "waker_kind", "waker_pid", "waker_tid", "waker_name", "preempted", "cpus", "busy", "log", "machine",
					   "host", "boot" };
	size_t word;
	int i, column;

	*shape = (struct store_shape){ .table = table->shape, .columns = info->colUsed,
				       .keeps = pass_keeps(&table->wide, table->data->source) };
	if (!info->nOrderBy || info->nOrderBy > STORE_KEYS || !sqlite3_vtab_distinct(info))
		return false;
	for (i = 0; i < info->nOrderBy; i++) {
		column = info->aOrderBy[i].iColumn;
		for (word = 0; column >= 0 && word < sizeof(few) / sizeof(few[0]); word++)
			if (!strcmp(table->shape->columns[column].name, few[word]))
				break;
		if (column < 0 || word == sizeof(few) / sizeof(few[0]))
			return false;
		shape->key[shape->keys] = column;
		shape->descends[shape->keys++] = info->aOrderBy[i].desc;
	}
	return store_is_possible(shape);
}

/*
 * Return: the number of a constraint by whose column rows are found that the statement asks for again and again, for each row of
 * another table; -1: there is none. The columns that are unique in a table come first.
 */
static int lookup_of(const struct table *table, sqlite3_index_info *info)
{
	const struct sqlite3_index_constraint *constraint;
	const struct bcoslog_rows_column *column;
	sqlite3_value *value;
	int i, found = -1;

	for (i = 0; i < info->nConstraint; i++) {
		constraint = &info->aConstraint[i];
		if (!constraint->usable || constraint->op != SQLITE_INDEX_CONSTRAINT_EQ || constraint->iColumn < 0)
			continue;
		column = &table->shape->columns[constraint->iColumn];
		/* A log is most of the rows. */
		if (column->type != BCOSLOG_INTEGER || (constraint->iColumn >= (int)table->wide.own) || sqlite3_vtab_rhs_value(info, i, &value) == SQLITE_OK)
			continue;
		if (found < 0 || column->name[0] == 'u')
			found = i;
	}
	return found;
}

/* Has the table few rows, however long the log is? */
static bool is_small(const struct table *table)
{
	static const char *const small[] = { "boot", "clock", "cpu", "device", "loss", "process", "thread" };
	size_t i;

	for (i = 0; i < sizeof(small) / sizeof(small[0]); i++)
		if (!strcmp(table->shape->name, small[i]))
			return true;
	return false;
}

/* A plan has the columns, the conditions in the order of their values, and the keys of grouped rows, each after its direction. */
static char *plan_text(const sqlite3_index_info *info, const char *conditions, const struct store_shape *shape)
{
	sqlite3_str *text = sqlite3_str_new(NULL);
	int i;

	sqlite3_str_appendf(text, "%llx %s ", (unsigned long long)info->colUsed, conditions);
	for (i = 0; i < shape->keys; i++)
		sqlite3_str_appendf(text, "%c%d", shape->descends[i] ? '-' : '+', shape->key[i]);
	return sqlite3_str_finish(text);
}

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	const struct table *table = (const struct table *)base;
	bool small = is_small(table);
	int i, n = 0, lookup = lookup_of(table, info);
	char plan[CONDITIONS + 1];
	double rows = small ? 1e4 : 1e7;
	struct store_shape shape;

	for (i = 0; i < info->nConstraint && n < CONDITIONS; i++) {
		plan[n] = i == lookup ? 'k' : condition_of(&table->roles, &info->aConstraint[i]);
		/* Texts are compared as bytes. */
		if (strchr("MHB", plan[n]) && plan[n] && strcmp(sqlite3_vtab_collation(info, i), "BINARY"))
			plan[n] = 0;
		if (!plan[n])
			continue;
		rows /= plan[n] == 'p' ? 100 : 4;
		info->aConstraintUsage[i].argvIndex = ++n;
	}
	plan[n] = 0;
	if (lookup < 0 && comes_grouped(table, info, &shape))
		info->orderByConsumed = 1;
	else
		shape.keys = 0;
	info->idxStr = plan_text(info, plan, &shape);
	if (!info->idxStr)
		return SQLITE_NOMEM;
	info->needToFreeIdxStr = 1;
	info->idxNum = lookup < 0 ? 0 : info->aConstraint[lookup].iColumn + 1;
	/* The log is read as a whole, whatever is asked for, unless rows that were kept are found again. */
	info->estimatedCost = lookup < 0 ? 1e7 + rows : small ? 10 : 1e4;
	info->estimatedRows = (sqlite3_int64)(lookup >= 0 && small ? 1 : rows);
	return SQLITE_OK;
}

/* ---- the cursor ---------------------------------------------------------------------------- */

/* Nobody says when a statement of somebody else begins and ends: one has ended when no cursor is open. */
static void count_cursor(const struct module_data *data)
{
	struct sql_source *source = data->source;

	if (!source->shared)
		return;
	source->statement += !source->cursors++;
	source->numbered = sql_any_asks_numbers(data->db);
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **opened)
{
	const struct table *table = (const struct table *)base;
	struct cursor *cursor = sqlite3_malloc(sizeof(*cursor));

	if (!cursor)
		return SQLITE_NOMEM;
	memset(cursor, 0, sizeof(*cursor));
	*opened = &cursor->base;
	count_cursor(table->data);
	return SQLITE_OK;
}

/* Takes the rows that a cursor asked for from it. Those that are kept stay for the next one. */
static void release_asked(struct cursor *cursor)
{
	struct asked_rows *asked = cursor->asked;

	if (!asked)
		return;
	asked->used = false;
	if (!asked->whole)
		end_pass((const struct table *)cursor->base.pVtab, asked);
	cursor->asked = NULL;
}

/* Gives a cursor the rows of a plan.  Return: whether there is memory for it. */
static bool find_asked(struct cursor *cursor, int number, const char *plan)
{
	struct table *table = (struct table *)cursor->base.pVtab;
	bool numbered = table->data->source->numbered;
	struct asked_rows *asked;

	if (cursor->asked && cursor->asked->number == number && !strcmp(cursor->asked->plan, plan))
		return true;
	release_asked(cursor);
	if (table->statement != table->data->source->statement)
		forget_asked(table);
	table->statement = table->data->source->statement;
	for (asked = table->asked; asked; asked = asked->next)
		if (!asked->used && asked->number == number && asked->numbered == numbered && !strcmp(asked->plan, plan))
			break;
	if (!asked) {
		asked = sqlite3_malloc64(sizeof(*asked) + strlen(plan) + 1);
		if (!asked)
			return false;
		*asked = (struct asked_rows){ .next = table->asked, .number = number, .numbered = numbered };
		strcpy(asked->plan, plan);
		table->asked = asked;
	}
	asked->used = true;
	cursor->asked = asked;
	return true;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
	struct table *table = (struct table *)base->pVtab;
	struct sql_source *source = table->data->source;

	release_asked((struct cursor *)base);
	sqlite3_free(base);
	if (source->shared && !--source->cursors)
		forget_asked(table);
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

/* Says why rows cannot be kept.  Return: a code of SQLite. */
static int say_store_failure(sqlite3_vtab *table, int error)
{
	if (error == -ENOMEM)
		return SQLITE_NOMEM;
	sqlite3_free(table->zErrMsg);
	table->zErrMsg = sqlite3_mprintf("rows cannot be kept in a temporary file: %s: TMPDIR names another place for it", strerror(-error));
	return SQLITE_ERROR;
}

/* Takes what a function of the store returned.  Return: a code of SQLite. */
static int take_stored(struct cursor *cursor, int r)
{
	cursor->more = r > 0;
	return r < 0 ? say_store_failure(cursor->base.pVtab, r) : SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;
	int r;

	if (cursor->asked->store)
		return take_stored(cursor, store_next(cursor->asked->store));
	r = pass_next(cursor->asked->pass, &cursor->row);
	cursor->number++;
	cursor->more = r > 0;
	return r < 0 ? say_failure(base->pVtab, pass_error(cursor->asked->pass)) : SQLITE_OK;
}

/* Applies a condition that is pushed down. A value that is no number is left to SQLite. */
static void narrow_wanted(struct pass_wanted *wanted, char condition, sqlite3_value *value)
{
	sqlite3_int64 number = sqlite3_value_int64(value);
	int type = sqlite3_value_type(value);

	if (condition == 'M' || condition == 'H' || condition == 'B') {
		if (type == SQLITE_TEXT)
			wanted->text[condition == 'M' ? PASS_MACHINE : condition == 'H' ? PASS_HOST : PASS_BOOT] =
				(const char *)sqlite3_value_text(value);
		return;
	}
	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
		return;
	if ((condition == 's' || condition == 'e') && number > wanted->from)
		wanted->from = number;
	if ((condition == 'u' || condition == 'e') && number < wanted->to)
		wanted->to = number;
	/* SQLite finds nothing where the number is no ID at all. */
	if (condition == 'c' && number >= 0)
		wanted->cpu = number;
	if (condition == 'p' && number >= 0)
		wanted->pid = number;
}

/* Reads all rows into a store.  Return: a code of SQLite. */
static int fill_store(struct cursor *cursor, const struct store_shape *shape)
{
	int r;

	cursor->asked->store = store_new(shape, STORE_BYTES);
	if (!cursor->asked->store)
		return SQLITE_NOMEM;
	while ((r = pass_next(cursor->asked->pass, &cursor->row)) > 0) {
		r = store_add(cursor->asked->store, cursor->row);
		if (r)
			return say_store_failure(cursor->base.pVtab, r);
	}
	if (r < 0)
		return say_failure(cursor->base.pVtab, pass_error(cursor->asked->pass));
	return take_stored(cursor, store_first(cursor->asked->store));
}

/* Finds the rows of a key among those that are kept. What is no whole number is compared by SQLite, with all rows. */
static int find_rows(struct cursor *cursor, int lookup, sqlite3_value *value)
{
	int type = lookup ? sqlite3_value_type(value) : SQLITE_BLOB;

	if (type == SQLITE_INTEGER)
		return take_stored(cursor, store_find(cursor->asked->store, sqlite3_value_int64(value)));
	if (type == SQLITE_NULL)
		return take_stored(cursor, 0);
	return take_stored(cursor, store_first(cursor->asked->store));
}

/* Gets the keys of grouped rows from the text of a plan. */
static void parse_keys(struct store_shape *shape, char *text)
{
	for (; *text == '+' || *text == '-'; shape->keys++) {
		shape->descends[shape->keys] = *text == '-';
		shape->key[shape->keys] = (int)strtol(text + 1, &text, 10);
	}
}

/*
 * Rows that are asked for again are kept, all of them, since SQLite will ask once more, with other conditions: a cursor that is asked
 * again, or the third one of a plan, since two parts of a statement may be the same.
 */
static int filter_cursor(sqlite3_vtab_cursor *base, int number, const char *plan, int argc, sqlite3_value **argv)
{
	struct cursor *cursor = (struct cursor *)base;
	const struct table *table = (const struct table *)base->pVtab;
	struct pass_wanted wanted = { .from = INT64_MIN, .to = INT64_MAX, .cpu = -1, .pid = -1 };
	struct store_shape shape = { .table = table->shape, .keeps = pass_keeps(&table->wide, table->data->source) };
	struct asked_rows *before = cursor->asked;
	sqlite3_value *key = NULL;
	char *conditions;
	bool again;
	int i, r;

	if (!find_asked(cursor, number, plan))
		return SQLITE_NOMEM;
	shape.numbered = cursor->asked->numbered;
	again = cursor->asked->times++ >= (cursor->asked == before ? 1 : 2);
	wanted.columns = shape.columns = strtoull(plan, &conditions, 16);
	conditions++;
	parse_keys(&shape, conditions + argc + 1);
	for (i = 0; i < argc; i++) {
		if (conditions[i] == 'k')
			key = argv[i];
		else if (!again && !shape.numbered)
			narrow_wanted(&wanted, conditions[i], argv[i]);
	}
	if (cursor->asked->whole)
		return find_rows(cursor, number, key);
	end_pass(table, cursor->asked);
	cursor->number = 0;
	cursor->asked->pass = pass_new(table->data->source, &table->wide, &wanted);
	if (!cursor->asked->pass)
		return SQLITE_NOMEM;
	if (again && number) {
		shape.keys = 1;
		shape.key[0] = number - 1;
	}
	if (!again && !shape.keys)
		return next_row(base);
	r = fill_store(cursor, &shape);
	cursor->asked->whole = r == SQLITE_OK && again;
	return cursor->asked->whole ? find_rows(cursor, number, key) : r;
}

static int has_ended(sqlite3_vtab_cursor *base)
{
	return !((struct cursor *)base)->more;
}

static int get_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	const struct cursor *cursor = (struct cursor *)base;
	const struct bcoslog_value *value;
	struct bcoslog_value stored;

	if (cursor->asked->store) {
		store_get(cursor->asked->store, column, &stored);
		value = &stored;
	} else {
		value = &cursor->row[column];
	}
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
	const struct cursor *cursor = (const struct cursor *)base;

	/* SQLite would take one row for another. */
	if (!cursor->asked->numbered) {
		sqlite3_free(base->pVtab->zErrMsg);
		base->pVtab->zErrMsg = sqlite3_mprintf("SQLite asks for numbers of rows, which were not foreseen: write the statement without "
						       "rowid, OR and FULL JOIN");
		return SQLITE_ERROR;
	}
	*number = cursor->asked->store ? store_number(cursor->asked->store) : cursor->number;
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
		*data = (struct module_data){ .db = db, .source = source, .number = (__u32)i };
		/* SQLite frees the data also if this fails. */
		r = sqlite3_create_module_v2(db, shape->name, &module, data, sqlite3_free);
		if (r == SQLITE_OK)
			r = connect_now(db, shape->name);
	}
	return r;
}
