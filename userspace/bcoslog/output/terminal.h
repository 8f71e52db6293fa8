/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Output to a terminal: a pager, colours, and historical entries as one line that counts them. */
#ifndef BCOSLOG_TERMINAL_H
#define BCOSLOG_TERMINAL_H

#include "bcoslog.h"
#include "output.h"

/*
 * Prepares the pager unless @follow, and finds out whether lines get @colours. A subcommand that shows a log calls this
 * before its first output.
 * Return: whether standard output is a terminal.
 */
bool terminal_begin(bool follow, bool *colours);
/* Waits after the last output until the user leaves the pager. */
void terminal_end(void);

/* These begin and end the colour in which an entry is shown. */
void colour_begin(const struct bcos_entry *entry);
void colour_end(const struct bcos_entry *entry);

/* Numbers of historical entries that are not shown. */
struct fold {
	u64 processes, devices;
};

/* fold_entry() counts a historical entry that tells something new. fold_end() prints the counts as a line, if any. */
void fold_entry(struct fold *fold, const struct bcos_entry *entry);
void fold_end(struct fold *fold, bool colours);

#endif
