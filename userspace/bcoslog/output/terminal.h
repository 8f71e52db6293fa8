/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The differences if standard output is a terminal: a pager, colours, and history in a line. */
#ifndef BCOSLOG_TERMINAL_H
#define BCOSLOG_TERMINAL_H

#include "bcoslog.h"
#include "output.h"

/* Lines are coloured. */
extern bool colours;

/* Before the first output of a command that shows a log; @follow: as it grows.  Return: is it a terminal? */
bool terminal_begin(bool follow);
/* After the last: wait until the pager is left. */
void terminal_end(void);

/* Text that is put between these is shown in the colour of the entry. */
void colour_begin(const struct bcos_entry *entry);
void colour_end(void);

/* History in a line: an entry that tells something new is counted, and what there was is told once it is over. */
void fold_entry(const struct bcos_entry *entry);
void fold_end(void);

#endif
