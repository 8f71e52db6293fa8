/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The types of entries as events of the provider "bcos". */
#ifndef EVENTHEADER_EVENTS_H
#define EVENTHEADER_EVENTS_H

#include "bcoslog.h"
#include "core/format/entry.h"

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
