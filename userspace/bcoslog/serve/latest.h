/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Keeps the newest part of a log in memory. One thread adds entries, and others copy them.
 *
 * The part begins at a group of historical entries, so that it explains itself. When the part exceeds its limit, its
 * oldest entries are given up, up to another group. If there is no such group, all are given up, and the part goes on at
 * the next group.
 */
#ifndef BCOSLOG_SERVE_LATEST_H
#define BCOSLOG_SERVE_LATEST_H

#include "core/format/entry.h"

struct latest;

/* @limit: bytes of entries that are kept.  Return: NULL if there is no memory. */
struct latest *latest_new(size_t limit);
void latest_free(struct latest *latest);

/* Adds the next entries of the log.  Return: 0, or -ENOSPC if entries are left out up to the next group. */
int latest_add(struct latest *latest, const struct bcos_entry *first, const struct bcos_entry *end);

/* Notes the time of the newest entry of the log, ns since boot. */
void latest_reach(struct latest *latest, u64 time);
/* Notes that the log has ended. */
void latest_end(struct latest *latest);

/**
 * struct latest_part - a copy of entries
 * @bytes: whole entries, which the caller frees; NULL if there are none
 * @size: number of @bytes
 * @from: offset of @bytes in the log
 * @base: offset in the log of the oldest entry that is kept
 * @newest: time of the newest entry of the log, ns since boot; 0: none is known
 * @ended: the log has ended, and @bytes contain its last entry
 * @full: newer entries were left out, since there was no room
 */
struct latest_part {
	char *bytes;
	size_t size;
	u64 from, base, newest;
	bool ended, full;
};

/*
 * Copies about @size bytes of entries from the offset @from on, or from the oldest one if @from is not kept.
 * Return: 0 or -ENOMEM.
 */
int latest_copy(struct latest *latest, u64 from, size_t size, struct latest_part *part);

#endif
