/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A part of a log that explains itself: the group and the names that the entries need which are kept. */
#ifndef BCOSLOG_KEEP_H
#define BCOSLOG_KEEP_H

#include "command.h"

struct keep;

/* @put takes each entry that is kept, and returns 0 or a negative errno.  Return: NULL if there is no memory. */
struct keep *keep_new(int (*put)(void *context, const struct bcos_entry *entry), void *context);
void keep_free(struct keep *keep);

/* The next entry of the log: is kept if it is asked for, or needed.  Return: 0, -ENOMEM, or what @put returned. */
int keep_entry(struct keep *keep, const struct bcos_entry *entry);

/*
 * Have a pass print the entries that are asked for: those that a filter keeps, or all of them. The caller frees
 * @run->context by keep_free(), unless it is NULL.  Return: 0 or, after a complaint, -1.
 */
int keep_run(struct run *run);

#endif
