// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The rows of a drawing over time: see svg.h. */
#include <stdlib.h>

#include "svg.h"

struct svg_row *svg_row_of(struct svg_rows *rows, u32 kind, u64 id)
{
	struct svg_row **larger, *row;
	size_t i;

	for (i = 0; i < rows->count; i++)
		if (rows->of[i]->kind == kind && rows->of[i]->id == id)
			return rows->of[i];
	row = calloc(1, sizeof(*row));
	larger = row ? reallocarray(rows->of, rows->count + 1, sizeof(*larger)) : NULL;
	if (!larger) {
		free(row);
		rows->failed = true;
		return NULL;
	}
	row->kind = kind;
	row->id = id;
	row->timeline.fixed = rows->fixed;
	rows->of = larger;
	rows->of[rows->count++] = row;
	return row;
}

void svg_row_drop(struct svg_rows *rows, u32 kind, u64 id)
{
	size_t i;

	for (i = 0; i < rows->count; i++) {
		if (rows->of[i]->kind != kind || rows->of[i]->id != id)
			continue;
		free(rows->of[i]);
		rows->count--;
		memmove(&rows->of[i], &rows->of[i + 1], (rows->count - i) * sizeof(*rows->of));
		return;
	}
}

static int by_kind(const void *left, const void *right)
{
	const struct svg_row *a = *(struct svg_row *const *)left, *b = *(struct svg_row *const *)right;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

void svg_rows_sort(struct svg_rows *rows)
{
	if (rows->count)
		qsort(rows->of, rows->count, sizeof(*rows->of), by_kind);
}

static bool rows_overflow(const struct svg_rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++)
		if (rows->of[i]->timeline.overflow)
			return true;
	return false;
}

bool svg_rows_whole(const struct svg_rows *rows)
{
	return !rows->failed && !rows_overflow(rows);
}

void svg_rows_imprecise(const struct svg_rows *rows)
{
	u64 width = 0;
	size_t i;

	for (i = 0; i < rows->count; i++)
		width = rows->of[i]->timeline.width > width ? rows->of[i]->timeline.width : width;
	chart_imprecise(width);
}

int svg_rows_end(struct svg_rows *rows)
{
	int error = svg_rows_whole(rows) ? 0 : chart_failed(rows_overflow(rows));
	size_t i;

	for (i = 0; i < rows->count; i++)
		free(rows->of[i]);
	free(rows->of);
	memset(rows, 0, sizeof(*rows));
	return error;
}
