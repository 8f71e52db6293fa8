/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The rows of a drawing over time. A row is made when the log first has something for it. */
#ifndef BCOSLOG_SVG_ROWS_H
#define BCOSLOG_SVG_ROWS_H

#include "chart.h"

/**
 * struct svg_row - a row of a drawing
 * @kind: the kind of its subject, such as all CPUs or one; the drawing defines the numbers, by which rows are sorted
 * @id: the ID of its subject
 * @timeline: its amounts
 * @least: some amounts are lower bounds
 * @length: length of @name
 * @name: a name for the use of the drawing, zeros at first
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
 * struct svg_rows - the rows of a drawing; zeros at first
 * @of: the rows
 * @count: number of rows
 * @fixed: the width of buckets in ns; 0: so wide that the whole log fits
 * @failed: there was no memory for a row
 */
struct svg_rows {
	struct svg_row **of;
	size_t count;
	u64 fixed;
	bool failed;
};

/* Return: the row of @kind and @id, which the first call makes, or NULL if there is no memory. */
struct svg_row *svg_row_of(struct svg_rows *rows, u32 kind, u64 id);

/* Sorts the rows by kind and ID. */
void svg_rows_sort(struct svg_rows *rows);

/* Return: false if a row is missing, or has no room for all of its buckets. */
bool svg_rows_whole(const struct svg_rows *rows);

/* Marks the stretches with entries whose precision exceeds the width of buckets. */
void svg_rows_imprecise(const struct svg_rows *rows);

/* Takes the row of this object out, if there is one. */
void svg_row_drop(struct svg_rows *rows, u32 kind, u64 id);

/* Frees the rows.  Return: 0, or -ENOMEM after a complaint if svg_rows_whole() is false. */
int svg_rows_end(struct svg_rows *rows);

#endif
