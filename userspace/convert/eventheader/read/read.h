/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Decodes EventHeader events. The bytes may be anything, so nothing in them is trusted. */
#ifndef CONVERT_EVENTHEADER_READ_READ_H
#define CONVERT_EVENTHEADER_READ_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../log/log_writer.h"
#include "../eventheader.h"

/**
 * struct eventheader_name - the parts of a tracepoint's name
 * @provider: name of the provider, which no zero terminates
 * @provider_length: bytes of @provider
 * @level: level of its events, 1 to 255
 * @keyword: bits that the provider defines
 * @options: letters with values, such as "Ggroup", up to a zero
 */
struct eventheader_name {
	const char *provider;
	size_t provider_length;
	uint8_t level;
	uint64_t keyword;
	const char *options;
};

/**
 * eventheader_parse_name() - split the name "Provider_L%xK%lx[Options]"
 * @name: out: the parts; they point into @text
 * @text: the name of the tracepoint, without its system
 *
 * Return: false if @text is not the name of an EventHeader tracepoint.
 */
bool eventheader_parse_name(struct eventheader_name *name, const char *text);

/**
 * struct eventheader_event - an event whose header was decoded
 * @big_endian: the byte order of header, metadata and payload
 * @version: version of the event
 * @opcode: enum eventheader_opcode
 * @level: enum eventheader_level
 * @id: stable ID; 0: there is none
 * @tag: bits that the provider defines
 * @name: name of the event, without attributes; no zero terminates it; NULL if the event has no metadata
 * @name_length: bytes of @name
 * @nameless: the event has metadata, but no zero ends the name there
 * @fields: metadata of the fields
 * @fields_size: bytes at @fields
 * @activity: ID of the activity, 16 bytes, or NULL
 * @parent: ID of the parent activity, 16 bytes, or NULL
 * @payload: the bytes after the extensions
 * @payload_size: bytes at @payload
 *
 * All pointers point into the bytes of the event.
 */
struct eventheader_event {
	bool big_endian;
	uint8_t version, opcode, level;
	uint16_t id, tag;
	const char *name;
	size_t name_length;
	bool nameless;
	const uint8_t *fields;
	size_t fields_size;
	const uint8_t *activity, *parent;
	const uint8_t *payload;
	size_t payload_size;
};

/**
 * eventheader_parse() - decode the header and the extensions of an event
 * @event: out: the event
 * @bytes: the event, from its header on
 * @size: bytes at @bytes; more may follow the event
 *
 * Extensions of an unknown kind are skipped.
 *
 * Return: false if the header or an extension does not fit into @size.
 */
bool eventheader_parse(struct eventheader_event *event, const void *bytes, size_t size);

/**
 * eventheader_take_name() - take a name from metadata, up to its zero
 * @at: the beginning of the name
 * @end: the end of the metadata
 * @name: out: the name without attributes; no zero terminates it, and each semicolon in it is doubled
 * @length: out: bytes of @name
 *
 * Return: the place after the zero, or NULL if no zero follows.
 */
const uint8_t *eventheader_take_name(const uint8_t *at, const uint8_t *end, const char **name, size_t *length);

/**
 * struct eventheader_value - a value, or an element of an array
 * @name: name of the field, without attributes; no zero terminates it
 * @name_length: bytes of @name
 * @encoding: enum eventheader_encoding, without flags
 * @format: enum eventheader_format
 * @big_endian: byte order of the value
 * @bytes: the value, without its length or terminating zero
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

/* Reasons why a value cannot be given. */
enum eventheader_damage {
	EVENTHEADER_SHORT,	/* the payload ends before the value does */
	EVENTHEADER_INVALID, /* the description of the field is invalid, so the rest of the payload cannot be decoded */
	EVENTHEADER_TOO_DEEP,	/* more than EVENTHEADER_DEPTH structures are inside each other */
	EVENTHEADER_TOO_MUCH,	/* the event has more than EVENTHEADER_VALUES values */
};

/* At most this many structures may be inside each other. */
#define EVENTHEADER_DEPTH	8
/* At most this many values of an event are visited, since a few bytes may describe billions of them. */
#define EVENTHEADER_VALUES	65536

/**
 * struct eventheader_visitor - functions that get the values of an event, in order
 * @context: passed to the functions below
 * @value: called for each value; if an array is open, it is an element of that array
 * @open: called when a structure or an array begins; a structure that is an element has the name of its array
 * @close: called when the structure or array ends
 * @damage: called if the value of the field @name cannot be given
 *
 * @value and @open return false to end the visit.
 */
struct eventheader_visitor {
	void *context;
	bool (*value)(void *context, const struct eventheader_value *value);
	bool (*open)(void *context, const char *name, size_t length, bool array);
	void (*close)(void *context, bool array);
	void (*damage)(void *context, const char *name, size_t length, enum eventheader_damage what);
};

/**
 * eventheader_visit() - visit all values of an event
 * @event: the event, from eventheader_parse()
 * @visitor: gets the values
 *
 * Each structure and array that was opened is closed, even if the visit ends early.
 */
void eventheader_visit(const struct eventheader_event *event, const struct eventheader_visitor *visitor);

/**
 * eventheader_number() - get a value of 8 to 64 bits as a number
 * @value: the value
 * @number: out: the number, without sign extension
 *
 * Return: false if the value has another encoding.
 */
bool eventheader_number(const struct eventheader_value *value, uint64_t *number);

/**
 * eventheader_value_text() - write a value as text in UTF-8
 * @value: the value
 * @to: out: the text, which no zero terminates
 * @size: size of @to
 *
 * Text that does not fit is cut at the end of a character. Strings are not quoted.
 *
 * Return: bytes of the text.
 */
size_t eventheader_value_text(const struct eventheader_value *value, char *to, size_t size);

/* Is the value a string, which needs quotes among other values? */
bool eventheader_is_string(const struct eventheader_value *value);

/**
 * eventheader_text() - write an event as one line of text: its name, and all values with their nesting
 * @event: the event, from eventheader_parse()
 * @to: out: the text in UTF-8, which no zero terminates
 * @size: size of @to
 *
 * An example is: Name number=1 text="a" pair={x=1 y=2} list=[1, 2]. Attributes of a name follow it in parentheses. An
 * event without metadata is "event" with its ID, and its payload in hexadecimal digits. Control characters are escaped. A
 * text that does not fit ends with "...".
 *
 * Return: bytes of the text.
 */
size_t eventheader_text(const struct eventheader_event *event, char *to, size_t size);

/* Converts strings with units of 8, 16 or 32 bits to valid UTF-8. A unit that is no character becomes U+FFFD. */

enum utf_order { UTF_LITTLE, UTF_BIG };

/* Writes a character as UTF-8; a number that is no character becomes U+FFFD.  Return: bytes, 1 to 4. */
size_t utf8_put(char to[4], uint32_t character);

/*
 * Converts a string with units of @unit bytes: 1 is UTF-8, 2 is UTF-16, 4 is UTF-32.  Return: bytes written; the last
 * character is whole.
 */
size_t utf_clean(char *to, size_t size, const uint8_t *from, size_t length, size_t unit, enum utf_order order);

/* Converts a string whose units are each one character.  Return: as utf_clean(). */
size_t utf_latin(char *to, size_t size, const uint8_t *from, size_t length, size_t unit, enum utf_order order);

/* Skips a byte order mark, if there is one, and sets unit and order by it. */
void utf_take_mark(const uint8_t **from, size_t *length, size_t *unit, enum utf_order *order);

/* Turns EventHeader events into entries. */

/* When and where an event happened, and the process that had the CPU, as in a log; 0xFFFFFFFF: not known. */
struct eventheader_occasion {
	u64 time;
	u32 cpu, pid;
};

/**
 * eventheader_import() - turn an event into an entry
 * @log: the log_writer that gets the entry
 * @name: name of the tracepoint
 * @when: when and where the event happened
 * @bytes: the event, from its header on
 * @size: bytes at @bytes
 *
 * It becomes a generic event of the process, with the event's ID, a severity for its level, and all its fields as text.
 *
 * Return: 0; 1 if the event is damaged and left out; or a negative errno.
 */
int eventheader_import(struct log_writer *log, const struct eventheader_name *name,
		       const struct eventheader_occasion *when, const void *bytes, size_t size);

#endif
