// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A table for people: in columns, as wide as the widest cell of each. */
#include <sys/ioctl.h>
#include <unistd.h>

#include "../../output.h"
#include "../../times.h"
#include "table.h"

/* A name that is longer is cut in a column of text, not in JSON or CSV. */
#define TEXT_WIDTH 40
#define GAP 2
/* So narrow they become, and no narrower, where there is little room. */
#define TEXT_LEAST 15
#define COURSE_LEAST 8

int table_span(char *text, size_t size, u64 ns)
{
	if (ns < 10000)
		return snprintf(text, size, "%llu ns", (unsigned long long)ns);
	if (ns < 10000000)
		return snprintf(text, size, "%.1f us", (double)ns / 1e3);
	if (ns < 10000000000ull)
		return snprintf(text, size, "%.1f ms", (double)ns / 1e6);
	return snprintf(text, size, "%.1f s", (double)ns / 1e9);
}

static int bytes_text(char *text, size_t size, u64 bytes)
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double value = (double)bytes / 1024;
	size_t unit = 0;

	if (bytes < 10240)
		return snprintf(text, size, "%llu B", (unsigned long long)bytes);
	for (; value >= 10240 && unit < 5; unit++)
		value /= 1024;
	return snprintf(text, size, "%.1f %s", value, units[unit]);
}

/* Milliseconds to the nanosecond. */
static int since_text(char *text, size_t size, s64 ns)
{
	u64 distance = ns < 0 ? -(u64)ns : (u64)ns;

	return snprintf(text, size, "%s%llu.%06llu", ns < 0 ? "-" : "", (unsigned long long)(distance / 1000000),
			(unsigned long long)(distance % 1000000));
}

int table_cell_text(char *text, size_t size, const struct cell *cell, enum cell_kind kind)
{
	char time[TIME_TEXT];
	int at = 0;

	if (cell->absent || cell->unknown)
		return snprintf(text, size, "%s", cell->unknown ? "?" : "");
	if (cell->least)
		at = snprintf(text, size, ">=");
	text += at;
	size -= (size_t)at;
	switch (kind) {
	case CELL_NUMBER:
		return at + snprintf(text, size, "%llu", (unsigned long long)cell->number);
	case CELL_HEX:
		return at + snprintf(text, size, "0x%08llX", (unsigned long long)cell->number);
	case CELL_TIME:
		time_text(time, cell->number);
		return at + snprintf(text, size, "%s", time);
	case CELL_SINCE:
		return at + since_text(text, size, (s64)cell->number);
	case CELL_SPAN:
		return at + table_span(text, size, cell->number);
	case CELL_SHARE:
		return at + snprintf(text, size, "%.1f %%", cell->real * 100);
	case CELL_BYTES:
		return at + bytes_text(text, size, cell->number);
	case CELL_REAL:
		return at + snprintf(text, size, "%.3f", cell->real);
	default:
		return at;
	}
}

/* Columns that a terminal needs for UTF-8 that put_text() leaves as it is; what it escapes needs more. */
static size_t columns_of(const char *text, size_t length)
{
	size_t columns = 0, i;

	for (i = 0; i < length; i++) {
		if (is_plain((u8)text[i]))
			columns++;
		else if (text[i] == '\\')
			columns += 2;
		else if ((u8)text[i] < 0x20 || (u8)text[i] == 0x7F)
			columns += 4;
		else
			columns += ((u8)text[i] & 0xC0) != 0x80;
	}
	return columns;
}

/* Bytes of the text that a column of @width has room for. */
static size_t cut(const char *text, size_t length, size_t width)
{
	while (length && columns_of(text, length) > width)
		do
			length--;
		while (length && ((u8)text[length] & 0xC0) == 0x80);
	return length;
}

static size_t width_of(const struct cell *cell, enum cell_kind kind)
{
	char text[TIME_TEXT + 8];

	switch (kind) {
	case CELL_TEXT:
		return cell->absent ? 0 : columns_of(cell->text, cut(cell->text, cell->length, TEXT_WIDTH));
	case CELL_COURSE:
		return cell->number;
	default:
		return (size_t)table_cell_text(text, sizeof(text), cell, kind);
	}
}

static void spaces(size_t count)
{
	output_room();
	while (count--)
		put_char(' ');
}

/* The mean of what is known of some values.  Return: below 0: nothing is. */
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

/* In so many blocks at most, each of which may be several values. */
static void put_course(const struct cell *cell, size_t width)
{
	static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	size_t i, from, count = cell->number < width ? cell->number : width;
	float value;
	int height;

	for (i = 0; i < count; i++) {
		output_room();
		from = i * cell->number / count;
		value = mean_of(cell->course + from, (i + 1) * cell->number / count - from);
		if (value < 0) {
			put_literal("?");
			continue;
		}
		height = (int)(value * 8 + 0.5f);
		/* What is little is not nothing. */
		if (!height && value > 0)
			height = 1;
		put_string(blocks[height > 8 ? 8 : height]);
	}
}

static void put_cell(const struct cell *cell, enum cell_kind kind, size_t width, bool last)
{
	size_t own = width_of(cell, kind), length;
	char text[TIME_TEXT + 8];

	if (kind == CELL_COURSE) {
		put_course(cell, width);
		return;
	}
	if (kind == CELL_TEXT) {
		output_room();
		length = cell->absent ? 0 : cut(cell->text, cell->length, width);
		own = columns_of(cell->text, length);
		if (length)
			put_text(cell->text, length, 0);
		if (!last)
			spaces(width - own);
		return;
	}
	spaces(width - own);
	table_cell_text(text, sizeof(text), cell, kind);
	output_room();
	put_string(text);
}

static bool is_left(enum cell_kind kind)
{
	return kind == CELL_TEXT || kind == CELL_COURSE;
}

/* What ends a line and is empty needs no spaces. */
static void trim(void)
{
	while (output.used && output.buffer[output.used - 1] == ' ')
		output.used--;
}

void table_widths(const struct table_rows *table, size_t *widths)
{
	size_t i, row, own;

	for (i = 0; i < table->width; i++) {
		own = table->columns[i].title ? strlen(table->columns[i].title) : 0;
		if (own > widths[i])
			widths[i] = own;
		for (row = 0; row < table->rows; row++) {
			own = width_of(&table->cells[row * table->width + i], table->columns[i].kind);
			if (own > widths[i])
				widths[i] = own;
		}
	}
}

void table_put_head(const struct table_rows *table, const size_t *widths)
{
	const struct column *column;
	size_t i, own;
	bool first = true;

	for (i = 0; i < table->width; i++) {
		column = &table->columns[i];
		if (!column->title)
			continue;
		own = columns_of(column->title, strlen(column->title));
		spaces(first ? 0 : GAP);
		first = false;
		if (!is_left(column->kind))
			spaces(widths[i] - own);
		put_string(column->title);
		if (is_left(column->kind) && i + 1 < table->width)
			spaces(widths[i] - own);
	}
	trim();
}

void table_put_row(const struct table_rows *table, size_t row, const size_t *widths)
{
	const struct cell *cells = &table->cells[row * table->width];
	bool first = true;
	size_t i;

	for (i = 0; i < table->width; i++) {
		if (!table->columns[i].title)
			continue;
		spaces(first ? 0 : GAP);
		first = false;
		put_cell(&cells[i], table->columns[i].kind, widths[i], i + 1 == table->width);
	}
	output_room();
	trim();
}

/* Columns of the terminal that is written to, 0: it is none. */
static size_t terminal_width(void)
{
	struct winsize size;

	return isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

/* Takes from a column what is too much, but not all. */
static void narrow(size_t *width, size_t least, size_t *excess)
{
	size_t most = *width > least ? *width - least : 0, by = *excess < most ? *excess : most;

	*width -= by;
	*excess -= by;
}

/* Courses, and then names, give way so that a line fits on a terminal; what is in numbers does not. */
static void fit(const struct table_rows *table, size_t *widths, size_t room)
{
	size_t i, all = 0, excess;

	for (i = 0; i < table->width; i++)
		if (table->columns[i].title)
			all += widths[i] + (all ? GAP : 0);
	excess = all > room ? all - room : 0;
	for (i = 0; room && i < table->width; i++)
		if (table->columns[i].title && table->columns[i].kind == CELL_COURSE)
			narrow(&widths[i], COURSE_LEAST, &excess);
	for (i = 0; room && i < table->width; i++)
		if (table->columns[i].title && table->columns[i].kind == CELL_TEXT)
			narrow(&widths[i], TEXT_LEAST > strlen(table->columns[i].title) ? TEXT_LEAST :
				strlen(table->columns[i].title), &excess);
}

void table_put_text(const struct table_rows *table)
{
	size_t widths[TABLE_COLUMNS] = { 0 }, row;

	table_widths(table, widths);
	fit(table, widths, terminal_width());
	table_put_head(table, widths);
	put_char('\n');
	for (row = 0; row < table->rows; row++) {
		table_put_row(table, row, widths);
		put_char('\n');
	}
}
