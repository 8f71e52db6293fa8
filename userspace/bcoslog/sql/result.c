// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints the rows of a statement: see result.h. */
#include <stdlib.h>

#include "core/format/entry.h"
#include "log/run.h"
#include "output/object.h"
#include "output/output.h"
#include "report/table/table.h"
#include "result.h"
#include "complain/complain.h"

/* A table for people is as wide as so many rows need, and is widened by later ones. */
#define ROWS_AT_ONCE 1000

/* Names of these alone have no quotes in CSV. */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

struct result {
	struct session *session;
	sqlite3_stmt *statement;
	int width;
	char **names;			/* of the columns; each is used once */
	struct column *columns;
	struct table_rows table;	/* rows for people that were not printed yet */
	size_t *widths;
	long long rows;
	bool headed;
	bool failed;
};

char *result_name(sqlite3_stmt *statement, char *const *names, int column)
{
	const char *name = sqlite3_column_name(statement, column);
	char *unique = name ? strdup(name) : NULL;
	int i, same = 1;

	for (i = 0; unique && i < column; i++) {
		if (strcmp(names[i], unique))
			continue;
		free(unique);
		if (asprintf(&unique, "%s_%d", name, ++same) < 0)
			return NULL;
		i = -1;
	}
	return unique;
}

static void free_result(struct result *result)
{
	int i;

	table_free(&result->table);
	for (i = 0; result->names && i < result->width; i++)
		free(result->names[i]);
	free(result->names);
	free(result->columns);
	free(result->widths);
	free(result);
}

static bool name_columns(struct result *result)
{
	int i;

	for (i = 0; i < result->width; i++) {
		result->names[i] = result_name(result->statement, result->names, i);
		if (!result->names[i])
			return false;
		result->columns[i] = (struct column){ result->names[i], result->names[i], CELL_FIGURE };
	}
	return true;
}

struct result *result_begin(struct session *session, sqlite3_stmt *statement)
{
	int width = sqlite3_column_count(statement);
	struct result *result = calloc(1, sizeof(*result));

	if (result) {
		*result = (struct result){ .session = session, .statement = statement, .width = width };
		result->names = calloc((size_t)width, sizeof(*result->names));
		result->columns = calloc((size_t)width, sizeof(*result->columns));
		result->widths = calloc((size_t)width, sizeof(*result->widths));
	}
	if (!result || !result->names || !result->columns || !result->widths || !name_columns(result)) {
		complain("no memory for the columns of the result");
		if (result)
			free_result(result);
		return NULL;
	}
	table_begin(&result->table, result->columns, (size_t)width);
	return result;
}

/* ---- for programs ------------------------------------------------------------------------- */

/* JSON has zero bytes, and else UTF-8 alone. */
static bool is_for_json(const char *text, size_t length)
{
	const char *end = text + length;
	size_t size = 1;

	for (; text < end && size; text += size)
		size = *text ? bcos_utf8_character(text, (size_t)(end - text)) : 1;
	return size;
}

/* Adds a text or a blob.  Return: false after a complaint. */
static bool add_text(struct object *object, sqlite3_stmt *statement, int column, const char *name)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);
	size_t length = text ? (size_t)sqlite3_column_bytes(statement, column) : 0;

	if (!is_for_json(text ? text : "", length)) {
		complain("the column %s has bytes that are no UTF-8, which JSON cannot have: hex() shows them", name);
		return false;
	}
	object_text(object, name, text ? text : "", length);
	return true;
}

static int put_object(struct result *result)
{
	struct object object = { .json = json_object() };
	sqlite3_stmt *statement = result->statement;
	const char *text;
	int i;

	for (i = 0; i < result->width; i++) {
		switch (sqlite3_column_type(statement, i)) {
		case SQLITE_INTEGER:
			object_add(&object, result->names[i], json_integer(sqlite3_column_int64(statement, i)));
			break;
		case SQLITE_FLOAT:
			/* JSON has no infinity. */
			text = (const char *)sqlite3_column_text(statement, i);
			object_add(&object, result->names[i], text && strstr(text, "Inf") ? json_null() :
				   json_real(sqlite3_column_double(statement, i)));
			break;
		case SQLITE_NULL:
			object_add(&object, result->names[i], json_null());
			break;
		default:
			if (add_text(&object, statement, i, result->names[i]))
				break;
			json_decref(object.json);
			return -1;
		}
	}
	return object_print(&object, "a row") ? -1 : 0;
}

static void put_csv_head(struct result *result)
{
	int i;

	for (i = 0; i < result->width; i++) {
		if (i)
			output_bytes(",", 1);
		if (result->names[i][strspn(result->names[i], PLAIN)])
			table_put_csv_text(result->names[i], strlen(result->names[i]));
		else
			output_bytes(result->names[i], strlen(result->names[i]));
	}
	output_bytes("\r\n", 2);
}

static void put_csv_row(struct result *result)
{
	const char *text;
	int i, type;

	for (i = 0; i < result->width; i++) {
		if (i)
			output_bytes(",", 1);
		type = sqlite3_column_type(result->statement, i);
		text = (const char *)sqlite3_column_text(result->statement, i);
		if (type == SQLITE_NULL || !text)
			continue;
		if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
			output_bytes(text, strlen(text));
		else
			table_put_csv_text(text, (size_t)sqlite3_column_bytes(result->statement, i));
	}
	output_bytes("\r\n", 2);
}

/* ---- for people ---------------------------------------------------------------------------- */

/* Prints the rows that were kept.  Return: 0, or -1 after a complaint. */
static int put_kept(struct result *result)
{
	size_t row;

	if (result->table.failed) {
		complain("no memory for the rows of the result");
		return -1;
	}
	table_widths(&result->table, &result->session->clock, result->widths);
	if (!result->headed) {
		table_put_head(&result->table, result->widths);
		output_bytes("\n", 1);
	}
	result->headed = true;
	for (row = 0; row < result->table.rows && !run_ends(); row++) {
		table_put_row(&result->table, &result->session->clock, row, result->widths);
		output_bytes("\n", 1);
	}
	table_free(&result->table);
	return 0;
}

static int keep_row(struct result *result)
{
	struct cell cells[result->width];
	const char *text;
	int i;

	for (i = 0; i < result->width; i++) {
		text = (const char *)sqlite3_column_text(result->statement, i);
		cells[i] = text ? (struct cell){ .text = text, .length = (u32)sqlite3_column_bytes(result->statement, i) } : CELL_NONE;
		/* A column with a text is one of texts, also if it has numbers. */
		if (sqlite3_column_type(result->statement, i) == SQLITE_TEXT || sqlite3_column_type(result->statement, i) == SQLITE_BLOB)
			result->columns[i].kind = CELL_TEXT;
	}
	table_row(&result->table, cells);
	return result->table.rows < ROWS_AT_ONCE && !result->table.failed ? 0 : put_kept(result);
}

/* ---- all forms ------------------------------------------------------------------------------ */

int result_row(struct result *result)
{
	int r = 0;

	if (result->session->form == TABLE_CSV && !result->rows)
		put_csv_head(result);
	result->rows++;
	if (result->session->form == TABLE_JSON)
		r = put_object(result);
	else if (result->session->form == TABLE_CSV)
		put_csv_row(result);
	else
		r = keep_row(result);
	result->failed |= r;
	return r;
}

int result_end(struct result *result, bool whole)
{
	bool failed;

	if (whole && !result->failed && !result->rows && result->session->form == TABLE_CSV)
		put_csv_head(result);
	if (!result->failed && result->session->form == TABLE_TEXT && (result->table.rows || (whole && !result->headed)))
		result->failed |= put_kept(result);
	failed = result->failed;
	free_result(result);
	return failed ? -1 : 0;
}
