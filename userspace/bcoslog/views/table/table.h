/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A table that a report prints: as text for people, as JSON (one object a
 * line) or CSV for programs.  Rows are collected first, since the widths of
 * columns, the order and the largest values are known only at the end.
 */
#ifndef BCOSLOG_VIEWS_TABLE_H
#define BCOSLOG_VIEWS_TABLE_H

#include "core/host/user.h"

enum cell_kind {
	CELL_TEXT,
	CELL_NUMBER,		/* a count or an ID */
	CELL_HEX,		/* a device's ID */
	CELL_TIME,		/* ns since boot */
	CELL_SINCE,		/* ns from some moment on, or before it: two's complement; shown in ms */
	CELL_SPAN,		/* ns */
	CELL_SHARE,		/* of 1 */
	CELL_BYTES,
	CELL_REAL,		/* with the column's unit */
	CELL_COURSE,		/* values over time, drawn as a line of blocks */
};

/**
 * struct column - of a table
 * @key: its name for programs
 * @title: its head for people, NULL: it is for programs alone
 * @kind: of its cells
 */
struct column {
	const char *key;
	const char *title;
	enum cell_kind kind;
};

/**
 * struct cell - a value
 * @absent: there is none here
 * @unknown: there is one, and nobody knows it
 * @least: the truth may be more
 * @number: of CELL_NUMBER, CELL_HEX, CELL_TIME, CELL_SINCE, CELL_SPAN, CELL_BYTES; of CELL_COURSE how many values
 * @real: of CELL_SHARE, CELL_REAL
 * @text: of CELL_TEXT, copied, not zero terminated; NULL: none
 * @length: of @text
 * @imprecise: of CELL_COURSE: bit n is set where value n may be of a time that is known less precisely than it is wide
 * @cores: of CELL_REAL: to it comes what so many cores took, which is unknown
 * @course: of CELL_COURSE, copied: shares of 1, below 0: unknown
 */
struct cell {
	bool absent;
	bool unknown;
	bool least;
	union {
		u32 length;
		u32 imprecise;
		u32 cores;
	};
	union {
		u64 number;
		double real;
	};
	union {
		const char *text;
		const float *course;
	};
};

/* The greatest number of columns of a table. */
#define TABLE_COLUMNS 32

enum table_form { TABLE_TEXT, TABLE_JSON, TABLE_CSV, TABLE_SVG };

struct table_rows {
	const struct column *columns;
	size_t width;			/* columns */
	const char *spare;		/* keys of those that a narrow terminal does without, the first one first; or NULL */
	struct cell *cells;		/* row by row */
	size_t rows, room;
	bool failed;			/* there was no memory for one */
};

#define CELL_NONE		((struct cell){ .absent = true })
#define CELL_OF(value)		((struct cell){ .number = (value) })
#define CELL_REAL_OF(value)	((struct cell){ .real = (value) })
#define CELL_WORD(word)		((struct cell){ .text = (word), .length = (u32)strlen(word) })

void table_begin(struct table_rows *table, const struct column *columns, size_t width);
/* A row of @table->width cells, copied. */
void table_row(struct table_rows *table, const struct cell *cells);
/* Sorts the rows by @compare, which gets two rows and must not return 0. */
void table_sort(struct table_rows *table, int (*compare)(const struct cell *left, const struct cell *right));
/* Print and free.  Return: 0, or -ENOMEM after saying so. */
int table_end(struct table_rows *table, enum table_form form);
/* Free without printing; an empty table is left. */
void table_free(struct table_rows *table);

/* ---- cell.c ------------------------------------------------------------------------------ */

/* Room for any cell but one of text. */
#define TABLE_CELL 128

/* The text of a cell of any kind but CELL_TEXT and CELL_COURSE.  @text: TABLE_CELL bytes.  Return: its length. */
int table_cell_text(char *text, const struct cell *cell, enum cell_kind kind);
/* A duration in the unit that fits, as tables have it.  Return: its length. */
int table_span(char *text, size_t size, u64 ns);

/* ---- table_text.c: columns for people ------------------------------------------------- */

/* The width of a column that is not shown. */
#define TABLE_HIDDEN ((size_t)-1)

/* Columns of the terminal that is written to, 0: it is none. */
size_t table_room(void);
/* Columns that a terminal needs for UTF-8 as put_text() writes it. */
size_t table_columns(const char *text, size_t length);
/* Bytes of @text, whole characters, that @width columns have room for. */
size_t table_cut(const char *text, size_t length, size_t width);
/* Raises each of @widths, columns of a terminal, to what the table needs. */
void table_widths(const struct table_rows *table, size_t *widths);
/* A line, without its end, to the output. */
void table_put_head(const struct table_rows *table, const size_t *widths);
void table_put_row(const struct table_rows *table, size_t row, const size_t *widths);
void table_put_text(const struct table_rows *table);

/* ---- table_program.c: for programs ---------------------------------------------------- */

/* Return: 0 or -ENOMEM after saying so. */
int table_put_json(const struct table_rows *table);
void table_put_csv(const struct table_rows *table);
/* A text, in quotes. */
void table_put_csv_text(const char *text, size_t length);
/* The parts of that. */
void table_put_csv_head(const struct table_rows *table);
void table_put_csv_rows(const struct table_rows *table);

#endif
