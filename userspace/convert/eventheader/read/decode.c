// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Decodes the name of a tracepoint, and the header and the extensions of an event. */
#include "../../bytes.h"
#include "read.h"

/*
 * Takes lower-case hexadecimal digits. Returns the place after them, or NULL if there are none or more than 64 bits of
 * them.
 */
static const char *take_hexadecimal(const char *at, uint64_t *value)
{
	const char *begin = at;
	unsigned int digit;

	for (*value = 0;; at++) {
		if (*at >= '0' && *at <= '9')
			digit = (unsigned int)(*at - '0');
		else if (*at >= 'a' && *at <= 'f')
			digit = (unsigned int)(*at - 'a') + 10;
		else
			break;
		if (*value >> 60)
			return NULL;
		*value = *value << 4 | digit;
	}
	return at == begin ? NULL : at;
}

/* Finds the last "_L". The name of the provider may contain it, too. */
static const char *last_level(const char *text)
{
	const char *at, *last = NULL;

	for (at = strstr(text, "_L"); at; at = strstr(at + 1, "_L"))
		last = at;
	return last;
}

bool eventheader_parse_name(struct eventheader_name *name, const char *text)
{
	const char *at = last_level(text);
	uint64_t level;

	if (!at || at == text || strlen(text) >= EVENTHEADER_NAME_MAX)
		return false;
	name->provider = text;
	name->provider_length = (size_t)(at - text);
	at = take_hexadecimal(at + 2, &level);
	if (!at || !level || level > 255 || *at != 'K')
		return false;
	name->level = (uint8_t)level;
	at = take_hexadecimal(at + 1, &name->keyword);
	name->options = at;
	return at && (!*at || (*at >= 'A' && *at <= 'Z'));
}

const uint8_t *eventheader_take_name(const uint8_t *at, const uint8_t *end, const char **name, size_t *length)
{
	const uint8_t *zero = memchr(at, 0, (size_t)(end - at)), *mark;

	if (!zero)
		return NULL;
	*name = (const char *)at;
	mark = memchr(at, ';', (size_t)(zero - at));
	/* A doubled semicolon is part of the name; a single one begins the attributes. */
	while (mark && mark + 1 < zero && mark[1] == ';')
		mark = memchr(mark + 2, ';', (size_t)(zero - mark - 2));
	*length = (size_t)((mark ? mark : zero) - at);
	return zero + 1;
}

static void take_extension(struct eventheader_event *event, unsigned int kind, const uint8_t *at, size_t size)
{
	const uint8_t *fields;

	if (kind == EVENTHEADER_KIND_METADATA && !event->name) {
		fields = eventheader_take_name(at, at + size, &event->name, &event->name_length);
		event->fields = fields;
		event->fields_size = fields ? (size_t)(at + size - fields) : 0;
		event->nameless = !fields;
		if (!fields)
			event->name = NULL;
	} else if (kind == EVENTHEADER_KIND_ACTIVITY && !event->activity && (size == 16 || size == 32)) {
		event->activity = at;
		event->parent = size == 32 ? at + 16 : NULL;
	}
}

bool eventheader_parse(struct eventheader_event *event, const void *bytes, size_t size)
{
	const uint8_t *at = bytes, *end = at + size;
	unsigned int kind, length;
	bool more;

	memset(event, 0, sizeof(*event));
	if (size < EVENTHEADER_SIZE)
		return false;
	more = at[0] & EVENTHEADER_EXTENSION;
	event->big_endian = !(at[0] & EVENTHEADER_LITTLE);
	event->version = at[1];
	event->id = get16(at + 2, event->big_endian);
	event->tag = get16(at + 4, event->big_endian);
	event->opcode = at[6];
	event->level = at[7];
	for (at += EVENTHEADER_SIZE; more; at += length) {
		if (end - at < EVENTHEADER_EXTENSION_SIZE)
			return false;
		length = get16(at, event->big_endian);
		kind = get16(at + 2, event->big_endian);
		at += EVENTHEADER_EXTENSION_SIZE;
		if ((size_t)(end - at) < length)
			return false;
		more = kind & EVENTHEADER_KIND_MORE;
		take_extension(event, kind & ~EVENTHEADER_KIND_MORE, at, length);
	}
	event->payload = at;
	event->payload_size = (size_t)(end - at);
	return true;
}

bool eventheader_number(const struct eventheader_value *value, uint64_t *number)
{
	switch (value->encoding) {
	case EVENTHEADER_VALUE8:
		*number = value->bytes[0];
		return true;
	case EVENTHEADER_VALUE16:
		*number = get16(value->bytes, value->big_endian);
		return true;
	case EVENTHEADER_VALUE32:
		*number = get32(value->bytes, value->big_endian);
		return true;
	case EVENTHEADER_VALUE64:
		*number = get64(value->bytes, value->big_endian);
		return true;
	default:
		return false;
	}
}
