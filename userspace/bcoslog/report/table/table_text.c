// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints tables for people. A column is as wide as its widest cell, unless a terminal has no room for it. */
#include <sys/ioctl.h>
#include <unistd.h>

#include "entry/text.h"
#include "log/run.h"
#include "output/output.h"
#include "output/times.h"
#include "table.h"

/* The greatest width of a text, to which names are cut. JSON and CSV have the whole names. */
#define TEXT_WIDTH 40
/* The number of spaces between two columns. */
#define GAP 2
/* The widths below which columns of texts and courses are not narrowed. */
#define TEXT_LEAST 15
#define COURSE_LEAST 8

size_t table_columns(const char *text, size_t length)
{
	size_t columns = 0, i = 0, bytes, escaped;
	char escape[ESCAPE_MAX];

	while (i < length) {
		if (is_plain((u8)text[i])) {
			columns++;
			i++;
			continue;
		}
		bytes = escape_character(text + i, length - i, escape, &escaped);
		columns += bytes ? escaped : !utf8_is_inside(text[i]);
		i += bytes ? bytes : 1;
	}
	return columns;
}

size_t table_cut(const char *text, size_t length, size_t width)
{
	while (length && table_columns(text, length) > width)
		do
			length--;
		while (length && utf8_is_inside(text[length]));
	return length;
}

static size_t width_of(struct clock *clock, const struct cell *cell, enum cell_kind kind)
{
	char text[TABLE_CELL];

	switch (kind) {
	case CELL_TEXT:
	case CELL_ID:
	case CELL_FIGURE:
		return cell->absent ? 0 : table_columns(cell->text, table_cut(cell->text, cell->length, TEXT_WIDTH));
	case CELL_COURSE:
		return cell->number;
	default:
		return (size_t)table_cell_text(clock, text, cell, kind);
	}
}

/* This also makes room for what follows in a cell that is no text, since each cell begins with spaces, if only with none. */
static void put_spaces(size_t count)
{
	output_room();
	while (count--)
		put_char(' ');
}

/* Return: the mean of the known values, or -1 if none is known. */
static float mean_of(const float *values, size_t count)
{
	size_t known = 0, i;
	float sum = 0;

	for (i = 0; i < count; i++) {
		if (values[i] < 0)
			continue;
		sum += values[i];
		known++;
	}
	return known ? sum / (float)known : -1;
}

/* Draws the course in at most @width blocks, each of which may stand for several values. */
static void put_course(const struct cell *cell, size_t width)
{
	static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	size_t i, from, count = cell->number < width ? cell->number : width;
	float value;
	int height;

	for (i = 0; i < count; i++) {
		from = i * cell->number / count;
		value = mean_of(cell->course + from, (i + 1) * cell->number / count - from);
		if (value < 0) {
			put_literal("?");
			continue;
		}
		height = (int)(value * 8 + 0.5f);
		/* A value above 0 has at least the lowest block. */
		if (!height && value > 0)
			height = 1;
		put_string(blocks[height > 8 ? 8 : height]);
	}
}

static void put_cell(struct clock *clock, const struct cell *cell, enum cell_kind kind, size_t width, bool last)
{
	size_t own = width_of(clock, cell, kind), length;
	char text[TABLE_CELL];

	if (kind == CELL_COURSE) {
		put_course(cell, width);
		/* A row can have fewer values than others, such as that of a core that went offline. */
		if (!last)
			put_spaces(width - (own < width ? own : width));
		return;
	}
	if (cell_is_text(kind)) {
		length = cell->absent ? 0 : table_cut(cell->text, cell->length, width);
		own = table_columns(cell->text, length);
		if (kind == CELL_FIGURE)
			put_spaces(width - own);
		if (length)
			put_text(cell->text, length, 0);
		if (!last && kind != CELL_FIGURE)
			put_spaces(width - own);
		return;
	}
	put_spaces(width - own);
	table_cell_text(clock, text, cell, kind);
	put_string(text);
}

static bool is_left(enum cell_kind kind)
{
	return (cell_is_text(kind) && kind != CELL_FIGURE) || kind == CELL_COURSE;
}

/* Removes the spaces at the end of the line. */
static void trim_line(void)
{
	while (output.used && output.buffer[output.used - 1] == ' ')
		output.used--;
}

void table_widths(const struct table_rows *table, struct clock *clock, size_t *widths)
{
	size_t i, row, own;

	for (i = 0; i < table->width; i++) {
		own = table->columns[i].title ? strlen(table->columns[i].title) : 0;
		if (own > widths[i])
			widths[i] = own;
		for (row = 0; row < table->rows && !run_ends(); row++) {
			own = width_of(clock, &table->cells[row * table->width + i], table->columns[i].kind);
			if (own > widths[i])
				widths[i] = own;
		}
	}
}

/* Is the column shown? */
static bool is_shown(const struct table_rows *table, size_t column, const size_t *widths)
{
	return table->columns[column].title && widths[column] != TABLE_HIDDEN;
}

void table_put_head(const struct table_rows *table, const size_t *widths)
{
	const struct column *column;
	size_t i, own;
	bool first = true;

	for (i = 0; i < table->width; i++) {
		if (!is_shown(table, i, widths))
			continue;
		column = &table->columns[i];
		own = table_columns(column->title, strlen(column->title));
		put_spaces(first ? 0 : GAP);
		first = false;
		if (!is_left(column->kind))
			put_spaces(widths[i] - own);
		put_string(column->title);
		if (is_left(column->kind) && i + 1 < table->width)
			put_spaces(widths[i] - own);
	}
	trim_line();
}

void table_put_row(const struct table_rows *table, struct clock *clock, size_t row, const size_t *widths)
{
	const struct cell *cells = &table->cells[row * table->width];
	bool first = true;
	size_t i;

	for (i = 0; i < table->width; i++) {
		if (!is_shown(table, i, widths))
			continue;
		put_spaces(first ? 0 : GAP);
		first = false;
		put_cell(clock, &cells[i], table->columns[i].kind, widths[i], i + 1 == table->width);
	}
	trim_line();
}

size_t table_room(void)
{
	static struct winsize size;
	static bool asked;

	if (!asked && (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size)))
		size.ws_col = 0;
	asked = true;
	return size.ws_col;
}

/* Narrows a column by *@excess, but not below @least, and subtracts that from *@excess. */
static void narrow_column(size_t *width, size_t least, size_t *excess)
{
	size_t most = *width > least ? *width - least : 0, by = *excess < most ? *excess : most;

	*width -= by;
	*excess -= by;
}

/*
 * Narrows courses, and then texts, until a line has room. Numbers keep their width.
 * Return: the number of columns of the terminal that are still missing.
 */
static size_t narrow_all(const struct table_rows *table, size_t *widths, size_t room)
{
	size_t i, all = 0, excess, least;

	for (i = 0; i < table->width; i++)
		if (is_shown(table, i, widths))
			all += widths[i] + (all ? GAP : 0);
	excess = all > room ? all - room : 0;
	for (i = 0; i < table->width; i++) {
		if (!is_shown(table, i, widths) || table->columns[i].kind != CELL_COURSE)
			continue;
		least = strlen(table->columns[i].title);
		narrow_column(&widths[i], COURSE_LEAST > least ? COURSE_LEAST : least, &excess);
	}
	for (i = 0; i < table->width; i++) {
		if (!is_shown(table, i, widths) || !cell_is_text(table->columns[i].kind))
			continue;
		least = strlen(table->columns[i].title);
		narrow_column(&widths[i], TEXT_LEAST > least ? TEXT_LEAST : least, &excess);
	}
	return excess;
}

/* Leaves out the column whose key is the first of @keys.  Return: the keys after it, or NULL if @keys is empty. */
static const char *leave_out(const struct table_rows *table, size_t *widths, const char *keys)
{
	size_t length, i;

	if (!keys || !*keys)
		return NULL;
	length = strcspn(keys, " ");
	for (i = 0; i < table->width; i++)
		if (strlen(table->columns[i].key) == length && !memcmp(table->columns[i].key, keys, length))
			widths[i] = TABLE_HIDDEN;
	return keys + length + (keys[length] == ' ');
}

/* Narrows and leaves out columns until a line fits on a terminal of @room columns, or no more can be left out. */
static void fit_widths(const struct table_rows *table, size_t *widths, size_t room)
{
	const char *spare = table->spare;
	size_t narrowed[TABLE_COLUMNS], i;

	do {
		for (i = 0; i < table->width; i++)
			narrowed[i] = widths[i];
	} while (narrow_all(table, narrowed, room) && (spare = leave_out(table, widths, spare)));
	for (i = 0; i < table->width; i++)
		widths[i] = narrowed[i];
}

/* Names the columns that were left out. */
static void put_hidden(const struct table_rows *table, const size_t *widths)
{
	bool any = false;
	size_t i;

	for (i = 0; i < table->width; i++) {
		if (widths[i] != TABLE_HIDDEN)
			continue;
		output_format("%s%s", any ? ", " : "(no room for: ", table->columns[i].title);
		any = true;
	}
	if (any)
		output_format(")\n");
}

/* Return: the values of a column that are imprecise in any row. All rows have the same scale of time. */
static u32 imprecise_of(const struct table_rows *table, size_t column, size_t *count)
{
	const struct cell *cell;
	u32 marks = 0;
	size_t row;

	*count = 0;
	for (row = 0; row < table->rows; row++) {
		cell = &table->cells[row * table->width + column];
		marks |= cell->imprecise;
		*count = cell->number > *count ? cell->number : *count;
	}
	return marks;
}

/* Puts marks below the imprecise blocks of a course. */
static void put_marks(u32 marks, size_t values, size_t width)
{
	size_t i, at, count = values < width ? values : width;
	bool marked;

	for (i = 0; i < count; i++) {
		marked = false;
		for (at = i * values / count; at < (i + 1) * values / count; at++)
			marked |= marks >> at & 1;
		put_char(marked ? '~' : ' ');
	}
	put_spaces(width - count);
}

/* Prints a line with the marks of all courses, if there are any, and its explanation. */
static void put_imprecise(const struct table_rows *table, const size_t *widths)
{
	bool first = true, any = false;
	size_t i, values;
	u32 marks;

	for (i = 0; i < table->width; i++)
		if (is_shown(table, i, widths) && table->columns[i].kind == CELL_COURSE)
			any |= imprecise_of(table, i, &values);
	if (!any)
		return;
	for (i = 0; i < table->width; i++) {
		if (!is_shown(table, i, widths))
			continue;
		put_spaces(first ? 0 : GAP);
		first = false;
		if (table->columns[i].kind != CELL_COURSE) {
			put_spaces(widths[i]);
			continue;
		}
		marks = imprecise_of(table, i, &values);
		put_marks(marks, values, widths[i]);
	}
	trim_line();
	output_format("\n(~ marks blocks of times that are known less precisely than a block is wide)\n");
}

void table_put_text(const struct table_rows *table, struct clock *clock)
{
	size_t widths[TABLE_COLUMNS] = { 0 }, row, room = table_room();

	table_widths(table, clock, widths);
	if (room)
		fit_widths(table, widths, room);
	table_put_head(table, widths);
	put_char('\n');
	for (row = 0; row < table->rows && !run_ends(); row++) {
		table_put_row(table, clock, row, widths);
		put_char('\n');
	}
	put_imprecise(table, widths);
	put_hidden(table, widths);
}
