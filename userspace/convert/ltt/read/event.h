/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Decodes an event of an LTT trace by its description. */
#ifndef CONVERT_LTT_EVENT_H
#define CONVERT_LTT_EVENT_H

#include "facility.h"

/* How deep types may contain each other. */
#define LTT_DEPTH 32

/* Bytes from which values are taken one after the other. */
struct ltt_cursor {
	const u8 *at, *end;
	bool swap;		/* the bytes are in the other byte order */
};

/* Takes a number of 1, 2, 4 or 8 bytes. Returns false if there are too few bytes. */
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
 * @field: name of the innermost field around the value; "": there is none
 * @kind: LTT_KIND_INT, _UINT, _FLOAT, _STRING or _ENUM; or LTT_KIND_ARRAY: the elements of an array follow, up to
 *   array_end()
 * @number: value of an integer, sign extended, or of an enum; for an array the count of its elements
 * @real: value of a float
 * @single: the float has 32 bits
 * @format: of an integer: the format of printf() that its description gives, or ""
 * @text: text of a string, or label of an enum
 * @length: bytes of @text
 */
struct ltt_value {
	const char *field;
	enum ltt_kind kind;
	u64 number;
	double real;
	bool single;
	const char *format;
	const char *text;
	size_t length;
};

/**
 * struct ltt_visitor - functions that get the values of an event
 * @value: called for each value, in the order of the bytes
 * @array_end: called after the last element of the innermost array; or NULL
 */
struct ltt_visitor {
	void (*value)(void *context, const struct ltt_value *value);
	void (*array_end)(void *context);
};

/**
 * ltt_walk() - decode an event
 * @facilities: the descriptions of the trace
 * @event: the node of the event
 * @cursor: the fields; if the function returns true, @cursor is after them
 * @visitor: gets the values; or NULL
 * @context: passed to @visitor
 *
 * Return: false if the bytes do not fit the description; then it is unknown where the event ends.
 */
bool ltt_walk(const struct ltt_facilities *facilities, u32 event, struct ltt_cursor *cursor,
	      const struct ltt_visitor *visitor, void *context);

/**
 * ltt_describe() - write an event as text: "facility.event field=value field=value"
 * @facilities: the descriptions of the trace
 * @facility: the node of the event's facility
 * @event: the node of the event
 * @cursor: the fields, which ltt_walk() has accepted
 * @text: out: the text, which no zero terminates
 * @size: size of @text; a longer text is cut
 *
 * Return: length of the text.
 */
size_t ltt_describe(const struct ltt_facilities *facilities, u32 facility, u32 event, struct ltt_cursor cursor,
		    char *text, size_t size);

#endif
