/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The begin and the end of a pass over a log. */
#ifndef BCOSLOG_OPEN_H
#define BCOSLOG_OPEN_H

#include "run.h"

/* Catches signals and opens the log; @flags are those of bcoslog_open().  Return: 0, or -1 after a complaint. */
int run_open(struct run *run, unsigned int flags);
/* Opens the log again, so that the pass ends with the entries of now.  Return: 0, or -1 after a complaint. */
int run_reopen(struct run *run);
/* Closes the log, which the handler of signals then no longer interrupts. */
void run_shut(struct run *run);
/* Complains about a failed call on the log.  Return: EXIT_ENVIRONMENT. */
int run_failed(struct run *run);

/* Complains of the files of a recording that are not read, or may lack their end. run_open() does so, too. */
void run_say_flaws(struct bcoslog *log, const char *path);

/* Has SIGINT and SIGTERM set run_signal, unless the caller of the program ignores them. run_open() calls this, too. */
void run_catch_signals(void);

#endif
