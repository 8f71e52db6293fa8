/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Turns EventHeader events into entries. */
#ifndef EVENTHEADER_IMPORT_H
#define EVENTHEADER_IMPORT_H

#include "../log/log_writer.h"

#include "decode.h"

/* When and where an event happened, and the process that had the CPU; 0xFFFFFFFF: not known. */
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
