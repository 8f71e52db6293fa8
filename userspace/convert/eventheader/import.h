/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Turns EventHeader events into entries. */
#ifndef EVENTHEADER_IMPORT_H
#define EVENTHEADER_IMPORT_H

#include "../log/restored.h"

#include "decode.h"

/* When and where an event happened, and the process that had the CPU; 0xFFFFFFFF: not known. */
struct eventheader_occasion {
	u64 time;
	u32 cpu, pid;
};

/**
 * struct eventheader_origin - the log that events of bcoslog were made from
 * @state: the state of that log after the events so far
 * @missed: when its reader was last overtaken; 0: never
 * @start: time of its first entry that is not historical; ~0: there was none yet
 * @now: time of its newest entry that is not historical
 */
struct eventheader_origin {
	struct bcoslog_state *state;
	u64 missed, start, now;
};

/* Is this the name of a tracepoint from an export of bcoslog? */
bool eventheader_is_own(const struct eventheader_name *name);

/**
 * eventheader_import() - turn an event into an entry
 * @log: the log_writer that gets the entry
 * @origin: for events of bcoslog
 * @name: name of the tracepoint
 * @when: when and where the event happened
 * @bytes: the event, from its header on
 * @size: bytes at @bytes
 *
 * An event of bcoslog becomes an entry again. Any other event becomes a generic event of the process, with the event's
 * ID, a severity for its level, and all its fields as text.
 *
 * Return: 0; 1 if the event is damaged and left out; or a negative errno.
 */
int eventheader_import(struct log_writer *log, struct eventheader_origin *origin, const struct eventheader_name *name,
		       const struct eventheader_occasion *when, const void *bytes, size_t size);

#endif
