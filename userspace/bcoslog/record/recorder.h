/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bcoslog record: its options and its state. */
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
	bool timed;			/* --interval was given */
	bool memory;			/* only triggers write files */
	struct triggers *triggers;
	struct store *store;
	struct recording *recording;	/* NULL: only triggers write files */
	struct incidents *incidents;	/* or NULL */
	u64 written;			/* time at which a part was written last */
	u64 end, stopped;		/* times at which it has to end, and was told to end; 0: not yet */
};

/* Callbacks of a run over the log: they get entries, and learn that the log goes on after damage. */
int record_entries(struct run *run, const struct bcoslog_batch *batch);
void record_resumed(struct run *run);

/* Records the log that is open.  Return: the exit status. */
int record_log(struct recorder *recorder, struct run *run);

#endif
