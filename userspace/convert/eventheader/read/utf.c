// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Converts strings of programs to valid UTF-8. */
#include "core/format/entry.h"

#include "../../bytes.h"
#include "read.h"

#define REPLACEMENT 0xFFFD

size_t utf8_put(char to[4], uint32_t character)
{
	if (character > 0x10FFFF || (character >= 0xD800 && character < 0xE000))
		character = REPLACEMENT;
	if (character < 0x80) {
		to[0] = (char)character;
		return 1;
	}
	if (character < 0x800) {
		to[0] = (char)(0xC0 | character >> 6);
		to[1] = (char)(0x80 | (character & 0x3F));
		return 2;
	}
	if (character < 0x10000) {
		to[0] = (char)(0xE0 | character >> 12);
		to[1] = (char)(0x80 | (character >> 6 & 0x3F));
		to[2] = (char)(0x80 | (character & 0x3F));
		return 3;
	}
	to[0] = (char)(0xF0 | character >> 18);
	to[1] = (char)(0x80 | (character >> 12 & 0x3F));
	to[2] = (char)(0x80 | (character >> 6 & 0x3F));
	to[3] = (char)(0x80 | (character & 0x3F));
	return 4;
}

static uint32_t unit_at(const uint8_t *at, size_t unit, enum utf_order order)
{
	return unit == 1 ? *at : unit == 2 ? get16(at, order == UTF_BIG) : get32(at, order == UTF_BIG);
}

/* Takes the character at @at.  Return: how many bytes it has. */
static size_t take_character(const uint8_t *at, size_t left, size_t unit, enum utf_order order, uint32_t *character)
{
	uint32_t low;

	*character = unit_at(at, unit, order);
	if (unit != 2 || *character < 0xD800 || *character >= 0xDC00 || left < 4)
		return unit;
	low = get16(at + 2, order == UTF_BIG);
	if (low < 0xDC00 || low >= 0xE000)
		return unit;
	*character = 0x10000 + ((*character - 0xD800) << 10) + (low - 0xDC00);
	return 4;
}

/* Copies UTF-8, and replaces bytes that are not valid. */
static size_t clean8(char *to, size_t size, const uint8_t *from, size_t length)
{
	size_t at = 0, put = 0, bytes;
	char other[4];

	while (at < length) {
		bytes = bcos_utf8_character((const char *)from + at, length - at);
		if (bytes ? put + bytes > size : put + 3 > size)
			break;
		if (bytes) {
			memcpy(to + put, from + at, bytes);
			at += bytes;
		} else {
			bytes = utf8_put(other, from[at] ? REPLACEMENT : 0);
			memcpy(to + put, other, bytes);
			at++;
		}
		put += bytes;
	}
	return put;
}

static size_t clean_wide(char *to, size_t size, const uint8_t *from, size_t length, size_t unit, enum utf_order order)
{
	uint32_t character;
	char utf8[4];
	size_t at = 0, put = 0, bytes;

	while (length - at >= unit) {
		at += take_character(from + at, length - at, unit, order, &character);
		bytes = utf8_put(utf8, character);
		if (put + bytes > size)
			break;
		memcpy(to + put, utf8, bytes);
		put += bytes;
	}
	return put;
}

size_t utf_clean(char *to, size_t size, const uint8_t *from, size_t length, size_t unit, enum utf_order order)
{
	return unit == 1 ? clean8(to, size, from, length) : clean_wide(to, size, from, length, unit, order);
}

size_t utf_latin(char *to, size_t size, const uint8_t *from, size_t length, size_t unit, enum utf_order order)
{
	char utf8[4];
	size_t at, put = 0, bytes;

	for (at = 0; length - at >= unit; at += unit) {
		bytes = utf8_put(utf8, unit_at(from + at, unit, order));
		if (put + bytes > size)
			break;
		memcpy(to + put, utf8, bytes);
		put += bytes;
	}
	return put;
}

void utf_take_mark(const uint8_t **from, size_t *length, size_t *unit, enum utf_order *order)
{
	static const struct {
		uint8_t bytes[4];
		uint8_t size, unit;
		enum utf_order order;
	} marks[] = {
		{ { 0xEF, 0xBB, 0xBF }, 3, 1, UTF_LITTLE },
		{ { 0xFF, 0xFE, 0, 0 }, 4, 4, UTF_LITTLE },
		{ { 0, 0, 0xFE, 0xFF }, 4, 4, UTF_BIG },
		{ { 0xFF, 0xFE }, 2, 2, UTF_LITTLE },
		{ { 0xFE, 0xFF }, 2, 2, UTF_BIG },
	};
	size_t i;

	for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		/* If units have 16 bits, the mark of 32 bits is taken for a mark of 16 bits and a zero. */
		if (*length < marks[i].size || memcmp(*from, marks[i].bytes, marks[i].size) ||
		    (*unit != 1 && *unit != marks[i].unit))
			continue;
		*from += marks[i].size;
		*length -= marks[i].size;
		*unit = marks[i].unit;
		*order = marks[i].order;
		return;
	}
}
