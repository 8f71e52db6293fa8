/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* EventHeader events from bytes that nobody vouches for. */
#ifndef EVENTHEADER_DECODE_H
#define EVENTHEADER_DECODE_H

#include <stdbool.h>

#include "wire.h"

/**
 * struct eventheader_name - what a tracepoint's name says
 * @provider: not zero terminated
 * @provider_length: of @provider
 * @level: 1 to 255
 * @keyword: bits that the provider defines
 */
struct eventheader_name {
	const char *provider;
	size_t provider_length;
	uint8_t level;
	uint64_t keyword;
};

/**
 * eventheader_parse_name() - take "Provider_L%xK%lx[Options]" apart
 * @name: out: points into @text
 * @text: the tracepoint's name, without its system
 *
 * Return: false if it is not the name of an EventHeader tracepoint.
 */
bool eventheader_parse_name(struct eventheader_name *name, const char *text);

/**
 * struct eventheader_event - an event, taken apart
 * @big_endian: the byte order of the header, the metadata and the payload
 * @version: of the event
 * @opcode: enum eventheader_opcode
 * @level: enum eventheader_level
 * @id: stable ID, 0 if there is none
 * @tag: of the provider
 * @name: of the event, without attributes; not zero terminated; NULL without metadata
 * @name_length: of @name
 * @fields: the metadata of the fields
 * @fields_size: bytes at @fields
 * @activity: 16 bytes, or NULL
 * @parent: 16 bytes, or NULL
 * @payload: follows the extensions
 * @payload_size: bytes at @payload
 *
 * It points into the bytes that it was parsed from.
 */
struct eventheader_event {
	bool big_endian;
	uint8_t version, opcode, level;
	uint16_t id, tag;
	const char *name;
	size_t name_length;
	const uint8_t *fields;
	size_t fields_size;
	const uint8_t *activity, *parent;
	const uint8_t *payload;
	size_t payload_size;
};

/**
 * eventheader_parse() - take the header and the extensions of an event apart
 * @event: out
 * @bytes: from the header on
 * @size: bytes at @bytes, at least those of the event
 *
 * Extensions of an unknown kind are skipped.
 *
 * Return: false if the header or an extension does not fit into @size.
 */
bool eventheader_parse(struct eventheader_event *event, const void *bytes, size_t size);

/**
 * eventheader_take_name() - a name in metadata, up to its zero
 * @at: where it begins
 * @end: of the metadata
 * @name: out: without attributes; not zero terminated; a semicolon is doubled
 * @length: out: of @name
 *
 * Return: after the zero; NULL if there is none.
 */
const uint8_t *eventheader_take_name(const uint8_t *at, const uint8_t *end, const char **name, size_t *length);

/**
 * struct eventheader_value - a value, or an element of an array
 * @name: of the field, without attributes; not zero terminated
 * @name_length: of @name
 * @encoding: enum eventheader_encoding, without flags
 * @format: enum eventheader_format
 * @big_endian: byte order
 * @bytes: of the value, without length and terminating zero
 * @size: bytes at @bytes
 */
struct eventheader_value {
	const char *name;
	size_t name_length;
	uint8_t encoding, format;
	bool big_endian;
	const uint8_t *bytes;
	size_t size;
};

/* Words in the place of a value. */
enum eventheader_damage {
	EVENTHEADER_SHORT,	/* the payload ends before it does */
	EVENTHEADER_INVALID,	/* its description is invalid; the payload cannot be followed any more */
	EVENTHEADER_TOO_DEEP,	/* structures inside each other, more than EVENTHEADER_DEPTH */
	EVENTHEADER_TOO_MUCH,	/* more values than EVENTHEADER_VALUES */
};

/* A structure can be in so many others. */
#define EVENTHEADER_DEPTH	8
/* So many values of an event are looked at: a few bytes may describe billions of them. */
#define EVENTHEADER_VALUES	65536

/**
 * struct eventheader_visitor - what hears of the values of an event, in order
 * @context: for the functions below
 * @value: a value; an element of the array if one is open
 * @open: a structure or an array begins; an element of an array that is a structure has the name of the array
 * @close: it ends
 * @damage: the value of this name cannot be given
 *
 * @value and @open return false to stop.
 */
struct eventheader_visitor {
	void *context;
	bool (*value)(void *context, const struct eventheader_value *value);
	bool (*open)(void *context, const char *name, size_t length, bool array);
	void (*close)(void *context, bool array);
	void (*damage)(void *context, const char *name, size_t length, enum eventheader_damage what);
};

/**
 * eventheader_visit() - all values of an event
 * @event: as eventheader_parse() gave it
 * @visitor: hears of them
 *
 * Whatever was opened is closed, also where the visitor stops or the event is damaged.
 */
void eventheader_visit(const struct eventheader_event *event, const struct eventheader_visitor *visitor);

/**
 * eventheader_number() - a value of 8 to 64 bits as a number
 * @value: the value
 * @number: out; without sign extension
 *
 * Return: false if it has another encoding.
 */
bool eventheader_number(const struct eventheader_value *value, uint64_t *number);

/**
 * eventheader_value_text() - a value as a person reads it, in UTF-8
 * @value: the value
 * @to: not zero terminated
 * @size: room at @to
 *
 * Text that does not fit is cut at the end of a character. Strings are not quoted.
 *
 * Return: bytes written.
 */
size_t eventheader_value_text(const struct eventheader_value *value, char *to, size_t size);

/* Is it a string, which has to be quoted among other values? */
bool eventheader_is_string(const struct eventheader_value *value);

/**
 * eventheader_text() - an event as a person reads it: name and values with all nesting, on one line
 * @event: as eventheader_parse() gave it
 * @to: UTF-8, not zero terminated
 * @size: room at @to
 *
 * As: Name number=1 text="a" pair={x=1 y=2} list=[1, 2]. Control characters are escaped; what does not fit ends with
 * "...".
 *
 * Return: bytes written.
 */
size_t eventheader_text(const struct eventheader_event *event, char *to, size_t size);

#endif
