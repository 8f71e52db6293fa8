/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tables that reports print: as text for people, or as JSON (one object a line) or CSV for programs. Rows are collected
 * first, since the widths of columns, the order and the largest values are known only at the end.
 */
#ifndef BCOSLOG_REPORT_TABLE_H
#define BCOSLOG_REPORT_TABLE_H

#include "options/session.h"

enum cell_kind {
	CELL_TEXT,
	CELL_ID,		/* a text that is an ID: programs get it as a number, or as a word if it is none */
	CELL_FIGURE,		/* a number that the caller wrote as a text; people see it at the right */
	CELL_NUMBER,		/* an ID, or another number that the log states as it is */
	CELL_HEX,		/* a device's ID */
	CELL_TIME,		/* ns since boot */
	CELL_SINCE,		/* ns after some moment, or before it as two's complement; shown in ms */
	CELL_COURSE,		/* values over time, drawn as a line of blocks */
	/* Measures: what is counted, summed up or derived from that. A cell of these is unknown unless its bounds are stated. */
	CELL_COUNT,
	CELL_SPAN,		/* ns */
	CELL_SHARE,		/* a share of 1; shown as a percentage */
	CELL_BYTES,
	CELL_REAL,		/* a number in the unit of the column */
};

/**
 * struct column - a column of a table
 * @key: the name of the column for programs
 * @title: the head of the column for people; NULL: only programs get the column
 * @kind: the kind of its cells
 */
struct column {
	const char *key;
	const char *title;
	enum cell_kind kind;
};

/**
 * struct cell - a value in a table
 * @absent: there is no value
 * @stated: a measure: whoever made the cell said what is known of the value. table_row() makes other measures unknown, so
 *	that a sum over a loss cannot look exact because nobody thought of losses
 * @unknown: there is a value, but the log does not tell it
 * @least: the value is a lower bound
 * @most: the value is an upper bound
 * @about: the value is known only roughly; people see ~ before it, instead of a bound. A text says so itself
 * @bounded: CELL_SPAN, CELL_SHARE, CELL_REAL: the value is a lower bound, and @upper or @upper_real is known. People
 *	see the bounds only where these differ as they are written
 * @length: CELL_TEXT, CELL_ID, CELL_FIGURE: length of @text
 * @imprecise: CELL_COURSE: bit n is set if value n may count entries whose precision exceeds the time of the value
 * @cores: CELL_REAL: number of cores that the value does not include, since theirs is unknown
 * @number: CELL_COUNT, CELL_NUMBER, CELL_HEX, CELL_TIME, CELL_SINCE, CELL_SPAN, CELL_BYTES: the value; CELL_COURSE: how many values
 * @real: CELL_SHARE, CELL_REAL: the value
 * @text: CELL_TEXT, CELL_ID, CELL_FIGURE: the text, without a zero at its end, which table_row() copies; NULL: none
 * @upper: CELL_SPAN: the greatest possible value
 * @upper_real: CELL_SHARE, CELL_REAL: likewise
 * @course: CELL_COURSE: the values as shares of 1, which table_row() copies; a value below 0 is unknown
 */
struct cell {
	bool absent;
	bool stated;
	bool unknown;
	bool least;
	bool most;
	bool about;
	bool bounded;
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
		u64 upper;
		double upper_real;
	};
};

/* Return: whether cells of this kind hold a measure. */
static inline bool cell_is_measure(enum cell_kind kind)
{
	return kind >= CELL_COUNT;
}

/* Return: whether cells of this kind hold a text. */
static inline bool cell_is_text(enum cell_kind kind)
{
	return kind <= CELL_FIGURE;
}

/* The greatest number of columns of a table. */
#define TABLE_COLUMNS 32

/* A table. */
struct table_rows {
	const struct column *columns;
	size_t width;			/* number of columns */
	const char *spare;		/* keys of columns that a narrow terminal leaves out, in this order; or NULL */
	struct cell *cells;		/* row by row */
	size_t rows, room;
	bool failed;			/* there was no memory for a row */
};

#define CELL_NONE		((struct cell){ .absent = true })
#define CELL_OF(value)		((struct cell){ .number = (value) })
/* A measure that no loss makes uncertain, for a reason that the caller knows. */
#define CELL_EXACT(value)	((struct cell){ .stated = true, .number = (value) })
#define CELL_REAL_EXACT(value)	((struct cell){ .stated = true, .real = (value) })
#define CELL_WORD(word)		((struct cell){ .text = (word), .length = (u32)strlen(word) })

/* Makes an empty table of @width columns. */
void table_begin(struct table_rows *table, const struct column *columns, size_t width);
/* Adds a copy of a row of @table->width cells. */
void table_row(struct table_rows *table, const struct cell *cells);
/* Sorts the rows by @compare, which gets the first cells of two rows. The order of rows is open if it returns 0. */
void table_sort(struct table_rows *table, int (*compare)(const struct cell *left, const struct cell *right));
/* Prints the table in the form and with the clock of the session, and frees it.  Return: 0, or -ENOMEM after a complaint. */
int table_end(struct table_rows *table, struct session *session);
/* Takes all rows out of the table. */
void table_drop_rows(struct table_rows *table);
/* Frees the rows of the table, which then is empty. */
void table_free(struct table_rows *table);

/* ---- cell.c ------------------------------------------------------------------------------ */

/* The bytes that the text of any cell but texts and CELL_COURSE needs. */
#define TABLE_CELL 128

/*
 * Writes a cell of any kind but texts and CELL_COURSE as text for people, times by @clock; @text has TABLE_CELL bytes.
 * Return: the length of the text.
 */
int table_cell_text(struct clock *clock, char *text, const struct cell *cell, enum cell_kind kind);
/* Gets the number of an ID, decimal or after 0x.  Return: whether the text of the cell is one. */
bool table_cell_id(const struct cell *cell, u64 *id);
/* Writes a duration in the unit that fits, as tables do.  Return: as snprintf(). */
int table_span(char *text, size_t size, u64 ns);

/* ---- table_text.c: columns for people ------------------------------------------------- */

/* The width of a column that is not shown. */
#define TABLE_HIDDEN ((size_t)-1)

/* Return: the number of columns of the terminal that standard output is, or 0 if it is none. */
size_t table_room(void);
/* Return: the number of columns that a terminal needs for UTF-8 as put_text() writes it. */
size_t table_columns(const char *text, size_t length);
/* Return: the number of bytes of @text, in whole characters, for which @width columns have room. */
size_t table_cut(const char *text, size_t length, size_t width);
/* Raises each of @widths, in columns of a terminal, to the width that the column of the table needs. */
void table_widths(const struct table_rows *table, struct clock *clock, size_t *widths);
/* Put the head or a row as a line, without its end. */
void table_put_head(const struct table_rows *table, const size_t *widths);
void table_put_row(const struct table_rows *table, struct clock *clock, size_t row, const size_t *widths);
/* Prints the whole table. */
void table_put_text(const struct table_rows *table, struct clock *clock);

/* ---- table_program.c: for programs ---------------------------------------------------- */

/* Prints the whole table as JSON.  Return: 0, or -ENOMEM after a complaint. */
int table_put_json(const struct table_rows *table, struct clock *clock);
/* Prints the whole table as CSV. */
void table_put_csv(const struct table_rows *table, struct clock *clock);
/*
 * Puts a text of CSV in quotes. Characters are escaped as put_text() does, and an apostrophe precedes a text that a
 * spreadsheet would take for a formula.
 */
void table_put_csv_text(const char *text, size_t length);
/* Print the head or the rows alone. */
void table_put_csv_head(const struct table_rows *table, struct clock *clock);
void table_put_csv_rows(const struct table_rows *table, struct clock *clock);

#endif
