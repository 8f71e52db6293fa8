/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Writes a part of a log as a log that explains itself: the filter's entries, and before them the group and the names
 * that these entries need.
 */
#ifndef BCOSLOG_KEEP_H
#define BCOSLOG_KEEP_H

#include "run.h"

struct bcos_entry;
struct run;

struct keep;

/* @put gets each entry that is kept, and returns 0 or a negative errno.  Return: NULL if there is no memory. */
struct keep *keep_new(struct session *session, int (*put)(void *context, const struct bcos_entry *entry), void *context);
void keep_free(struct keep *keep);

/*
 * Takes the next entry of the log, and keeps it if the filter chooses it or other kept entries need it.
 * Return: 0, -ENOMEM, or a negative errno of @put.
 */
int keep_entry(struct keep *keep, const struct bcos_entry *entry);

/*
 * Sets the callbacks of @run so that the pass writes the entries that a filter keeps, or all entries if there is no
 * filter. The caller frees @run->context by keep_free(), unless it is NULL.  Return: 0, or -1 after a complaint.
 */
int keep_run(struct run *run);

#endif
