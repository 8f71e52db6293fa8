// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes a value as text. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "../bytes/bytes.h"
#include "decode.h"
#include "utf.h"

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
	double wide;
	float narrow;

	if (bytes == 4) {
		memcpy(&narrow, &half, sizeof(narrow));
		return print_value(to, size, "%.9g", (double)narrow);
	}
	memcpy(&wide, &number, sizeof(wide));
	return print_value(to, size, "%.17g", wide);
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

/* Writes a number. A format that does not fit the size of the value counts as the default, which is unsigned. */
static size_t number_text(const struct eventheader_value *value, uint64_t number, char *to, size_t size)
{
	size_t bytes = value->size;

	switch (value->format) {
	case EVENTHEADER_SIGNED:
		return print_value(to, size, "%" PRId64, extend_sign(number, bytes));
	case EVENTHEADER_HEX:
		return print_value(to, size, "0x%" PRIx64, number);
	case EVENTHEADER_ERRNO:
	case EVENTHEADER_PID:
		if (bytes == 4)
			return print_value(to, size, "%" PRId64, extend_sign(number, bytes));
		break;
	case EVENTHEADER_TIME:
		if (bytes >= 4)
			return print_seconds(extend_sign(number, bytes), to, size);
		break;
	case EVENTHEADER_BOOLEAN:
		if (bytes <= 4)
			return number > 1 ? print_value(to, size, "%" PRIu64, number) :
			       print_value(to, size, "%s", number ? "true" : "false");
		break;
	case EVENTHEADER_FLOAT:
		if (bytes >= 4)
			return print_floating(number, bytes, to, size);
		break;
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
		if (bytes == 2)
			return print_value(to, size, "%u", get16(value->bytes, true));
		break;
	case EVENTHEADER_IP:
		if (bytes == 4)
			return print_address(value, to, size);
		break;
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

static bool is_text_format(uint8_t format)
{
	return format >= EVENTHEADER_LATIN && format <= EVENTHEADER_JSON;
}

bool eventheader_is_string(const struct eventheader_value *value)
{
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

	if (value->format == EVENTHEADER_LATIN)
		return utf_latin(to, size, bytes, length, unit, order);
	if (value->format >= EVENTHEADER_UTF_BOM && value->format <= EVENTHEADER_JSON)
		utf_take_mark(&bytes, &length, &unit, &order);
	return utf_clean(to, size, bytes, length, unit, order);
}

size_t eventheader_value_text(const struct eventheader_value *value, char *to, size_t size)
{
	uint64_t number;

	if (eventheader_number(value, &number))
		return number_text(value, number, to, size);
	if (eventheader_is_string(value))
		return string_text(value, to, size);
	if (value->format == EVENTHEADER_UUID && value->size == 16)
		return print_uuid(value->bytes, to, size);
	if (value->format == EVENTHEADER_IP && (value->size == 16 || value->size == 4))
		return print_address(value, to, size);
	return hex_bytes(value, to, size);
}
