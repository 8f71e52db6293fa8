// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rows in the format RowBinary: see row_binary.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "row_binary.h"

/* The bytes of a number, of its flag, and of the length of a text. */
#define NUMBER_BYTES 16

static int make_room(struct row_bytes *to, size_t size)
{
	size_t room = to->room ? to->room : 65536;
	u8 *bytes;

	if (to->room - to->size >= size)
		return 0;
	while (room - to->size < size)
		room *= 2;
	bytes = realloc(to->bytes, room);
	if (!bytes)
		return -ENOMEM;
	to->bytes = bytes;
	to->room = room;
	return 0;
}

/* Adds the lowest @size bytes of a number, the lowest first. */
static void add_number(struct row_bytes *to, u64 number, size_t size)
{
	for (; size; size--, number >>= 8)
		to->bytes[to->size++] = (u8)number;
}

static void add_text(struct row_bytes *to, const char *text, size_t length)
{
	size_t left = length;

	for (; left >= 0x80; left >>= 7)
		to->bytes[to->size++] = (u8)(left | 0x80);
	to->bytes[to->size++] = (u8)left;
	if (length)
		memcpy(to->bytes + to->size, text, length);
	to->size += length;
}

static bool is_text(const struct ship_column *column)
{
	return column->type <= SHIP_WORD;
}

/* Can the column hold the value? */
static bool fits(const struct ship_column *column, const struct bcoslog_value *value)
{
	static const u64 most[] = { [SHIP_U8] = UINT8_MAX, [SHIP_U32] = UINT32_MAX, [SHIP_U64] = INT64_MAX, [SHIP_DAY] = UINT16_MAX };

	if (is_text(column))
		return value->type == BCOSLOG_TEXT;
	if (value->type != BCOSLOG_INTEGER)
		return false;
	return column->type == SHIP_I64 || (value->integer >= 0 && (u64)value->integer <= most[column->type]);
}

static int add_value(struct row_bytes *to, const struct ship_column *column, const struct bcoslog_value *value)
{
	static const size_t sizes[] = { [SHIP_U8] = 1, [SHIP_U32] = 4, [SHIP_U64] = 8, [SHIP_I64] = 8, [SHIP_DAY] = 2 };
	static const struct bcoslog_value nothing = { .integer = 0 };
	bool there = fits(column, value);

	if (make_room(to, NUMBER_BYTES + (there && is_text(column) ? value->length : 0)))
		return -ENOMEM;
	if (column->nullable)
		to->bytes[to->size++] = !there;
	if (column->nullable && !there)
		return 0;
	if (!there)
		value = &nothing;
	if (is_text(column))
		add_text(to, value->text, there ? value->length : 0);
	else
		add_number(to, (u64)value->integer, sizes[column->type]);
	return 0;
}

int row_binary_add(struct row_bytes *to, const struct ship_table *table, const struct bcoslog_value *values)
{
	const struct ship_column *column;
	size_t before = to->size, i;

	for (i = 0; (column = ship_column(table, i)); i++)
		if (add_value(to, column, &values[i])) {
			to->size = before;
			return -ENOMEM;
		}
	to->rows++;
	return 0;
}
