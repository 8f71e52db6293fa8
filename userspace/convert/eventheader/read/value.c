// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes a value as text. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "../../bytes.h"
#include "../../real.h"
#include "read.h"

/* Writes a formatted value, cut to @size bytes. */
static size_t print_value(char *to, size_t size, const char *format, ...)
{
	char text[64];
	va_list arguments;
	size_t length;

	va_start(arguments, format);
	length = (size_t)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	length = length < size ? length : size;
	memcpy(to, text, length);
	return length;
}

static size_t hex_bytes(const struct eventheader_value *value, char *to, size_t size)
{
	size_t i, length = 0;

	for (i = 0; i < value->size && length + 2 <= size; i++)
		length += print_value(to + length, size - length, "%02x", value->bytes[i]);
	return length;
}

static size_t print_uuid(const uint8_t *at, char *to, size_t size)
{
	return print_value(to, size, "%08" PRIx32 "-%04x-%04x-%04x-%08" PRIx32 "%04x", get32(at, true),
			   get16(at + 4, true), get16(at + 6, true), get16(at + 8, true), get32(at + 10, true),
			   get16(at + 14, true));
}

static size_t print_address(const struct eventheader_value *value, char *to, size_t size)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(value->size == 4 ? AF_INET : AF_INET6, value->bytes, text, sizeof(text));
	return print_value(to, size, "%s", text);
}

static size_t print_seconds(int64_t time, char *to, size_t size)
{
	time_t when = (time_t)time;
	struct tm utc;

	if (!gmtime_r(&when, &utc))
		return print_value(to, size, "%" PRId64, time);
	return print_value(to, size, "%d-%02d-%02dT%02d:%02d:%02dZ", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
			   utc.tm_hour, utc.tm_min, utc.tm_sec);
}

static int64_t extend_sign(uint64_t number, size_t bytes)
{
	unsigned int shift = 64 - 8 * (unsigned int)bytes;

	return (int64_t)(number << shift) >> shift;
}

static size_t print_floating(uint64_t number, size_t bytes, char *to, size_t size)
{
	uint32_t half = (uint32_t)number;
	char text[REAL_TEXT];
	double wide;
	float narrow;

	memcpy(&narrow, &half, sizeof(narrow));
	memcpy(&wide, &number, sizeof(wide));
	real_text(text, bytes == 4 ? (double)narrow : wide, bytes == 4);
	return print_value(to, size, "%s", text);
}

/* Writes a single character. */
static size_t one_character(uint64_t number, char *to, size_t size)
{
	char utf8[4];
	size_t length = utf8_put(utf8, (uint32_t)number);

	if (length > size)
		return 0;
	memcpy(to, utf8, length);
	return length;
}

/* The sizes of the values of a format, as a sum of sizes in bytes; 0: the format is that of a text, or of any bytes. */
static unsigned int sizes_of(uint8_t format)
{
	static const uint8_t sizes[EVENTHEADER_FORMATS] = {
		[EVENTHEADER_UNSIGNED] = 1 | 2 | 4 | 8, [EVENTHEADER_SIGNED] = 1 | 2 | 4 | 8,
		[EVENTHEADER_HEX] = 1 | 2 | 4 | 8, [EVENTHEADER_ERRNO] = 4, [EVENTHEADER_PID] = 4,
		[EVENTHEADER_TIME] = 4 | 8, [EVENTHEADER_BOOLEAN] = 1 | 2 | 4, [EVENTHEADER_FLOAT] = 4 | 8,
		[EVENTHEADER_UUID] = 16, [EVENTHEADER_PORT] = 2, [EVENTHEADER_IP] = 4 | 16, [EVENTHEADER_IP_OLD] = 4 | 16,
	};

	return format < EVENTHEADER_FORMATS ? sizes[format] : 0;
}

static bool is_size_of(uint8_t format, size_t size)
{
	return size && size <= 16 && !(size & (size - 1)) && sizes_of(format) & size;
}

/* Writes a number. A format that does not fit the size of the value counts as the default, which is unsigned. */
static size_t number_text(const struct eventheader_value *value, uint64_t number, char *to, size_t size)
{
	size_t bytes = value->size;
	uint8_t format = value->format;

	if (sizes_of(format) && !is_size_of(format, bytes))
		format = EVENTHEADER_DEFAULT;
	switch (format) {
	case EVENTHEADER_SIGNED:
		return print_value(to, size, "%" PRId64, extend_sign(number, bytes));
	case EVENTHEADER_HEX:
		return print_value(to, size, "0x%" PRIx64, number);
	case EVENTHEADER_ERRNO:
	case EVENTHEADER_PID:
		return print_value(to, size, "%" PRId64, extend_sign(number, bytes));
	case EVENTHEADER_TIME:
		return print_seconds(extend_sign(number, bytes), to, size);
	case EVENTHEADER_BOOLEAN:
		return number > 1 ? print_value(to, size, "%" PRIu64, number) :
		       print_value(to, size, "%s", number ? "true" : "false");
	case EVENTHEADER_FLOAT:
		return print_floating(number, bytes, to, size);
	case EVENTHEADER_HEX_BYTES:
		return hex_bytes(value, to, size);
	case EVENTHEADER_LATIN:
		if (bytes == 1)
			return one_character(number, to, size);
		break;
	case EVENTHEADER_UTF:
		if (bytes == 2 || bytes == 4)
			return one_character(number, to, size);
		break;
	case EVENTHEADER_PORT:
		return print_value(to, size, "%u", get16(value->bytes, true));
	case EVENTHEADER_IP:
	case EVENTHEADER_IP_OLD:
		return print_address(value, to, size);
	}
	return print_value(to, size, "%" PRIu64, number);
}

static size_t unit_of(uint8_t encoding)
{
	switch (encoding) {
	case EVENTHEADER_ZSTRING16:
	case EVENTHEADER_STRING16:
		return 2;
	case EVENTHEADER_ZSTRING32:
	case EVENTHEADER_STRING32:
		return 4;
	default:
		return 1;
	}
}

/*
 * Counted bytes may have the format of a number or of another value: then they are that value if they have its size, and
 * no value if there are none.
 */
static bool is_counted_value(const struct eventheader_value *value)
{
	return (value->encoding == EVENTHEADER_STRING8 || value->encoding == EVENTHEADER_BINARY) &&
	       sizes_of(value->format);
}

static bool is_text_format(uint8_t format)
{
	return format >= EVENTHEADER_LATIN && format <= EVENTHEADER_JSON;
}

bool eventheader_is_string(const struct eventheader_value *value)
{
	if (is_counted_value(value))
		return false;
	switch (value->encoding) {
	case EVENTHEADER_VALUE8:
		return value->format == EVENTHEADER_LATIN;
	case EVENTHEADER_VALUE16:
	case EVENTHEADER_VALUE32:
		return value->format == EVENTHEADER_UTF;
	case EVENTHEADER_BINARY:
		return is_text_format(value->format);
	case EVENTHEADER_STRUCT:
	case EVENTHEADER_VALUE64:
	case EVENTHEADER_VALUE128:
		return false;
	default:
		return value->format != EVENTHEADER_HEX_BYTES;
	}
}

static size_t string_text(const struct eventheader_value *value, char *to, size_t size)
{
	enum utf_order order = value->big_endian ? UTF_BIG : UTF_LITTLE;
	const uint8_t *bytes = value->bytes;
	size_t unit = unit_of(value->encoding), length = value->size;

	/* Wider characters are no Latin ones, whatever the format says. */
	if (value->format == EVENTHEADER_LATIN && unit == 1)
		return utf_latin(to, size, bytes, length, unit, order);
	if (value->format >= EVENTHEADER_UTF_BOM && value->format <= EVENTHEADER_JSON)
		utf_take_mark(&bytes, &length, &unit, &order);
	return utf_clean(to, size, bytes, length, unit, order);
}

static size_t wide_text(const struct eventheader_value *value, char *to, size_t size)
{
	if (is_size_of(value->format, value->size) && value->format == EVENTHEADER_UUID)
		return print_uuid(value->bytes, to, size);
	if (is_size_of(value->format, value->size))
		return print_address(value, to, size);
	return hex_bytes(value, to, size);
}

static size_t counted_text(const struct eventheader_value *value, char *to, size_t size)
{
	struct eventheader_value fixed = *value;
	uint64_t number;

	if (!value->size)
		return print_value(to, size, "null");
	if (!is_size_of(value->format, value->size))
		return hex_bytes(value, to, size);
	fixed.encoding = (uint8_t)(EVENTHEADER_VALUE8 + __builtin_ctzl(value->size));
	return eventheader_number(&fixed, &number) ? number_text(&fixed, number, to, size) : wide_text(&fixed, to, size);
}

size_t eventheader_value_text(const struct eventheader_value *value, char *to, size_t size)
{
	uint64_t number;

	if (eventheader_number(value, &number))
		return number_text(value, number, to, size);
	if (is_counted_value(value))
		return counted_text(value, to, size);
	return eventheader_is_string(value) ? string_text(value, to, size) : wide_text(value, to, size);
}
