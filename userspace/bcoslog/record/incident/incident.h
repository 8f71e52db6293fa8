/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Incidents: parts of the log around an event, each of which is kept in a file of its own. */
#ifndef BCOSLOG_RECORD_INCIDENT_H
#define BCOSLOG_RECORD_INCIDENT_H

#include "log/run.h"
#include "record/recording.h"
#include "trigger.h"

struct run;

/**
 * struct incident_options - the options of incidents
 * @before: ns that are kept before the event
 * @after: ns that are kept after the event
 * @per_hour: the greatest number of files in an hour
 * @command: a command of the shell that gets the path of each file and its cause; or NULL
 */
struct incident_options {
	u64 before, after;
	u32 per_hour;
	const char *command;
};

struct incidents;

/*
 * @run has the log, which is opened a second time for each incident. @header and @this_machine are those of
 * recording_new().  Return: NULL after a complaint.
 */
struct incidents *incidents_new(const struct incident_options *options, struct store *store, const struct run *run,
				const struct archive_header *header, bool this_machine);
/* Frees @incidents, which may be NULL, without finishing the incident that is being kept. */
void incidents_free(struct incidents *incidents);

/*
 * Begins an incident with an event at @time, in ns since boot, or extends the one that is being kept.
 * Return: 0, or a negative errno after a complaint.
 */
int incidents_add(struct incidents *incidents, u64 time, const char *cause);
/*
 * Records the new entries of the incident that is being kept, and finishes it when it is complete, or if @end says that
 * no more entries come.  Return: 0, or a negative errno after a complaint.
 */
int incidents_work(struct incidents *incidents, bool end);

#endif
