/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The 22 types of entries as events of the provider "bcos": the name and the fields of each. */
#ifndef EVENTHEADER_EVENTS_H
#define EVENTHEADER_EVENTS_H

#include "bcoslog.h"
#include "core/host/user.h"

#include "wire.h"

#define EVENTHEADER_PROVIDER "bcos"

/*
 * The keyword of an event is the class that records its entry (BCOS_CLASS_*). These keywords are for entries that no
 * class switches off.
 */
#define KEYWORD_LIVES		0x1000u		/* beginnings and ends of processes, devices, cores and CPUs */
#define KEYWORD_LOG		0x2000u		/* statements of the log about itself, and losses */
#define KEYWORD_HISTORICAL	0x4000u
#define KEYWORD_UNKNOWN		0x8000u		/* entries of a type that no specification defines */

/* Kinds of fields. All numbers are unsigned. An event has the fields in the order of the list of its type. */
enum field_kind {
	FIELD_U8,
	FIELD_U16,
	FIELD_U32,
	FIELD_U64,
	FIELD_STRING,		/* u16 length, bytes in UTF-8 */
	FIELD_LIST,		/* u16 count, u32 for each element */
	FIELD_BINARY,		/* u16 length, bytes */
};

struct event_field {
	const char *name;
	u8 kind, format;
};

#define EVENT_FIELDS 4

/**
 * struct event_type - how entries of one type become events
 * @type: type of the entry, and ID of the event
 * @keyword: keyword of the event; 0: it depends on the entry's event ID
 * @live: the event has an activity ID, since its subject begins or ends
 * @name: name of the event
 * @subject: name of the first field, which is the entry's source and has 32 bits
 * @fields: the fields after the subject, "precision" (32 bits) and "time" (64 bits)
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

/* The type for all other entries: the subject is "source", and "data" has all bytes after the entry's header. */
extern const struct event_type event_unknown;

/* Returns the keyword of a generic event. */
u32 event_keyword(const struct bcos_entry *entry, u32 event_id);

/* Returns the level for a severity (specification, §5.3.2), and the lowest severity of a level. */
u8 event_level(u8 severity);
u8 event_severity(u8 level);

#endif
