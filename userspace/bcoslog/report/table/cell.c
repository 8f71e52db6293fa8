// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes cells of a table as text for people. A table can have millions of cells, so common kinds need no printf(). */
#include <stdlib.h>

#include "entry/text.h"
#include "output/times.h"
#include "table.h"

/* Writes a number in units of @unit ns or bytes, rounded to one digit after the point. */
static char *put_tenths(char *to, u64 value, u64 unit)
{
	u64 tenth = unit / 10, tenths = value / tenth + (value % tenth >= tenth / 2);

	to = decimal_put(to, tenths / 10);
	*to++ = '.';
	*to++ = (char)('0' + tenths % 10);
	return to;
}

static char *put_span(char *to, u64 ns)
{
	if (ns < 10000)
		return stpcpy(decimal_put(to, ns), " ns");
	if (ns < 10000000)
		return stpcpy(put_tenths(to, ns, 1000), " us");
	if (ns < 10000000000ull)
		return stpcpy(put_tenths(to, ns, 1000000), " ms");
	return stpcpy(put_tenths(to, ns, 1000000000), " s");
}

int table_span(char *text, size_t size, u64 ns)
{
	char span[DECIMAL_MAX + 8];

	put_span(span, ns);
	return snprintf(text, size, "%s", span);
}

static int bytes_text(char *text, size_t size, u64 bytes)
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double value = (double)bytes / 1024;
	size_t unit = 0;

	if (bytes < 10240)
		return snprintf(text, size, "%llu B", (unsigned long long)bytes);
	/* 2^64 bytes are 16 EiB. */
	for (; value >= 10240; unit++)
		value /= 1024;
	return snprintf(text, size, "%.1f %s", value, units[unit]);
}

/* Writes milliseconds with six digits after the point. */
static int since_text(char *text, size_t size, s64 ns)
{
	u64 distance = ns < 0 ? -(u64)ns : (u64)ns;

	return snprintf(text, size, "%s%llu.%06llu", ns < 0 ? "-" : "", (unsigned long long)(distance / 1000000),
			(unsigned long long)(distance % 1000000));
}

bool table_cell_id(const struct cell *cell, u64 *id)
{
	char text[24], *end;

	if (!cell->length || cell->length >= sizeof(text) || cell->text[0] < '0' || cell->text[0] > '9')
		return false;
	memcpy(text, cell->text, cell->length);
	text[cell->length] = '\0';
	*id = strtoull(text, &end, 0);
	return !*end;
}

/* Writes the value of a cell, without its bounds.  Return: the length of the text. */
static int value_text(struct clock *clock, char *text, const struct cell *cell, enum cell_kind kind)
{
	/* Three bytes are for the marks of a bound and of a rough value. */
	char *to = text, *end = text + TABLE_CELL - 3;

	*to = 0;
	switch (kind) {
	case CELL_COUNT:
	case CELL_NUMBER:
		to = decimal_put(to, cell->number);
		*to = 0;
		break;
	case CELL_HEX:
		to += snprintf(to, (size_t)(end - to), "0x%08llX", (unsigned long long)cell->number);
		break;
	case CELL_TIME:
		time_text(clock, to, cell->number);
		to += strlen(to);
		break;
	case CELL_SINCE:
		to += since_text(to, (size_t)(end - to), (s64)cell->number);
		break;
	case CELL_SPAN:
		to = put_span(to, cell->number);
		break;
	case CELL_SHARE:
		to += snprintf(to, (size_t)(end - to), "%.1f %%", cell->real * 100);
		break;
	case CELL_BYTES:
		to += bytes_text(to, (size_t)(end - to), cell->number);
		break;
	case CELL_REAL:
		/* The largest double has 309 digits. */
		to += snprintf(to, (size_t)(end - to), "%.3f", cell->real);
		if (cell->cores && to < end)
			to += snprintf(to, (size_t)(end - to), " + %u core%s unknown", cell->cores,
				       cell->cores == 1 ? "" : "s");
		break;
	default:
		break;
	}
	return (int)(to < end ? to - text : TABLE_CELL - 4);
}

/* Writes a span with its bounds, as "837.0 to 841.0 ms".  Return: the length of the text. */
static int width_text(char *text, const char *lower, const char *upper)
{
	const char *unit = strrchr(lower, ' ');
	size_t digits = unit && !strcmp(unit, strrchr(upper, ' ')) ? (size_t)(unit - lower) : strlen(lower);

	return snprintf(text, TABLE_CELL, "%.*s to %s", (int)digits, lower, upper);
}

int table_cell_text(struct clock *clock, char *text, const struct cell *cell, enum cell_kind kind)
{
	char lower[TABLE_CELL], upper[TABLE_CELL];
	struct cell most = *cell;
	bool bound = cell->least && !cell->about, most_only = cell->most && !cell->about;

	*text = 0;
	if (cell->absent)
		return 0;
	if (cell->unknown)
		return (int)(stpcpy(text, "?") - text);
	if (bound && cell->bounded) {
		if (kind == CELL_SPAN)
			most.number = cell->upper;
		else
			most.real = cell->upper_real;
		value_text(clock, lower, cell, kind);
		value_text(clock, upper, &most, kind);
		bound = strcmp(lower, upper);
		if (bound && kind == CELL_SPAN)
			return width_text(text, lower, upper);
	}
	if (bound || most_only)
		text = stpcpy(text, bound ? ">=" : "<=");
	if (cell->about)
		text = stpcpy(text, "~");
	return value_text(clock, text, cell, kind) + (bound || most_only ? 2 : 0) + cell->about;
}
