/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One entry of the log: its layout by type, whether bytes are a well-formed entry, and strings. */
#ifndef BCOS_CORE_ENTRY_H
#define BCOS_CORE_ENTRY_H

#include "host.h"

/* How what follows the header is laid out. */
enum bcos_layout {
	BCOS_LAYOUT_HEADER,	/* nothing follows */
	BCOS_LAYOUT_NAME,	/* name */
	BCOS_LAYOUT_STATUS,	/* u32 termination status */
	BCOS_LAYOUT_GENERIC,	/* u32 event ID, u8 severity, text */
	BCOS_LAYOUT_FUNCTIONS,	/* u32 list */
	BCOS_LAYOUT_CORE,	/* u16 idle power, u16 difference, u32 list */
	BCOS_LAYOUT_CORE_ID,	/* u32 core */
	BCOS_LAYOUT_PROCESS,	/* u32 process */
	BCOS_LAYOUT_DEVICE,	/* u32 driver process, name */
	BCOS_LAYOUT_BYTES,	/* u32 bytes */
	BCOS_LAYOUT_IRQ,	/* u32 IRQ number */
};

/**
 * struct bcos_type - an entry type of the specification
 * @type: as in the header
 * @layout: of what follows the header
 * @minimum: smallest size of a whole entry, in bytes
 * @fixed: the entry has exactly @minimum bytes, as we write it
 * @name: the specification's, without the words "Event" and "Type"
 */
struct bcos_type {
	u16 type;
	u8 layout;
	u8 minimum;
	bool fixed;
	const char *name;
};

#define BCOS_TYPES 22

/* All types, in the order of chapter 5. */
extern const struct bcos_type bcos_types[BCOS_TYPES];

/**
 * bcos_type_of() - look a type up
 * @type: as in the header
 *
 * Return: the description, or NULL for a type that the specification does not
 * define, which readers skip (chapter 2).  Any context.
 */
const struct bcos_type *bcos_type_of(u16 type);

enum bcos_malformed {
	BCOS_WELL_FORMED,
	BCOS_TRUNCATED,		/* the bytes end before the entry does */
	BCOS_BAD_SIZE,		/* below 20 */
	BCOS_BAD_LENGTH,	/* too small for the fields of its type */
	BCOS_BAD_TEXT,		/* a string that is not UTF-8 */
	BCOS_BAD_PADDING,	/* bytes other than zero after a string */
};

/* A generic event has its ID at least: a severity that is left out is 0. */
#define BCOS_GENERIC_MIN	24

/**
 * bcos_entry_check() - is this an entry that a reader has to take (chapters 4 and 5)
 * @bytes: its first byte; need not be aligned
 * @available: bytes that can be read, any number
 *
 * After BCOS_TRUNCATED, BCOS_BAD_SIZE the place of the next entry is unknown;
 * after the others it is @bytes + size.  A type that the specification does
 * not define is well-formed at any size.  Any context.
 *
 * Return: BCOS_WELL_FORMED or what is wrong first.
 */
enum bcos_malformed bcos_entry_check(const void *bytes, size_t available);

/* What the specification allows, but no entry of ours is. */
enum bcos_unusual {
	BCOS_USUAL,
	BCOS_ODD_SIZE,		/* not a multiple of 4, so that the next entry is not aligned */
	BCOS_SHORT,		/* a generic event without a severity */
	BCOS_LONG,		/* bytes behind the last field of its type */
	BCOS_MUCH_PADDING,	/* more than three zeros after a string */
	BCOS_EMPTY_NAME,
};

/**
 * bcos_entry_unusual() - does an entry differ from what we write
 * @entry: a well-formed entry
 *
 * Any context.
 *
 * Return: BCOS_USUAL or how it differs first.
 */
enum bcos_unusual bcos_entry_unusual(const struct bcos_entry *entry);

/**
 * bcos_event_id_valid() - may a generic event have this ID (5.3.1, 5.7.1, 5.11.1, 5.16.1)
 * @type: BCOS_GENERIC_*, or the subject alone
 * @id: event ID
 *
 * Of a process, any. Of a core, CPU or device 0 is standard, and those with
 * BCOS_EVENT_OWN are the writer's; the others are reserved.  Any context.
 */
static inline bool bcos_event_id_valid(u16 type, u32 id)
{
	return !(type & BCOS_TYPE_SUBJECT_MASK) || !id || id & BCOS_EVENT_OWN;
}

/**
 * bcos_entry_text() - the name or text of an entry (5.1.1, 5.3.3)
 * @entry: a well-formed entry
 * @length: out: bytes of the string, without padding
 *
 * Return: its first byte (not zero terminated), or NULL for a type without a
 * string.  Any context.
 */
const char *bcos_entry_text(const struct bcos_entry *entry, size_t *length);

/* Bytes of the padded string field for a string of @length bytes in an entry whose string starts at @offset. */
static inline size_t bcos_entry_size(size_t offset, size_t length)
{
	return (offset + length + 3) & ~(size_t)3;
}

/* Length of the valid character that @text, of @length bytes, begins with; 0: there is none. */
size_t bcos_utf8_character(const char *text, size_t length);

/**
 * bcos_utf8_valid() - is this UTF-8 (no overlong forms, surrogates, zero bytes)
 * @text: bytes
 * @length: how many
 *
 * Any context.
 */
bool bcos_utf8_valid(const char *text, size_t length);

/**
 * bcos_utf8_clean() - make valid UTF-8 of any bytes
 * @to: result, at most @size bytes, not terminated
 * @size: room
 * @from: bytes, up to the first zero
 * @length: how many at most
 *
 * Each byte that is not part of a valid character becomes U+FFFD; the result
 * is cut at a character's boundary.  Any context.
 *
 * Return: bytes written.
 */
size_t bcos_utf8_clean(char *to, size_t size, const char *from, size_t length);

/* The same, of a name, which is never empty: "?" is one that would be. */
size_t bcos_name_clean(char *to, size_t size, const char *from, size_t length);

#endif
