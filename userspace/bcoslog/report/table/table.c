// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables that reports print: see table.h. */
#include <stdlib.h>

#include "account/report.h"
#include "complain/complain.h"
#include "table.h"

void table_begin(struct table_rows *table, const struct column *columns, size_t width)
{
	memset(table, 0, sizeof(*table));
	table->columns = columns;
	table->width = width;
}

static bool copy_text(struct cell *cell, enum cell_kind kind)
{
	size_t size = cell_is_text(kind) ? cell->length : cell->number * sizeof(*cell->course);
	/* Text and course share a place. */
	const void *from = cell->text;
	void *to;

	if ((!cell_is_text(kind) && kind != CELL_COURSE) || !from)
		return true;
	to = malloc(size + 1);
	if (to)
		memcpy(to, from, size);
	cell->text = to;
	return to;
}

/* Notes that a sum is a lower bound if it is SUM_MAX, and that an upper bound of SUM_MAX is none. */
static void bound_sum(struct cell *cell, enum cell_kind kind)
{
	if (kind != CELL_COUNT && kind != CELL_SPAN && kind != CELL_BYTES)
		return;
	cell->least |= cell->number == SUM_MAX && !cell->most;
	cell->bounded &= kind != CELL_SPAN || cell->upper != SUM_MAX;
}

void table_row(struct table_rows *table, const struct cell *cells)
{
	struct cell *larger, *row;
	size_t i;

	if (table->rows == table->room) {
		table->room = table->room ? 2 * table->room : 64;
		larger = reallocarray(table->cells, table->room, table->width * sizeof(*larger));
		if (!larger) {
			table->room = table->rows;
			table->failed = true;
			return;
		}
		table->cells = larger;
	}
	row = table->cells + table->rows++ * table->width;
	memcpy(row, cells, table->width * sizeof(*row));
	for (i = 0; i < table->width; i++) {
		row[i].unknown |= cell_is_measure(table->columns[i].kind) && !row[i].stated;
		bound_sum(&row[i], table->columns[i].kind);
		table->failed |= !copy_text(&row[i], table->columns[i].kind);
	}
}

void table_sort(struct table_rows *table, int (*compare)(const struct cell *left, const struct cell *right))
{
	size_t size = table->width * sizeof(*table->cells);

	if (table->rows > 1)
		qsort(table->cells, table->rows, size, (int (*)(const void *, const void *))compare);
}

void table_drop_rows(struct table_rows *table)
{
	size_t row, i;

	for (i = 0; i < table->width; i++) {
		if (!cell_is_text(table->columns[i].kind) && table->columns[i].kind != CELL_COURSE)
			continue;
		for (row = 0; row < table->rows; row++) {
			free((void *)table->cells[row * table->width + i].text);
		}
	}
	table->rows = 0;
}

void table_free(struct table_rows *table)
{
	table_drop_rows(table);
	free(table->cells);
	table->cells = NULL;
	table->room = 0;
}

int table_end(struct table_rows *table, struct session *session)
{
	int error = 0;

	if (table->failed) {
		complain("no memory for the rows of the table");
		error = -ENOMEM;
	} else if (session->form == TABLE_JSON) {
		error = table_put_json(table, &session->clock);
	} else if (session->form == TABLE_CSV) {
		table_put_csv(table, &session->clock);
	} else {
		table_put_text(table, &session->clock);
	}
	table_free(table);
	return error;
}
