/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Prints the entries of a log, or those of the machines of a recorded directory together, in order of the wall clock. */
#ifndef BCOSLOG_RECORD_SIDE_BY_SIDE_H
#define BCOSLOG_RECORD_SIDE_BY_SIDE_H

#include "log/run.h"
#include "output/line.h"

/**
 * struct printer - what prints the entries of a log
 * @session: the session
 * @lines: the state of the log, and how entries are shown; printer_begin() sets it
 * @context: belongs to the callbacks
 * @before: gets each entry first, or NULL.  Return: 0 or -ENOMEM
 * @wants: Return: whether the entry is shown; @lines->state is from before the entry
 * @show: prints an entry that is wanted; @offset is that of the entry in the log.  Return: 0 or -ENOMEM
 * @beside: out: the log is that of one of several machines
 */
struct printer {
	struct session *session;
	struct lines *lines;
	void *context;
	int (*before)(struct printer *printer, const struct bcos_entry *entry);
	bool (*wants)(struct printer *printer, const struct bcos_entry *entry);
	int (*show)(struct printer *printer, const struct bcos_entry *entry, u64 offset);
	bool beside;
};

/* Has the pass print its entries by @printer.  Return: 0, or -1 after a complaint. */
int printer_begin(struct printer *printer, struct run *run);
/* Frees what printer_begin() made. */
void printer_end(struct printer *printer);

/*
 * If the recording that @run has opened has several machines of which none is chosen, reads all of them, and prints their
 * entries with the names of the machines.
 * Return: the exit status of the subcommand; or -1 if the subcommand passes over the log itself.
 */
int side_by_side(struct run *run, const struct printer *printer);

#endif
