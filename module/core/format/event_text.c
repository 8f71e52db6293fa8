// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parses the text that a program writes to the device: see event_text.h. */
#include "entry.h"
#include "event_text.h"

static int digit_of(char c, u32 base)
{
	int value = -1;

	if (c >= '0' && c <= '9')
		value = c - '0';
	else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
		value = (c | 0x20) - 'a' + 10;
	return value < (int)base ? value : -1;
}

/*
 * Parses a number. Returns the bytes read, or 0 if there is no number. A value of more than 32 bits
 * becomes 2^32.
 */
static size_t take_number(const char *from, size_t length, u64 *value)
{
	size_t at = 0, first;
	u32 base = 10;

	if (length > 2 && from[0] == '0' && (from[1] | 0x20) == 'x') {
		base = 16;
		at = 2;
	}
	*value = 0;
	for (first = at; at < length && digit_of(from[at], base) >= 0; at++) {
		*value = *value * base + (u32)digit_of(from[at], base);
		if (*value >> 32)
			*value = 1ull << 32;
	}
	return at > first ? at : 0;
}

/* Parses a prefix. Returns the bytes read, or 0 if there is no prefix. */
static size_t take_prefix(const char *from, size_t length, u64 *severity, u64 *id)
{
	size_t at = 1, more;

	if (!length || from[0] != '<')
		return 0;
	more = take_number(from + at, length - at, severity);
	at += more;
	if (!more || at == length)
		return 0;
	if (from[at] == ',') {
		at++;
		more = take_number(from + at, length - at, id);
		at += more;
		if (!more || at == length)
			return 0;
	}
	return from[at] == '>' ? at + 1 : 0;
}

int bcos_event_line_parse(const char *bytes, size_t length, struct bcos_event_line *line)
{
	u64 severity = BCOS_SEVERITY_INFO, id = 0;
	size_t skip = take_prefix(bytes, length, &severity, &id);

	if (!skip) {
		severity = BCOS_SEVERITY_INFO;
		id = 0;
	}
	if (severity > 0xFF || id >> 32)
		return -EINVAL;
	bytes += skip;
	length -= skip;
	if (length && bytes[length - 1] == '\n')
		length--;
	if (length > BCOS_RAW_TEXT)
		return -EMSGSIZE;
	if (!bcos_utf8_valid(bytes, length))
		return -EINVAL;
	line->text = bytes;
	line->length = length;
	line->event_id = (u32)id;
	line->severity = (u8)severity;
	return 0;
}
