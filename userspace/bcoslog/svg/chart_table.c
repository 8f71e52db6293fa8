// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Draws tables as bars, or as stretches of time. */
#include <errno.h>
#include <stdlib.h>

#include "svg.h"
#include "entry/text.h"
#include "output/output.h"
#include "output/times.h"

static const struct cell *cell_of(const struct table_rows *table, size_t row, size_t column)
{
	return &table->cells[row * table->width + column];
}

/* Draws the name of a row as `name (12)`, cut to the room that there is. */
static void put_name(const struct table_rows *table, size_t row, size_t at, size_t id, size_t name)
{
	const struct cell *cell = cell_of(table, row, id), *text = cell_of(table, row, name);
	size_t length = text->text ? utf8_fit(text->text, text->length, 22) : 0;
	char label[96];
	int used;

	used = snprintf(label, sizeof(label), "%.*s%s", (int)length, length ? text->text : "",
			text->text && length < text->length ? "..." : "");
	if (id == name)
		;
	else if (cell_is_text(table->columns[id].kind) && cell->length)
		snprintf(label + used, sizeof(label) - (size_t)used, " (%.*s)", (int)cell->length, cell->text);
	else if (!cell_is_text(table->columns[id].kind))
		snprintf(label + used, sizeof(label) - (size_t)used, " (%llu)", (unsigned long long)cell->number);
	chart_name(at, label, strlen(label));
}

static double value_of(const struct table_rows *table, size_t row, size_t column)
{
	const struct cell *cell = cell_of(table, row, column);
	enum cell_kind kind = table->columns[column].kind;

	if (cell->absent || cell->unknown)
		return 0;
	return kind == CELL_SHARE || kind == CELL_REAL ? cell->real : (double)cell->number;
}

/* Return: the greatest value that the cell may have, as far as that is known. */
static double upper_of(const struct table_rows *table, size_t row, size_t column)
{
	const struct cell *cell = cell_of(table, row, column);

	if (cell->absent || cell->unknown || cell->about || !cell->least || !cell->bounded)
		return value_of(table, row, column);
	return table->columns[column].kind == CELL_SPAN ? (double)cell->upper : cell->upper_real;
}

/* Writes what is at the side of a bar: its value, the larger one, and what is uncertain.  Return: the length. */
static int bar_text(struct clock *clock, char *text, const struct table_rows *table, size_t row, const struct bars *bars)
{
	const struct cell *cell = cell_of(table, row, bars->value), *unsure = cell_of(table, row, bars->unsure);
	int used = table_cell_text(clock, text, cell, table->columns[bars->value].kind);

	if (bars->more && !cell->absent) {
		used += sprintf(text + used, ", longest ");
		used += table_cell_text(clock, text + used, cell_of(table, row, bars->more), table->columns[bars->more].kind);
	}
	if (!bars->unsure || !unsure->number)
		return used;
	used += sprintf(text + used, "%suncertain ", used ? ", " : "");
	used += table_cell_text(clock, text + used, unsure, table->columns[bars->unsure].kind);
	used += sprintf(text + used, ", longest ");
	return used + table_cell_text(clock, text + used, cell_of(table, row, bars->unsure_most),
				      table->columns[bars->unsure_most].kind);
}

static void draw_bar(const struct report *report, const struct table_rows *table, size_t row, const struct bars *bars, double most)
{
	const struct cell *cell = cell_of(table, row, bars->value);
	double scale = most > 0 ? CHART_WIDTH * 0.85 / most : 0, y = chart_row(row);
	double width = scale * value_of(table, row, bars->value), upper = scale * upper_of(table, row, bars->value);
	double more = bars->more ? scale * value_of(table, row, bars->more) : 0, end = upper > more ? upper : more;
	char text[4 * TABLE_CELL + 64];

	put_name(table, row, row, bars->id, bars->name);
	bar_text(&report->session->clock, text, table, row, bars);
	if (bars->more && !cell->absent)
		svg_rect("more", CHART_X, y + 2, more, CHART_LINE - 6, NULL);
	if (cell->unknown && !cell->absent)
		svg_rect("unknown", CHART_X, y + 2, end = 40, CHART_LINE - 6, NULL);
	else if (!cell->absent)
		svg_rect(bars->class ? bars->class(cell_of(table, row, 0)) : "process", CHART_X, y + 2, width, CHART_LINE - 6, NULL);
	/* The value lies somewhere in this part. */
	if (upper > width)
		svg_rect("unknown", CHART_X + width, y + 2, upper - width, CHART_LINE - 6, NULL);
	svg_note("note", CHART_X + end + 6, y + 13, "%s", text);
}

/* Nothing is drawn of a table that lacks rows.  Return: whether it does, after a complaint; then it is freed. */
static bool lacks_rows(struct table_rows *table)
{
	if (!table->failed)
		return false;
	table_free(table);
	chart_failed(false);
	return true;
}

static void end_chart(struct table_rows *table, size_t drawn)
{
	if (drawn < table->rows)
		svg_note("note", 16, 46, "the first %zu of %zu; the table has all", drawn, table->rows);
	table_free(table);
}

int chart_bars(struct report *report, struct table_rows *table, const struct bars *bars)
{
	size_t rows = table->rows < CHART_ROWS ? table->rows : CHART_ROWS, row;
	double most = 0, value;

	if (lacks_rows(table))
		return -ENOMEM;
	report->rows |= table->rows;
	for (row = 0; row < rows; row++) {
		value = upper_of(table, row, bars->value);
		most = value > most ? value : most;
		value = bars->more ? value_of(table, row, bars->more) : 0;
		most = value > most ? value : most;
	}
	chart_rows(rows, CHART_LINE);
	svg_begin(bars->title, CHART_X + CHART_WIDTH + 24, CHART_Y + (double)rows * CHART_LINE + 16);
	for (row = 0; row < rows; row++)
		draw_bar(report, table, row, bars, most);
	svg_line("axis", CHART_X, CHART_Y - 4, CHART_X, chart_row(rows));
	end_chart(table, rows);
	svg_end();
	return 0;
}

/* Return: the line of a row, which is that of the first row with its ID. @lines has the lines of the rows before it. */
static size_t line_of(const struct table_rows *table, size_t row, size_t id, const size_t *lines, size_t *count)
{
	size_t i;

	for (i = 0; i < row; i++)
		if (cell_of(table, i, id)->number == cell_of(table, row, id)->number)
			return lines[i];
	return (*count)++;
}

/* Adds to the tip for how long the process may have had a CPU in the stretch.  Return: whether it may. */
static bool tell_unknown(char *tip, size_t size, const struct table_rows *table, size_t row, const struct spans *spans)
{
	size_t used = strlen(tip);
	char span[32];

	if (!spans->unknown || !cell_of(table, row, spans->unknown)->number)
		return false;
	table_span(span, sizeof(span), cell_of(table, row, spans->unknown)->number);
	snprintf(tip + used, size - used, "; a loss lies in it: perhaps ran %s", span);
	return true;
}

/* Return: @text with a time by the clock of the report. */
static const char *when_text(const struct report *report, char text[TIME_TEXT], u64 time)
{
	struct clock *clock = &report->session->clock;

	if (clock->mode == TIME_WALL && clock->known)
		time_text(clock, text, time);
	else
		snprintf(text, TIME_TEXT, "%.9f s", (double)time / 1e9);
	return text;
}

static void draw_span(const struct report *report, const struct table_rows *table, size_t row, size_t line, const struct spans *spans)
{
	const struct cell *from = cell_of(table, row, spans->begin), *to = cell_of(table, row, spans->end);
	const struct cell *own = cell_of(table, row, spans->tip), *class = cell_of(table, row, spans->class);
	const struct cell *how = cell_of(table, row, spans->how);
	double x, width;
	char tip[SVG_TIP], begin[TIME_TEXT], end[TIME_TEXT], drawn[16] = "process";

	/* A stretch that began before, or goes on, reaches to the edge. */
	x = from->absent ? CHART_X : chart_x(from->number);
	width = (to->absent ? CHART_X + CHART_WIDTH : chart_x(to->number)) - x;
	if (spans->class)
		snprintf(drawn, sizeof(drawn), "%.*s", (int)class->length, class->text);
	if (spans->tip)
		snprintf(tip, sizeof(tip), "%s, %.*s", when_text(report, begin, from->number), (int)own->length, own->text);
	else if (!from->absent && !to->absent)
		snprintf(tip, sizeof(tip), "%s to %s", when_text(report, begin, from->number), when_text(report, end, to->number));
	else
		snprintf(tip, sizeof(tip), "%s", from->absent && to->absent ? "all the time" :
			 from->absent ? "since before" : "still there");
	if (spans->how && how->length)
		snprintf(tip + strlen(tip), sizeof(tip) - strlen(tip), ": %.*s", (int)how->length, how->text);
	if (tell_unknown(tip, sizeof(tip), table, row, spans) || (spans->unsure && spans->unsure(cell_of(table, row, 0))))
		snprintf(drawn, sizeof(drawn), "process partial");
	svg_rect(drawn, x, chart_row(line) + 2, width < 1 ? 1 : width, CHART_LINE - 6, tip);
}

int chart_spans(struct report *report, struct table_rows *table, const struct spans *spans)
{
	size_t lines[4096], count = 0, rows = 0, row;

	if (lacks_rows(table))
		return -ENOMEM;
	/* Finds the lines of the rows, until there are more than CHART_ROWS lines. */
	for (; rows < table->rows && rows < 4096; rows++) {
		lines[rows] = spans->apart ? count++ : line_of(table, rows, spans->id, lines, &count);
		if (count > CHART_ROWS) {
			count--;
			break;
		}
	}
	report->rows |= table->rows;
	chart_begin(report, spans->title, count, CHART_LINE);
	for (row = 0, count = 0; row < rows; row++) {
		if (lines[row] == count)
			put_name(table, row, count++, spans->id, spans->name);
		draw_span(report, table, row, lines[row], spans);
	}
	end_chart(table, rows);
	chart_end(spans->lost);
	return 0;
}
