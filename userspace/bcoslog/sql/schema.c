// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints the tables and their columns: see schema.h. */
#include "bcoslog_rows.h"
#include "command.h"
#include "complain/complain.h"
#include "output/object.h"
#include "output/output.h"
#include "report/table/table.h"
#include "schema.h"
#include "sql/macros.h"

static const char *const types[] = { "", "integer", "real", "text" };

static const struct column columns[] = {
	{ "table", "table", CELL_TEXT },
	{ "column", "column", CELL_TEXT },
	{ "type", "type", CELL_TEXT },
	{ "about", "about", CELL_TEXT },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* A row for the table itself has no column. */
static void add_rows(struct table_rows *rows, const struct bcoslog_rows_table *shape)
{
	const struct cell head[COLUMNS] = { CELL_WORD(shape->name), CELL_NONE, CELL_NONE, CELL_WORD(shape->about) };
	const struct bcoslog_rows_column *column;
	__u32 i;

	table_row(rows, head);
	for (i = 0; i < shape->count; i++) {
		column = &shape->columns[i];
		table_row(rows, (const struct cell[]){ CELL_WORD(shape->name), CELL_WORD(column->name), CELL_WORD(types[column->type]),
						       CELL_WORD(column->about) });
	}
}

/* Texts are whole here, unlike in tables. */
static void print_shape(const struct bcoslog_rows_table *shape, bool first)
{
	__u32 i;

	output_format("%s%s: %s\n", first ? "" : "\n", shape->name, shape->about);
	for (i = 0; i < shape->count; i++)
		output_format("  %-16s  %-7s  %s\n", shape->columns[i].name, types[shape->columns[i].type], shape->columns[i].about);
}

int schema_print(struct session *session, const char *name)
{
	const struct bcoslog_rows_table *shape;
	struct table_rows rows;
	bool found = false;
	size_t i;

	table_begin(&rows, columns, COLUMNS);
	for (i = 0; (shape = bcoslog_rows_table(i)); i++) {
		if (name && strcmp(name, shape->name))
			continue;
		if (session->form == TABLE_TEXT)
			print_shape(shape, !found);
		else
			add_rows(&rows, shape);
		found = true;
	}
	if (!found) {
		complain("there is no table %s: bcoslog sql --schema lists them, and bcoslog-sql(1) the views", name);
		return EXIT_ENVIRONMENT;
	}
	if (session->form != TABLE_TEXT && table_end(&rows, session))
		return EXIT_ENVIRONMENT;
	return print_end();
}

void schema_names(sqlite3 *db)
{
	const struct bcoslog_rows_table *shape;
	sqlite3_stmt *views = NULL;
	const char *call;
	int macro;
	size_t i;

	for (i = 0; (shape = bcoslog_rows_table(i)); i++)
		output_format("%s\n", shape->name);
	sqlite3_prepare_v2(db, "SELECT name FROM sqlite_master WHERE type = 'view'", -1, &views, NULL);
	while (views && sqlite3_step(views) == SQLITE_ROW)
		output_format("%s (a view)\n", (const char *)sqlite3_column_text(views, 0));
	sqlite3_finalize(views);
	for (macro = 0; (call = sql_macro_call(macro)); macro++)
		output_format("%s (a function)\n", call);
}
