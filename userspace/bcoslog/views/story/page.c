// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints a page of text for people: see page.h. */
#include "account/report.h"
#include "entry/text.h"
#include "output/output.h"
#include "output/times.h"
#include "page.h"

/* The width of the column of labels. */
#define LABEL_WIDTH 13

static size_t line_start;		/* the begin of the text in the output buffer */

void page_begin(const char *label)
{
	/* The buffer has room for the whole text, so it is not flushed before page_end(). */
	if (output.used > OUTPUT_SIZE - PAGE_ROOM - 2 * OUTPUT_ROOM)
		output_flush();
	if (*label) {
		put_literal("  ");
		put_left(label, strlen(label), LABEL_WIDTH - 2);
	} else {
		put_left("", 0, LABEL_WIDTH);
	}
	line_start = output.used;
}

/* Return: the bytes of @line that fit into @columns, up to the last space if there is one. */
static size_t fitting_length(const char *line, size_t length, size_t columns)
{
	size_t at, used = 0, space = 0;

	for (at = 0; at < length; at++) {
		if (utf8_is_inside(line[at]))
			continue;
		if (line[at] == ' ')
			space = at;
		if (used++ == columns)
			return space ? space : at;
	}
	return length;
}

void page_end(void)
{
	static char line[2 * PAGE_ROOM];
	size_t length = output.used - line_start, at = 0, n;

	if (length > sizeof(line))
		length = sizeof(line);
	memcpy(line, output.buffer + line_start, length);
	output.used = line_start;
	for (;;) {
		n = fitting_length(line + at, length - at, PAGE_WIDTH - LABEL_WIDTH);
		output_bytes(line + at, n);
		output_bytes("\n", 1);
		for (at += n; at < length && line[at] == ' '; at++)
			;
		if (at == length)
			return;
		output_room();
		put_left("", 0, LABEL_WIDTH);
	}
}

void page_time(struct clock *clock, u64 time)
{
	char text[TIME_TEXT];

	time_text(clock, text, time);
	put_string(text);
}

void page_moment(struct clock *clock, u64 time, u32 precision)
{
	char text[PRECISION_TEXT];

	page_time(clock, time);
	if (*precision_text(text, precision))
		page_format(" %s", text);
}

void page_span(u64 ns)
{
	char text[32];

	table_span(text, sizeof(text), ns);
	if (ns == SUM_MAX)
		put_literal(">=");
	put_string(text);
}

void page_quoted(const char *text, size_t length)
{
	put_quoted(text, utf8_fit(text, length, PAGE_TEXT));
	if (length > PAGE_TEXT)
		put_literal("...");
}

void page_process(u32 id, const char *name, size_t length)
{
	page_format("process %u", id);
	if (!name)
		return;
	put_char(' ');
	page_quoted(name, length);
}

void page_format(const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	put_string(text);
}
