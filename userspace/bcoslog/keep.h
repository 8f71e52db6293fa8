/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A part of a log that explains itself: the group and the names that the entries need which are kept. */
#ifndef BCOSLOG_KEEP_H
#define BCOSLOG_KEEP_H

#include "command.h"

struct keep;

/* Return: NULL if there is no memory. */
struct keep *keep_new(void);
void keep_free(struct keep *keep);

/* The next entry of the log: goes to standard output if it is asked for, or needed.  Return: 0 or -ENOMEM. */
int keep_entry(struct keep *keep, const struct bcos_entry *entry);

#endif
