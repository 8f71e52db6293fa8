/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The 22 types of entries as events of the provider "bcos": what each is called and which fields it has. */
#ifndef EVENTHEADER_EVENTS_H
#define EVENTHEADER_EVENTS_H

#include "bcoslog.h"
#include "core/host/user.h"

#include "wire.h"

#define EVENTHEADER_PROVIDER "bcos"

/* The keyword is the class that records an entry (BCOS_CLASS_*), or one of these for what no class switches off. */
#define KEYWORD_LIVES		0x1000u		/* processes, devices, cores and CPUs begin and end */
#define KEYWORD_LOG		0x2000u		/* statements of the log about itself, and losses */
#define KEYWORD_HISTORICAL	0x4000u
#define KEYWORD_UNKNOWN		0x8000u		/* of a type that no specification defines */

/* Kinds of fields. All numbers are unsigned, and lie in an event as in the list. */
enum field_kind {
	FIELD_U8,
	FIELD_U16,
	FIELD_U32,
	FIELD_U64,
	FIELD_STRING,		/* u16 length, UTF-8 */
	FIELD_LIST,		/* u16 count, u32 each */
	FIELD_BINARY,		/* u16 length, bytes */
};

struct event_field {
	const char *name;
	u8 kind, format;
};

#define EVENT_FIELDS 4

/**
 * struct event_type - how entries of a type are written
 * @type: of the entry, which is the ID of the event
 * @keyword: 0: the entry's event ID says it
 * @live: it has an activity: what it is about begins or ends
 * @name: of the event
 * @subject: what the entry's source is called; the first field, of 32 bits
 * @fields: those after the subject, "precision" (32 bits) and "time" (64 bits)
 */
struct event_type {
	u16 type;
	u16 keyword;
	bool live;
	const char *name, *subject;
	struct event_field fields[EVENT_FIELDS];
};

#define EVENT_TYPES 22

extern const struct event_type event_types[EVENT_TYPES];

/* Entries of other types: the subject is "source", and all that follows the header is "data". */
extern const struct event_type event_unknown;

/* Returns the keyword of a generic event. */
u32 event_keyword(const struct bcos_entry *entry, u32 event_id);

/* Returns the level of a severity (5.3.2), and the lowest severity of a level. */
u8 event_level(u8 severity);
u8 event_severity(u8 level);

#endif
