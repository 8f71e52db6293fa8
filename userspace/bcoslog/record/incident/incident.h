/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parts of the log that are kept because something happened: so much before it and after it, in a file of its own. */
#ifndef BCOSLOG_RECORD_INCIDENT_H
#define BCOSLOG_RECORD_INCIDENT_H

#include "record/recording.h"
#include "trigger.h"

/**
 * struct incident_options - what is kept
 * @before: ns before what happened
 * @after: ns after it
 * @per_hour: so many files in an hour, at most
 * @command: run with the file, or NULL
 */
struct incident_options {
	u64 before, after;
	u32 per_hour;
	const char *command;
};

struct incidents;

/* @run: the log, which can be read a second time.  Return: NULL after a complaint. */
struct incidents *incidents_new(const struct incident_options *options, struct store *store, const struct run *run,
				const struct archive_header *header, bool this_machine);
void incidents_free(struct incidents *incidents);

/* Something happened at @time.  Return: 0, or a negative errno after a complaint. */
int incidents_add(struct incidents *incidents, u64 time, const char *cause);
/*
 * Read on in what is being kept.  @end: the log is at its end: nothing more comes.
 * Return: 0, or a negative errno after a complaint.
 */
int incidents_work(struct incidents *incidents, bool end);

#endif
