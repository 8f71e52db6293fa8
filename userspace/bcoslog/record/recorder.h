/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bcoslog record: what it is told, and what it is doing. */
#ifndef BCOSLOG_RECORD_RECORDER_H
#define BCOSLOG_RECORD_RECORDER_H

#include "record/incident/incident.h"
#include "recording.h"

struct recorder {
	struct store_limits limits;
	struct incident_options incident;
	const char *directory;
	const char *part;		/* each log is a part by itself, with this in its name; or NULL */
	const char *socket;		/* NULL: the usual one; empty: none */
	u64 interval;
	bool keeps;			/* --keep was given */
	bool timed;			/* --interval was */
	bool memory;			/* nothing is written but what triggers keep */
	struct triggers *triggers;
	struct store *store;
	struct recording *recording;	/* NULL: only what triggers keep is written */
	struct incidents *incidents;	/* or NULL */
	u64 written;			/* when a part was written last */
	u64 end, stopped;		/* when it is to end, and when it was told to; 0: not yet */
};

/* Callbacks of a run over the log: they get entries, and learn that the log goes on after damage. */
int record_entries(struct run *run, const struct bcoslog_batch *batch);
void record_forget(struct run *run);

/* Record the log that is open.  Return: the exit status. */
int record_log(struct recorder *recorder, struct run *run);

#endif
