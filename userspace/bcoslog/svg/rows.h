/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The rows of a drawing over time, which are made as the log names them. */
#ifndef BCOSLOG_SVG_ROWS_H
#define BCOSLOG_SVG_ROWS_H

#include "chart.h"

/**
 * struct svg_row - a row
 * @kind: what it is about, in the numbers of the drawing; the order of rows
 * @id: of which one
 * @timeline: its amounts
 * @least: some of them are lower bounds
 * @length: of @name
 * @name: for the drawing, zeros at first
 */
struct svg_row {
	u32 kind;
	u64 id;
	struct timeline timeline;
	bool least;
	size_t length;
	char name[SVG_TEXT];
};

/**
 * struct svg_rows - all rows; zeros at first
 * @fixed: the width of their stretches, ns; 0: as the log fits
 * @failed: there was no memory for one
 */
struct svg_rows {
	struct svg_row **of;
	size_t count;
	u64 fixed;
	bool failed;
};

/* Returns the row of @kind and @id, which is made at the first call, or NULL if there is no memory. */
struct svg_row *svg_row_of(struct svg_rows *rows, u32 kind, u64 id);

/* Sorts them by kind and ID. */
void svg_rows_sort(struct svg_rows *rows);

/* Returns whether all of them can be drawn. */
bool svg_rows_whole(const struct svg_rows *rows);

/* Marks what is less precise than their stretches are wide. */
void svg_rows_imprecise(const struct svg_rows *rows);

/* Frees them. Returns 0, or -ENOMEM after saying why they are not whole. */
int svg_rows_end(struct svg_rows *rows);

#endif
