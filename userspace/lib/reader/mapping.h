/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The device, mapped: reading without a system call for each part. */
#ifndef BCOSLOG_MAPPING_H
#define BCOSLOG_MAPPING_H

#include "core/ring/cursor.h"

struct mapping {
	void *base;
	size_t size;
	struct bcos_ring ring;		/* control, data and size alone */
	struct bcos_cursor cursor;
	u64 end;			/* offset at which the log ended when it was mapped */
};

/* Maps @fd and merges all that happened until now.  Return: false if it has to be read instead. */
bool mapping_open(struct mapping *mapping, int fd);
void mapping_close(struct mapping *mapping);

/* The next entries, whole, up to that end.  Return: bytes; 0 there; -EMSGSIZE if @size is not enough for one. */
long mapping_read(struct mapping *mapping, void *to, size_t size);

#endif
