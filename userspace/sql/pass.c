// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The rows of a table over all logs of a source: see pass.h. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass.h"

static const struct bcoslog_rows_column added[PASS_COLUMNS] = {
	[PASS_LOG] = { "log", BCOSLOG_INTEGER, "the number of the machine's log in this statement, from 1 on" },
	[PASS_MACHINE] = { "machine", BCOSLOG_TEXT, "the ID of the machine, in a recording" },
	[PASS_HOST] = { "host", BCOSLOG_TEXT, "the name of the machine" },
	[PASS_BOOT] = { "boot", BCOSLOG_TEXT, "the ID of the boot in which it was or began; NULL where it may be of several" },
};

/* ---- the table ----------------------------------------------------------------------------------- */

/* Does a column have IDs that are unique in a log: upid, utid or udid, also those of a parent? */
static bool is_unique(const char *name)
{
	size_t length = strlen(name);

	return length >= 4 && (!strcmp(name + length - 4, "upid") || !strcmp(name + length - 4, "utid") ||
			       !strcmp(name + length - 4, "udid"));
}

void pass_table_make(struct pass_table *table, __u32 number)
{
	const struct bcoslog_rows_table *own = bcoslog_rows_table(number);
	__u32 i;

	*table = (struct pass_table){ .table = *own, .number = number, .own = own->count };
	table->table.columns = table->columns;
	memcpy(table->columns, own->columns, own->count * sizeof(*own->columns));
	table->time = bcoslog_rows_find_column(own, "ts");
	if (table->time < 0)
		table->time = bcoslog_rows_find_column(own, "start_ts");
	for (i = 0; i < own->count; i++)
		if (is_unique(own->columns[i].name))
			table->unique |= 1ull << i;
	/* The table boot has its own. */
	if (bcoslog_rows_find_column(own, "boot") >= 0)
		return;
	memcpy(table->columns + own->count, added, sizeof(added));
	table->table.count += PASS_COLUMNS;
}

__u64 pass_keeps(const struct pass_table *table, const struct sql_source *source)
{
	const struct bcoslog_rows_table *own = bcoslog_rows_table(table->number);
	__u64 keeps = 0;
	__u32 i;

	/* Each log keeps its own texts, and only until the next one is read. */
	for (i = 0; i < table->own && source->count == 1; i++)
		if (bcoslog_rows_keeps(own, i))
			keeps |= 1ull << i;
	for (; i < table->table.count; i++)
		if (i >= table->own)
			keeps |= 1ull << i;
	return keeps;
}

/* ---- reading --------------------------------------------------------------------------------------- */

struct pass {
	struct sql_source *source;
	const struct pass_table *table;
	struct pass_wanted wanted;
	char *texts[PASS_COLUMNS];	/* those that are wanted */
	struct bcoslog_rows *rows;	/* of the present log; NULL: it was not opened */
	size_t log;			/* the number of the present log */
	__u64 missing;			/* of the logs before it */
	bool wide;			/* a row is a copy, with columns that its log does not have */
	struct bcoslog_error error;
	struct bcoslog_value row[64];
};

struct pass *pass_new(struct sql_source *source, const struct pass_table *table, const struct pass_wanted *wanted)
{
	__u64 others = ~0ull << table->own | (source->count > 1 ? table->unique : 0);
	struct pass *pass = calloc(1, sizeof(*pass));
	int i;

	if (!pass)
		return NULL;
	pass->source = source;
	pass->table = table;
	pass->wanted = *wanted;
	pass->wide = wanted->columns & others;
	if (pass->wide && table->time >= 0)
		pass->wanted.columns |= 1ull << table->time;
	for (i = 0; i < PASS_COLUMNS; i++) {
		pass->texts[i] = wanted->text[i] ? strdup(wanted->text[i]) : NULL;
		if (wanted->text[i] && !pass->texts[i]) {
			pass_free(pass);
			return NULL;
		}
	}
	return pass;
}

static bool is_other(const char *wanted, const char *text)
{
	return wanted && (!text || strcmp(wanted, text));
}

/* Can the present log have rows that are wanted? */
static bool log_is_wanted(const struct pass *pass, const struct sql_log *log)
{
	size_t i;

	if (is_other(pass->texts[PASS_MACHINE], log->machine) || is_other(pass->texts[PASS_HOST], log->host))
		return false;
	for (i = 0; i < log->boot_count && is_other(pass->texts[PASS_BOOT], log->boots[i].id); i++)
		;
	return i < log->boot_count || !pass->texts[PASS_BOOT];
}

static int fail(struct pass *pass, int code, const char *text)
{
	pass->error.code = code;
	snprintf(pass->error.text, sizeof(pass->error.text), "%s", text);
	return -code;
}

/* Opens the present log.  Return: 1, 0 if it has nothing that is wanted, or a negative errno. */
static int open_log(struct pass *pass)
{
	struct sql_log *log = &pass->source->logs[pass->log];
	struct bcoslog_rows_options options = log->options;
	bool names = pass->wanted.columns & ~0ull << (pass->table->own + PASS_HOST) && pass->table->table.count > pass->table->own;
	int r;

	if ((names || pass->texts[PASS_HOST] || pass->texts[PASS_BOOT]) && !sql_log_learn(pass->source, log))
		return fail(pass, EIO, "what the log states of its host and boot cannot be read");
	if (!log_is_wanted(pass, log))
		return 0;
	options.size = sizeof(options);
	options.table = pass->table->number;
	options.columns = pass->wanted.columns;
	options.from = pass->wanted.from;
	options.to = pass->wanted.to;
	options.cpu = pass->wanted.cpu;
	options.pid = pass->wanted.pid;
	r = bcoslog_rows_open(&pass->rows, &options, &pass->error);
	return r ? r : 1;
}

static void set_text(struct bcoslog_value *value, const char *text)
{
	*value = (struct bcoslog_value){ .type = text ? BCOSLOG_TEXT : BCOSLOG_NULL };
	if (!text)
		return;
	value->text = text;
	value->length = (__u32)strlen(text);
}

/* Makes a row of that of the log. */
static void widen_row(struct pass *pass, const struct bcoslog_value *row)
{
	const struct pass_table *table = pass->table;
	const struct sql_log *log = &pass->source->logs[pass->log];
	struct bcoslog_value *more = pass->row + table->own;
	const struct bcoslog_value *time = table->time < 0 ? NULL : &row[table->time];
	const char *boot = log->boot_count == 1 ? log->boots[0].id : NULL;
	__u32 i;

	memcpy(pass->row, row, table->own * sizeof(*row));
	/* The same process ID can begin at the same time on two machines. */
	for (i = 0; i < table->own && pass->log; i++)
		if (table->unique >> i & 1 && row[i].type == BCOSLOG_INTEGER)
			pass->row[i].integer = (__s64)(((__u64)row[i].integer + pass->log * 0xD1B54A32D192ED03ull) & INT64_MAX);
	if (table->table.count == table->own)
		return;
	if (log->boot_count > 1 && time && time->type == BCOSLOG_INTEGER)
		boot = sql_log_boot(log, (__u64)time->integer);
	more[PASS_LOG] = (struct bcoslog_value){ .type = BCOSLOG_INTEGER, .integer = (__s64)pass->log + 1 };
	set_text(&more[PASS_MACHINE], log->machine);
	set_text(&more[PASS_HOST], log->host);
	set_text(&more[PASS_BOOT], boot);
}

static bool is_value(const struct bcoslog_value *value, const char *text)
{
	return value->type == BCOSLOG_TEXT && text && strlen(text) == value->length && !memcmp(text, value->text, value->length);
}

/*
 * Is a row of the table boot for another log to give? Each lists all boots of the directory. Those of a machine that is read are for
 * the machine's own log, and the others, which the window has left out, for the first one.
 */
static bool is_elsewhere(const struct pass *pass, const struct bcoslog_value *row)
{
	const struct bcoslog_rows_table *table = &pass->table->table;
	int machine = pass->source->count > 1 ? bcoslog_rows_find_column(table, "machine") : -1;
	size_t i;

	if (machine < 0 || table->count > pass->table->own)
		return false;
	/* A machine without an ID is chosen by its name. */
	if (row[machine].type != BCOSLOG_TEXT)
		machine = bcoslog_rows_find_column(table, "host");
	for (i = 0; i < pass->source->count; i++)
		if (is_value(&row[machine], pass->source->logs[i].options.machine))
			return i != pass->log;
	return pass->log;
}

/* Gets the next row of the present log.  Return: as pass_next(). */
static int next_of_log(struct pass *pass, const struct bcoslog_value **row)
{
	int r;

	if (!pass->source->count)
		return fail(pass, EINVAL, "no log is open: SELECT bcos_open('PATH') opens one");
	r = pass->rows ? 1 : open_log(pass);
	if (r <= 0)
		return r;
	do
		r = bcoslog_rows_next(pass->rows, row);
	while (r > 0 && is_elsewhere(pass, *row));
	if (r < 0)
		pass->error = *bcoslog_rows_error(pass->rows);
	if (r <= 0 || !pass->wide)
		return r;
	widen_row(pass, *row);
	*row = pass->row;
	return 1;
}

int pass_next(struct pass *pass, const struct bcoslog_value **row)
{
	int r;

	for (;;) {
		r = next_of_log(pass, row);
		if (r)
			return r;
		/* The texts of the last log are those of rows that are kept. */
		if (pass->log + 1 >= pass->source->count)
			return 0;
		pass->missing += pass->rows ? bcoslog_rows_missing(pass->rows) : 0;
		bcoslog_rows_close(pass->rows);
		pass->rows = NULL;
		pass->log++;
	}
}

const struct bcoslog_error *pass_error(const struct pass *pass)
{
	return &pass->error;
}

__u64 pass_missing(const struct pass *pass)
{
	return pass->missing + (pass->rows ? bcoslog_rows_missing(pass->rows) : 0);
}

void pass_free(struct pass *pass)
{
	int i;

	if (!pass)
		return;
	bcoslog_rows_close(pass->rows);
	for (i = 0; i < PASS_COLUMNS; i++)
		free(pass->texts[i]);
	free(pass);
}
