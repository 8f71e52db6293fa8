/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A mapping of the device. A reader copies entries from it without system calls. */
#ifndef BCOSLOG_MAPPING_H
#define BCOSLOG_MAPPING_H

#include "core/ring/cursor.h"

struct mapping {
	void *base;
	size_t size;
	struct bcos_ring ring;		/* only control, data and size are set */
	struct bcos_cursor cursor;
	u64 end;			/* position of the end of the log when it was mapped */
};

/* Map @fd, and flush the events before this call into the log.  Return: false if the caller has to read @fd instead. */
bool mapping_open(struct mapping *mapping, int fd);
void mapping_close(struct mapping *mapping);

/*
 * Copy the next whole entries before @mapping->end.
 * Return: the number of bytes; 0 at the end; -EMSGSIZE if @size is too small for the next entry.
 */
long mapping_read(struct mapping *mapping, void *to, size_t size);

#endif
