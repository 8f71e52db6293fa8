// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints tables for programs: JSON, one object a line, or CSV. */
#include "log/run.h"
#include "output/object.h"
#include "output/output.h"
#include "output/times.h"
#include "table.h"

static void add_course(struct object *object, const char *key, const struct cell *cell)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < cell->number; i++)
		object->failed |=
			json_array_append_new(list, cell->course[i] < 0 ? json_null() : json_real(cell->course[i]));
	object_add(object, key, list);
}

/* Adds a list that says which values of a course are imprecise. */
static void add_imprecise(struct object *object, const char *key, const struct cell *cell)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < cell->number; i++)
		object->failed |= json_array_append_new(list, json_boolean(cell->imprecise >> i & 1));
	object_add(object, key, list);
}

/* Does the column need another one for times of the wall clock? */
static bool has_wall(const struct clock *clock, const struct column *column)
{
	return column->kind == CELL_TIME && clock->mode == TIME_WALL;
}

/* The kinds of bounds, and their words. */
enum bound { AT_LEAST, AT_MOST, ABOUT, BOUNDS };

static const char *const bound_words[BOUNDS] = { "at_least", "at_most", "about" };

static bool is_bound(const struct column *column, const struct cell *cell, enum bound bound)
{
	/* A text says itself how certain it is. */
	if (cell->absent || cell->unknown || cell_is_text(column->kind))
		return false;
	if (cell->about || bound == ABOUT)
		return cell->about && bound == ABOUT;
	return bound == AT_MOST ? cell->most : cell->least || (column->kind == CELL_REAL && cell->cores);
}

/* Is the greatest possible value known beside the least one? */
static bool has_upper(const struct cell *cell)
{
	return !cell->absent && !cell->unknown && !cell->about && cell->least && cell->bounded;
}

static void add_cell(struct object *object, struct clock *clock, const struct column *column, const struct cell *cell)
{
	enum bound bound;
	char key[64];
	u64 id;

	if (cell->absent || cell->unknown) {
		object_add(object, column->key, json_null());
		return;
	}
	switch (column->kind) {
	case CELL_ID:
		if (table_cell_id(cell, &id))
			object_number(object, column->key, id);
		else if (cell->length)
			object_text(object, column->key, cell->text, cell->length);
		else
			object_add(object, column->key, json_null());
		break;
	case CELL_TEXT:
		object_text(object, column->key, cell->text, cell->length);
		break;
	case CELL_COURSE:
		add_course(object, column->key, cell);
		if (!cell->imprecise)
			break;
		snprintf(key, sizeof(key), "%s_imprecise", column->key);
		add_imprecise(object, key, cell);
		break;
	case CELL_SHARE:
	case CELL_REAL:
		object_add(object, column->key, json_real(cell->real));
		break;
	case CELL_TIME:
		object_time(object, clock, column->key, cell->number);
		break;
	case CELL_SINCE:
		object_add(object, column->key, json_integer((json_int_t)cell->number));
		break;
	default:
		object_number(object, column->key, cell->number);
		break;
	}
	for (bound = 0; bound < BOUNDS; bound++) {
		if (!is_bound(column, cell, bound))
			continue;
		snprintf(key, sizeof(key), "%s_%s", column->key, bound_words[bound]);
		object_add(object, key, json_true());
	}
	if (!has_upper(cell))
		return;
	snprintf(key, sizeof(key), "%s_up_to", column->key);
	if (column->kind == CELL_SPAN)
		object_number(object, key, cell->upper);
	else
		object_add(object, key, json_real(cell->upper_real));
}

int table_put_json(const struct table_rows *table, struct clock *clock)
{
	struct object object;
	size_t row, i;

	for (row = 0; row < table->rows && !run_ends(); row++) {
		object = (struct object){ .json = json_object() };
		for (i = 0; i < table->width; i++)
			add_cell(&object, clock, &table->columns[i], &table->cells[row * table->width + i]);
		if (object_print(&object, "a row"))
			return -ENOMEM;
	}
	return 0;
}

/*
 * Would a spreadsheet take the text for a formula? It does so if the text begins with one of these characters, which some
 * spreadsheets also know in their wide forms, U+FF0B, U+FF0D, U+FF1D and U+FF20. An apostrophe counts, too, so that a
 * reader can take back the one that table_put_csv_text() puts before such a text.
 */
static bool is_formula(const char *text, size_t length)
{
	while (length && *text == ' ') {
		text++;
		length--;
	}
	if (!length)
		return false;
	if (memchr("=+-@'", *text, 5))
		return true;
	return length > 2 && !memcmp(text, "\xEF\xBC", 2) && memchr("\x8B\x8D\x9D\xA0", text[2], 4);
}

void table_put_csv_text(const char *text, size_t length)
{
	const char *end = text + length;
	char escape[ESCAPE_MAX];
	size_t size, escaped;

	output_bytes("\"'", is_formula(text, length) ? 2 : 1);
	while (text < end) {
		output_room();
		size = is_plain((u8)*text) ? 0 : escape_character(text, (size_t)(end - text), escape, &escaped);
		if (size)
			put_bytes(escape, escaped);
		else if (*text == '"')
			put_literal("\"\"");
		else
			put_char(*text);
		text += size ? size : 1;
	}
	output_bytes("\"", 1);
}

static void put_csv_course(const struct cell *cell)
{
	size_t i;

	for (i = 0; i < cell->number; i++) {
		output_format(cell->course[i] < 0 ? "%s?" : "%s%.4f", i ? " " : "", (double)cell->course[i]);
		if (cell->imprecise >> i & 1)
			output_bytes("~", 1);
	}
}

static void put_csv(const struct column *column, const struct cell *cell)
{
	u64 id;

	if (cell->absent || cell->unknown || (column->kind == CELL_ID && !cell->length))
		return;
	switch (column->kind) {
	case CELL_ID:
		if (table_cell_id(cell, &id)) {
			output_format("%llu", (unsigned long long)id);
			break;
		}
		/* fall through */
	case CELL_TEXT:
		table_put_csv_text(cell->text, cell->length);
		break;
	case CELL_COURSE:
		put_csv_course(cell);
		break;
	case CELL_SHARE:
	case CELL_REAL:
		output_format("%.9g", cell->real);
		break;
	case CELL_SINCE:
		output_format("%lld", (long long)cell->number);
		break;
	default:
		output_format("%llu", (unsigned long long)cell->number);
		break;
	}
}

static void put_csv_wall(struct clock *clock, const struct cell *cell)
{
	char text[WALL_TEXT];

	output_bytes(",", 1);
	if (!cell->absent && !cell->unknown)
		table_put_csv_text(text, wall_text(clock, text, cell->number));
}

static bool has_bounds(const struct table_rows *table, enum bound bound)
{
	size_t i;

	for (i = 0; i < table->rows * table->width; i++)
		if (is_bound(&table->columns[i % table->width], &table->cells[i], bound))
			return true;
	return false;
}

/* Puts a column with the keys of those cells of the row that are bounds of this kind. */
static void put_bounds(const struct table_rows *table, const struct cell *row, enum bound bound)
{
	bool any = false;
	size_t i;

	output_bytes(",\"", 2);
	for (i = 0; i < table->width; i++) {
		if (!is_bound(&table->columns[i], &row[i], bound))
			continue;
		output_format("%s%s", any ? " " : "", table->columns[i].key);
		any = true;
	}
	output_bytes("\"", 1);
}

/* Does the column need another one for greatest possible values? */
static bool needs_upper(const struct table_rows *table, size_t column)
{
	size_t row;

	for (row = 0; row < table->rows; row++)
		if (has_upper(&table->cells[row * table->width + column]))
			return true;
	return false;
}

static void put_upper(const struct column *column, const struct cell *cell)
{
	output_bytes(",", 1);
	if (!has_upper(cell))
		return;
	if (column->kind == CELL_SPAN)
		output_format("%llu", (unsigned long long)cell->upper);
	else
		output_format("%.9g", cell->upper_real);
}

void table_put_csv_head(const struct table_rows *table, struct clock *clock)
{
	enum bound bound;
	size_t i;

	for (i = 0; i < table->width; i++) {
		output_format("%s%s", i ? "," : "", table->columns[i].key);
		if (has_wall(clock, &table->columns[i]))
			output_format(",%s_wall", table->columns[i].key);
	}
	for (bound = 0; bound < BOUNDS; bound++)
		if (has_bounds(table, bound))
			output_format(",%s", bound_words[bound]);
	for (i = 0; i < table->width; i++)
		if (needs_upper(table, i))
			output_format(",%s_up_to", table->columns[i].key);
	output_bytes("\r\n", 2);
}

void table_put_csv_rows(const struct table_rows *table, struct clock *clock)
{
	bool bounds[BOUNDS], uppers[TABLE_COLUMNS];
	enum bound bound;
	size_t row, i;

	for (i = 0; i < table->width; i++)
		uppers[i] = needs_upper(table, i);
	for (bound = 0; bound < BOUNDS; bound++)
		bounds[bound] = has_bounds(table, bound);
	for (row = 0; row < table->rows && !run_ends(); row++) {
		for (i = 0; i < table->width; i++) {
			if (i)
				output_bytes(",", 1);
			put_csv(&table->columns[i], &table->cells[row * table->width + i]);
			if (has_wall(clock, &table->columns[i]))
				put_csv_wall(clock, &table->cells[row * table->width + i]);
		}
		for (bound = 0; bound < BOUNDS; bound++)
			if (bounds[bound])
				put_bounds(table, &table->cells[row * table->width], bound);
		for (i = 0; i < table->width; i++)
			if (uppers[i])
				put_upper(&table->columns[i], &table->cells[row * table->width + i]);
		output_bytes("\r\n", 2);
	}
}

void table_put_csv(const struct table_rows *table, struct clock *clock)
{
	table_put_csv_head(table, clock);
	table_put_csv_rows(table, clock);
}
