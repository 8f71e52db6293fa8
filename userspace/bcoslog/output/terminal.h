/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Output to a terminal: a pager, colours, and historical entries as one line that counts them. */
#ifndef BCOSLOG_TERMINAL_H
#define BCOSLOG_TERMINAL_H

#include "bcoslog.h"
#include "output.h"

/* Lines are coloured. */
extern bool colours;

/*
 * Prepares colours, and the pager unless @follow. A subcommand that shows a log calls this before its first output.
 * Return: whether standard output is a terminal.
 */
bool terminal_begin(bool follow);
/* Waits after the last output until the user leaves the pager. */
void terminal_end(void);

/* These begin and end the colour in which an entry is shown. */
void colour_begin(const struct bcos_entry *entry);
void colour_end(void);

/* fold_entry() counts a historical entry that tells something new. fold_end() prints the counts as a line, if any. */
void fold_entry(const struct bcos_entry *entry);
void fold_end(void);

#endif
