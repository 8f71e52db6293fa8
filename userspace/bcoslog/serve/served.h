/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Hands the entries of a log to the part that is kept of it (latest.h). Where the log's own groups are farther apart than
 * the memory for the part, it inserts groups that state the same, so that the part can begin at one at any time.
 */
#ifndef BCOSLOG_SERVE_SERVED_H
#define BCOSLOG_SERVE_SERVED_H

#include "bcoslog.h"
#include "latest.h"

struct served;

/* @latest: gets the entries; @limit: bytes that it keeps.  Return: NULL if there is no memory. */
struct served *served_new(struct latest *latest, size_t limit);
void served_free(struct served *served);

/* Hands on the next entries.  Return: 0, -ENOSPC if entries are left out up to the next group, or -ENOMEM. */
int served_add(struct served *served, const struct bcoslog_batch *batch);
/* The log goes on at a group after damage, and what was stated before does not hold any more. */
void served_forget(struct served *served);

#endif
