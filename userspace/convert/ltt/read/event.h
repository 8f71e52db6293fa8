/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Takes an event of an LTT trace apart, as its description says. */
#ifndef CONVERT_LTT_EVENT_H
#define CONVERT_LTT_EVENT_H

#include "facility.h"

/* Types within types. */
#define LTT_DEPTH 32

/* Bytes that are read one after the other. */
struct ltt_cursor {
	const u8 *at, *end;
	bool swap;		/* they are in the other byte order */
};

/* Takes a number of 1, 2, 4 or 8 bytes. Returns false if there are not so many. */
static inline bool ltt_take(struct ltt_cursor *cursor, u32 size, u64 *value)
{
	u16 two;
	u32 four;

	if ((size_t)(cursor->end - cursor->at) < size)
		return false;
	switch (size) {
	case 1:
		*value = *cursor->at;
		break;
	case 2:
		memcpy(&two, cursor->at, sizeof(two));
		*value = cursor->swap ? __builtin_bswap16(two) : two;
		break;
	case 4:
		memcpy(&four, cursor->at, sizeof(four));
		*value = cursor->swap ? __builtin_bswap32(four) : four;
		break;
	default:
		memcpy(value, cursor->at, sizeof(*value));
		if (cursor->swap)
			*value = __builtin_bswap64(*value);
		break;
	}
	cursor->at += size;
	return true;
}

/**
 * struct ltt_value - a number or a string of an event
 * @field: name of the innermost field that it is in, "" if it is in none
 * @kind: LTT_KIND_INT, _UINT, _FLOAT, _STRING or _ENUM; LTT_KIND_ARRAY: several values follow, up to the end of it
 * @number: of integers (sign extended) and enums; of an array how many elements
 * @real: of a float
 * @text: of a string; of an enum its label
 * @length: of @text
 */
struct ltt_value {
	const char *field;
	enum ltt_kind kind;
	u64 number;
	double real;
	const char *text;
	size_t length;
};

/**
 * struct ltt_visitor - who hears of the values of an event
 * @value: a value, in the order of the bytes
 * @array_end: no more of the innermost array follow; or NULL
 */
struct ltt_visitor {
	void (*value)(void *context, const struct ltt_value *value);
	void (*array_end)(void *context);
};

/**
 * ltt_walk() - take an event apart
 * @facilities: its description's
 * @event: its node
 * @cursor: the fields; after them when it returns true
 * @visitor: who hears of the values, or NULL
 * @context: for it
 *
 * Return: false if the bytes cannot be such an event; then nobody knows where it ends.
 */
bool ltt_walk(const struct ltt_facilities *facilities, u32 event, struct ltt_cursor *cursor,
	      const struct ltt_visitor *visitor, void *context);

/**
 * ltt_describe() - an event as text: "facility.event field=value field=value"
 * @facilities: its description's
 * @facility: its facility's node
 * @event: its node
 * @cursor: the fields, of an event that ltt_walk() has taken
 * @text: out: not zero terminated
 * @size: of @text; what is longer is cut
 *
 * Return: length of the text.
 */
size_t ltt_describe(const struct ltt_facilities *facilities, u32 facility, u32 event, struct ltt_cursor cursor,
		    char *text, size_t size);

#endif
