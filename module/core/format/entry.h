/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Entries of the log: layout by type, validation, and strings. */
#ifndef BCOS_CORE_ENTRY_H
#define BCOS_CORE_ENTRY_H

#include "core/host/host.h"

/*
 * The longest names in bytes. The name of a process has at most 15 bytes of comm, each of which may
 * become U+FFFD (3 bytes); 3 bytes are spare.
 */
#define BCOS_NAME_MAX		48
#define BCOS_DEVICE_NAME_MAX	96

/* The layout of what follows the header. */
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
 * @layout: enum bcos_layout
 * @minimum: smallest size of a whole entry, in bytes
 * @fixed: this recorder writes the type with exactly @minimum bytes
 * @name: as in the specification, without the words "Event" and "Type"
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
 * bcos_type_of() - look up a type (chapter 5)
 * @type: as in the header
 *
 * Context: any.
 * Return: the description, or NULL for a type that the specification does not define; readers skip
 *   such entries (chapter 2).
 */
const struct bcos_type *bcos_type_of(u16 type);

enum bcos_malformed {
	BCOS_WELL_FORMED,
	BCOS_TRUNCATED,		/* the bytes end before the entry does */
	BCOS_BAD_SIZE,		/* below BCOS_ENTRY_MIN */
	BCOS_BAD_LENGTH,	/* too small for the fields of its type */
	BCOS_BAD_TEXT,		/* a string that is not UTF-8 */
	BCOS_BAD_PADDING,	/* bytes other than zero after a string */
};

/* The shortest generic event that readers accept. It has no severity, which then is 0. */
#define BCOS_GENERIC_MIN	24

/**
 * bcos_entry_check() - is this a well-formed entry (chapters 4 and 5)
 * @bytes: the first byte of the entry; need not be aligned
 * @available: readable bytes, any number
 *
 * After BCOS_TRUNCATED or BCOS_BAD_SIZE the place of the next entry is unknown. After any other
 * result the next entry is at @bytes + size. A type that the specification does not define is
 * well-formed at any size.
 *
 * Context: any.
 * Return: BCOS_WELL_FORMED, or the first thing that is wrong.
 */
enum bcos_malformed bcos_entry_check(const void *bytes, size_t available);

/* The specification allows these features of entries, but this recorder never writes them. */
enum bcos_unusual {
	BCOS_USUAL,
	BCOS_ODD_SIZE,		/* not a multiple of 4: the next entry is unaligned */
	BCOS_SHORT,		/* a generic event without a severity */
	BCOS_LONG,		/* bytes after the last field of its type */
	BCOS_MUCH_PADDING,	/* more than three zeros after a string */
	BCOS_EMPTY_NAME,
};

/**
 * bcos_entry_unusual() - does an entry differ from what this recorder writes
 * @entry: a well-formed entry
 *
 * Context: any.
 * Return: BCOS_USUAL, or the first difference.
 */
enum bcos_unusual bcos_entry_unusual(const struct bcos_entry *entry);

/**
 * bcos_event_id_valid() - may a generic event have this ID (5.3.1, 5.7.1, 5.11.1, 5.16.1)
 * @type: BCOS_GENERIC_*, or the subject alone
 * @id: event ID
 *
 * A process may use any ID. For a core, CPU or device, 0 is the standard ID, and this recorder
 * defines the IDs with BCOS_EVENT_OWN. All others are reserved.
 *
 * Context: any.
 * Return: true if the ID is allowed.
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
 * Context: any.
 * Return: the first byte of the string, which is not zero-terminated, or NULL for a type without a
 *   string.
 */
const char *bcos_entry_text(const struct bcos_entry *entry, size_t *length);

/*
 * Returns the size in bytes of an entry whose string starts at @offset and has @length bytes, with
 * padding.
 */
static inline size_t bcos_entry_size(size_t offset, size_t length)
{
	return (offset + length + 3) & ~(size_t)3;
}

/*
 * Returns the length in bytes of the valid character at the start of @text, or 0 if there is none.
 */
size_t bcos_utf8_character(const char *text, size_t length);

/**
 * bcos_utf8_valid() - is this UTF-8 without overlong forms, surrogates and zero bytes
 * @text: any bytes
 * @length: bytes of @text
 *
 * Context: any.
 * Return: true if all of it is valid.
 */
bool bcos_utf8_valid(const char *text, size_t length);

/**
 * bcos_utf8_clean() - make valid UTF-8 of any bytes
 * @to: result, at most @size bytes, not zero-terminated
 * @size: room at @to, in bytes
 * @from: any bytes; the first zero byte ends them
 * @length: maximum number of bytes at @from
 *
 * Each byte that is not part of a valid character becomes U+FFFD. The result ends at a character's
 * boundary.
 *
 * Context: any.
 * Return: bytes written.
 */
size_t bcos_utf8_clean(char *to, size_t size, const char *from, size_t length);

/* Like bcos_utf8_clean(), for a name: an empty name becomes "?". */
size_t bcos_name_clean(char *to, size_t size, const char *from, size_t length);

#endif
