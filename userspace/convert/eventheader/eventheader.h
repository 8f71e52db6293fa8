/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The format EventHeader, in which programs describe their own events in tracepoints of user_events.
 *
 * An event consists of a header of 8 bytes, extensions, and the payload, without padding between them. Each extension
 * is u16 size, u16 kind, and then @size bytes. The metadata extension names the event and describes the fields of the
 * payload. The activity extension has an ID of 16 bytes, or 32 bytes with the ID of the parent.
 */
#ifndef CONVERT_EVENTHEADER_EVENTHEADER_H
#define CONVERT_EVENTHEADER_EVENTHEADER_H

#include <stddef.h>
#include <stdint.h>

#include "bcoslog.h"
#include "core/format/entry.h"

/* The header: flags, version, u16 id, u16 tag, opcode, level. */
#define EVENTHEADER_SIZE	8

#define EVENTHEADER_POINTER64	0x01
#define EVENTHEADER_LITTLE	0x02
#define EVENTHEADER_EXTENSION	0x04

enum eventheader_opcode {
	EVENTHEADER_INFO = 0,
	EVENTHEADER_START = 1,
	EVENTHEADER_STOP = 2,
	EVENTHEADER_COLLECTION_START = 3,
	EVENTHEADER_COLLECTION_STOP = 4,
	EVENTHEADER_EXTENSION_OPCODE = 5,
	EVENTHEADER_REPLY = 6,
	EVENTHEADER_RESUME = 7,
	EVENTHEADER_SUSPEND = 8,
	EVENTHEADER_SEND = 9,
	EVENTHEADER_RECEIVE = 0xF0,
};

enum eventheader_level {
	EVENTHEADER_CRITICAL = 1,
	EVENTHEADER_ERROR = 2,
	EVENTHEADER_WARNING = 3,
	EVENTHEADER_INFORMATION = 4,
	EVENTHEADER_VERBOSE = 5,
};

#define EVENTHEADER_EXTENSION_SIZE	4
#define EVENTHEADER_KIND_METADATA	1
#define EVENTHEADER_KIND_ACTIVITY	2
#define EVENTHEADER_KIND_MORE		0x8000

/* The metadata of a field: "name\0", encoding, [format], [u16 tag], [u16 count]. */
enum eventheader_encoding {
	EVENTHEADER_STRUCT = 1,		/* the format is the number of fields in it */
	EVENTHEADER_VALUE8,
	EVENTHEADER_VALUE16,
	EVENTHEADER_VALUE32,
	EVENTHEADER_VALUE64,
	EVENTHEADER_VALUE128,
	EVENTHEADER_ZSTRING8,		/* a zero ends the string */
	EVENTHEADER_ZSTRING16,
	EVENTHEADER_ZSTRING32,
	EVENTHEADER_STRING8,		/* u16 length in characters, then the string */
	EVENTHEADER_STRING16,
	EVENTHEADER_STRING32,
	EVENTHEADER_BINARY,		/* u16 length, then bytes; a format of a number makes them that number, or nothing */
	EVENTHEADER_ENCODINGS
};

#define EVENTHEADER_ENCODING_MASK	0x1F
#define EVENTHEADER_CONSTANT_ARRAY	0x20	/* a u16 count is in the metadata */
#define EVENTHEADER_VARIABLE_ARRAY	0x40	/* a u16 count is in the payload */
#define EVENTHEADER_HAS_FORMAT		0x80

enum eventheader_format {
	EVENTHEADER_DEFAULT,
	EVENTHEADER_UNSIGNED,
	EVENTHEADER_SIGNED,
	EVENTHEADER_HEX,
	EVENTHEADER_ERRNO,
	EVENTHEADER_PID,
	EVENTHEADER_TIME,		/* seconds since 1970 */
	EVENTHEADER_BOOLEAN,
	EVENTHEADER_FLOAT,
	EVENTHEADER_HEX_BYTES,
	EVENTHEADER_LATIN,		/* 8-bit characters */
	EVENTHEADER_UTF,
	EVENTHEADER_UTF_BOM,		/* UTF, where a byte order mark may give the order */
	EVENTHEADER_XML,
	EVENTHEADER_JSON,
	EVENTHEADER_UUID,		/* big endian */
	EVENTHEADER_PORT,		/* big endian */
	EVENTHEADER_IP,			/* 4 or 16 bytes in network byte order */
	EVENTHEADER_IP_OLD,		/* the same; writers do not use it any more */
	EVENTHEADER_FORMATS
};

#define EVENTHEADER_FORMAT_MASK	0x7F
#define EVENTHEADER_HAS_TAG	0x80

/* A tracepoint's name is shorter than this. */
#define EVENTHEADER_NAME_MAX	256

/* The types of entries as events of the provider "bcos". */

#define EVENTHEADER_PROVIDER "bcos"

/*
 * The keyword of an event is the class that records its entry (BCOS_CLASS_*). These keywords are for entries that no
 * class switches off.
 */
#define KEYWORD_LIVES		0x1000u		/* beginnings and ends of processes, devices, cores and CPUs */
#define KEYWORD_LOG		0x2000u		/* statements of the log about itself, and losses */
#define KEYWORD_HISTORICAL	0x4000u
#define KEYWORD_UNKNOWN		0x8000u		/* entries of a type that no specification defines */

/*
 * An event has the type of its entry as its ID. Its fields are source, precision, time, and those of the type, with the
 * names and the order that core/format/entry.h gives them. A string, bytes and a list have a count of 16 bits before
 * them. The event of an entry of an undefined type is "Unknown" with the ID 0, and has the field "type" after the time.
 */

/* Returns the name of an event: that of the type without spaces, but "CPUEvent" of "Generic CPU". */
const char *event_name(const struct bcos_type *type);

/* Returns how viewers show a field: EVENTHEADER_DEFAULT, _UNSIGNED or _HEX. */
u8 event_format(const struct bcos_field *field);

/* Is an event about the life of its subject? Then it has an activity ID. */
static inline bool event_is_live(u16 type)
{
	return bcos_type_begins(type) || bcos_type_ends(type);
}

/* Returns the keyword of all events of a type; 0: it depends on the entry's event ID. */
u16 event_type_keyword(u16 type);

/* Returns the keyword of a generic event. */
u32 event_keyword(const struct bcos_entry *entry, u32 event_id);

/* Returns the level for a severity (specification, §5.3.2), and the lowest severity of a level. */
u8 event_level(u8 severity);
u8 event_severity(u8 level);

#endif
