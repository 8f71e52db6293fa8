/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Entries of the log: the table of their types and fields, validation, and strings. */
#ifndef BCOS_CORE_ENTRY_H
#define BCOS_CORE_ENTRY_H

#include "core/host/host.h"

/*
 * The longest names in bytes. The name of a process has at most 15 bytes of comm, each of which may
 * become U+FFFD (3 bytes); 3 bytes are spare.
 */
#define BCOS_NAME_MAX		48
#define BCOS_DEVICE_NAME_MAX	96

/* What a field means. */
enum bcos_kind {
	BCOS_KIND_PROCESS,	/* ID of a process */
	BCOS_KIND_RUNNING,	/* ID of a process, or BCOS_PROCESS_IDLE */
	BCOS_KIND_CORE,		/* ID of a core */
	BCOS_KIND_CPU,		/* ID of a CPU */
	BCOS_KIND_DEVICE,	/* ID of a device */
	BCOS_KIND_TIME,		/* a moment, in ns since boot */
	BCOS_KIND_DURATION,	/* ns */
	BCOS_KIND_STATUS,	/* termination status, BCOS_STATUS_* */
	BCOS_KIND_EVENT,	/* event ID, BCOS_EVENT_* */
	BCOS_KIND_SEVERITY,	/* BCOS_SEVERITY_* */
	BCOS_KIND_FUNCTION,	/* number of a function of the kernel, BCOS_FUNCTION_* */
	BCOS_KIND_POWER,	/* units of 2 mW, 0xFFFF: that or more */
	BCOS_KIND_PERFORMANCE,	/* instructions in 125 us */
	BCOS_KIND_BYTES,
	BCOS_KIND_INTERRUPT,	/* number of an interrupt within its device */
	BCOS_KIND_NAME,		/* of a process or device */
	BCOS_KIND_TEXT,		/* of an event */
	BCOS_KIND_PAYLOAD,	/* of a type that the specification does not define */
	BCOS_KINDS
};

/* How many values a field has. Only the last field may be something other than a number. */
enum bcos_form {
	BCOS_FORM_NUMBER,	/* one number */
	BCOS_FORM_LIST,		/* any number of numbers */
	BCOS_FORM_STRING,	/* UTF-8, with zeros after it */
	BCOS_FORM_BYTES,	/* any bytes */
};

/**
 * struct bcos_field - a field of an entry
 * @name: in the words of the specification, lower case, with "_" between them
 * @unit: of a number that counts or measures something; otherwise NULL
 * @offset: from the first byte of the entry, in bytes
 * @width: bytes of a number, or of an element of a list; otherwise 1
 * @kind: enum bcos_kind
 * @form: enum bcos_form
 *
 * Numbers are unsigned and little-endian.
 */
struct bcos_field {
	const char *name;
	const char *unit;
	u8 offset;
	u8 width;
	u8 kind;
	u8 form;
};

/*
 * The fields that each entry has: the subject, whose name and kind are those of the subject of the
 * type, then time and precision.
 */
#define BCOS_COMMON_FIELDS 3
extern const struct bcos_field bcos_common[4][BCOS_COMMON_FIELDS];

/* Returns the fields that each entry of a type has; the first of them is its source. */
static inline const struct bcos_field *bcos_common_fields(u16 type)
{
	return bcos_common[(type & BCOS_TYPE_SUBJECT_MASK) >> 13];
}

/**
 * struct bcos_type - an entry type of the specification
 * @type: as in the header
 * @minimum: smallest size of a whole entry, in bytes
 * @fixed: this recorder writes the type with exactly @minimum bytes
 * @count: number of @fields
 * @name: as in the specification, without the words "Event" and "Type"
 * @fields: what follows the header, in the order of the offsets; core/format/fields.h has a walk
 *   that visits them and a builder that puts them
 */
struct bcos_type {
	u16 type;
	u8 minimum;
	bool fixed;
	u8 count;
	const char *name;
	const struct bcos_field *fields;
};

#define BCOS_TYPES 22

/* All types, in the order of chapter 5. */
extern const struct bcos_type bcos_types[BCOS_TYPES];

/* Stands for each type that the specification does not define: its field is all that follows. */
extern const struct bcos_type bcos_undefined;

/**
 * bcos_type_of() - look up a type (chapter 5)
 * @type: as in the header
 *
 * Context: any.
 * Return: the description, or NULL for a type that the specification does not define; readers skip
 *   such entries (chapter 2).
 */
const struct bcos_type *bcos_type_of(u16 type);

/*
 * Does the subject of an entry begin, or get another name? These are Set Process Name, Set Device
 * Name, Core Online, CPU Online, and the historical entries that state these.
 */
static inline bool bcos_type_begins(u16 type)
{
	return !(type & (u16)~(BCOS_TYPE_SUBJECT_MASK | BCOS_TYPE_HISTORICAL));
}

/*
 * Does the subject of an entry end? These are Cancel Process Name, Cancel Device Name, Core Offline
 * and CPU Offline.
 */
static inline bool bcos_type_ends(u16 type)
{
	return (type & (u16)~BCOS_TYPE_SUBJECT_MASK) == 1;
}

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

/* Returns the length of a string in a field of @room bytes: without the zeros at its end. */
size_t bcos_string_length(const char *text, size_t room);

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
