/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* EventHeader events become entries. */
#ifndef EVENTHEADER_IMPORT_H
#define EVENTHEADER_IMPORT_H

#include "../log/restored.h"

#include "decode.h"

/* When and where, and which process had the CPU; 0xFFFFFFFF: not known. */
struct eventheader_occasion {
	u64 time;
	u32 cpu, pid;
};

/**
 * struct eventheader_origin - the log that our own events were
 * @state: what they say so far
 * @start: time of the first one that is not historical; ~0: there was none
 * @now: time of the newest one that is not historical
 */
struct eventheader_origin {
	struct bcoslog_state *state;
	u64 start, now;
};

/* Is it a tracepoint that entries of a log are written as? */
bool eventheader_is_own(const struct eventheader_name *name);

/**
 * eventheader_import() - an event becomes an entry
 * @log: takes it
 * @origin: of our own events
 * @name: of the tracepoint
 * @when: it happened
 * @bytes: from the header on
 * @size: bytes at @bytes
 *
 * An event of our own provider becomes the entry that it was; another one a generic event of the process, with its ID,
 * the severity of its level, and all its fields as text.
 *
 * Return: 0; 1: it is damaged, and becomes nothing; or a negative errno.
 */
int eventheader_import(struct log_writer *log, struct eventheader_origin *origin, const struct eventheader_name *name,
		       const struct eventheader_occasion *when, const void *bytes, size_t size);

#endif
