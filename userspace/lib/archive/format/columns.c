// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Entries in columns: see columns.h. */
#include "columns.h"

#define VERSION 1

/* Bytes that the columns of the header take for each entry, and that the column of values takes for each value. */
#define HEADER BCOS_ENTRY_MIN
#define VALUE 4u

/* Offsets of the fields of an entry. */
enum { SIZE = 0, SOURCE = 4, TIME = 8, PRECISION = 16, REST = HEADER };

struct columns {
	u8 *kind, *source, *precision, *value, *upper;
	u8 *lower[4];
	u8 *rest, *end;
};

static u16 size_at(const u8 *at)
{
	u16 size;

	memcpy(&size, at, sizeof(size));
	return size;
}

static void lay_out(struct columns *columns, u8 *at, u32 entries, u32 values, size_t size)
{
	int i;

	columns->end = at + COLUMNS_HEAD + size;
	columns->kind = at + COLUMNS_HEAD;
	columns->source = columns->kind + 4 * (size_t)entries;
	columns->precision = columns->source + 4 * (size_t)entries;
	columns->value = columns->precision + 4 * (size_t)entries;
	columns->upper = columns->value + VALUE * (size_t)values;
	columns->lower[0] = columns->upper + 4 * (size_t)entries;
	for (i = 1; i < 4; i++)
		columns->lower[i] = columns->lower[i - 1] + entries;
	columns->rest = columns->lower[3] + entries;
}

/*
 * Count the entries in @left bytes at @at. *@values receives the number of entries that have a value.
 * Return: true if the bytes are whole consecutive entries.
 */
static bool count_entries(const u8 *at, size_t left, u32 *entries, u32 *values)
{
	size_t size;

	*entries = *values = 0;
	for (; left; at += size, left -= size) {
		if (left < HEADER)
			return false;
		size = size_at(at);
		if (size < HEADER || size > left)
			return false;
		++*entries;
		*values += size >= HEADER + VALUE;
	}
	return true;
}

static void put_columns(struct columns *columns, const u8 *at, u32 entries)
{
	u64 time, before = 0;
	size_t size, taken;
	u32 i, part;

	for (i = 0; i < entries; i++, at += size) {
		size = size_at(at);
		memcpy(columns->kind + 4 * (size_t)i, at + SIZE, 4);
		memcpy(columns->source + 4 * (size_t)i, at + SOURCE, 4);
		memcpy(columns->precision + 4 * (size_t)i, at + PRECISION, 4);
		memcpy(&time, at + TIME, sizeof(time));
		part = (u32)((time - before) >> 32);
		memcpy(columns->upper + 4 * (size_t)i, &part, 4);
		part = (u32)(time - before);
		before = time;
		columns->lower[0][i] = (u8)part;
		columns->lower[1][i] = (u8)(part >> 8);
		columns->lower[2][i] = (u8)(part >> 16);
		columns->lower[3][i] = (u8)(part >> 24);
		taken = REST;
		if (size >= HEADER + VALUE) {
			memcpy(columns->value, at + REST, VALUE);
			columns->value += VALUE;
			taken += VALUE;
		}
		memcpy(columns->rest, at + taken, size - taken);
		columns->rest += size - taken;
	}
}

bool columns_put(u8 *to, const void *entries, size_t size)
{
	u32 head[4] = { VERSION << 16 };
	struct columns columns;

	if (size > UINT32_MAX || !count_entries(entries, size, &head[1], &head[2]))
		return false;
	head[3] = (u32)size;
	memcpy(to, head, sizeof(head));
	lay_out(&columns, to, head[1], head[2], size);
	put_columns(&columns, entries, head[1]);
	return true;
}

bool columns_begin(const u8 *from, size_t size)
{
	return size >= COLUMNS_HEAD && !size_at(from);
}

/* Return: true if an entry of @size bytes fits into @room, and the rest of the columns has as many bytes. */
static bool columns_fit(const struct columns *columns, size_t size, size_t room)
{
	size_t taken = size >= HEADER + VALUE ? HEADER + VALUE : HEADER;

	return size >= HEADER && size <= room && (size_t)(columns->end - columns->rest) >= size - taken &&
	       (taken == HEADER || (size_t)(columns->upper - columns->value) >= VALUE);
}

/* Write @entries entries to @to.  Return: their size in bytes, or -EBADMSG. */
static long get_entries(u8 *to, size_t room, struct columns *columns, u32 entries)
{
	u64 time = 0;
	size_t size, taken;
	u32 i, upper;
	u8 *at = to;

	for (i = 0; i < entries; i++, at += size, room -= size) {
		size = size_at(columns->kind + 4 * (size_t)i);
		if (!columns_fit(columns, size, room))
			return -EBADMSG;
		memcpy(at + SIZE, columns->kind + 4 * (size_t)i, 4);
		memcpy(at + SOURCE, columns->source + 4 * (size_t)i, 4);
		memcpy(at + PRECISION, columns->precision + 4 * (size_t)i, 4);
		memcpy(&upper, columns->upper + 4 * (size_t)i, 4);
		time += (u64)upper << 32 | (u32)columns->lower[3][i] << 24 | (u32)columns->lower[2][i] << 16 |
			(u32)columns->lower[1][i] << 8 | columns->lower[0][i];
		memcpy(at + TIME, &time, sizeof(time));
		taken = REST;
		if (size >= HEADER + VALUE) {
			memcpy(at + REST, columns->value, VALUE);
			columns->value += VALUE;
			taken += VALUE;
		}
		memcpy(at + taken, columns->rest, size - taken);
		columns->rest += size - taken;
	}
	return at - to;
}

long columns_get(u8 *to, size_t room, const u8 *from, size_t size)
{
	struct columns columns;
	u32 head[4];
	long done;

	if (size < sizeof(head))
		return -EBADMSG;
	memcpy(head, from, sizeof(head));
	if (head[0] != VERSION << 16 || head[3] != size - COLUMNS_HEAD || head[3] > room || head[2] > head[1] ||
	    (u64)HEADER * head[1] + (u64)VALUE * head[2] > head[3])
		return -EBADMSG;
	/* The cast is safe, because nothing is written to these columns. */
	lay_out(&columns, (u8 *)(uintptr_t)from, head[1], head[2], head[3]);
	done = get_entries(to, room, &columns, head[1]);
	return done == (long)head[3] ? done : -EBADMSG;
}
