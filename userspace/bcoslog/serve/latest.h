/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The newest part of a log in memory: one thread adds entries, others copy them.
 *
 * It begins at a group of historical entries, so that it explains itself. When it outgrows its limit, it gives up its
 * oldest entries up to another group. If there is no such group, it takes no more entries, and says so.
 */
#ifndef BCOSLOG_SERVE_LATEST_H
#define BCOSLOG_SERVE_LATEST_H

#include "core/format/entry.h"

struct latest;

/* @limit: bytes of entries to keep at most. Returns NULL if there is no memory. */
struct latest *latest_new(size_t limit);
void latest_free(struct latest *latest);

/* Adds the next entries of the log. Returns 0, or -ENOSPC if there is no room for them, now and later. */
int latest_add(struct latest *latest, const struct bcos_entry *first, const struct bcos_entry *end);

/* The log has ended. */
void latest_end(struct latest *latest);

/**
 * struct latest_part - a copy of a part
 * @bytes: whole entries, which the caller frees; NULL if there are none
 * @size: of @bytes
 * @from: offset of the first byte in the log
 * @base: offset at which the part that is kept begins
 * @ended: nothing follows after these bytes, now or later
 * @full: entries were left out for want of room
 */
struct latest_part {
	char *bytes;
	size_t size;
	u64 from, base;
	bool ended, full;
};

/* Copies entries from the offset @from, or from the oldest if they are gone, up to about @size bytes. Returns 0 or -ENOMEM. */
int latest_copy(struct latest *latest, u64 from, size_t size, struct latest_part *part);

#endif
