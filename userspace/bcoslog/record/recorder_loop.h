/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options and the state of bcoslog record. */
#ifndef BCOSLOG_RECORDER_LOOP_H
#define BCOSLOG_RECORDER_LOOP_H

#include "record/incident/incident.h"
#include "recording.h"

/* What outlives a recorder of BPF programs. */
enum pin {
	PIN_UNSAID,
	PIN_NOTHING,
	PIN_MAPS,
	PIN_LINKS,
};

struct recorder {
	struct store_limits limits;
	struct incident_options incident;
	const char *directory;
	const char *part;		/* each log goes to files of its own that have this in their names; or NULL */
	enum pin pin;
	const char *pin_name;		/* of the folders for that; NULL: the default */
	const char *socket;		/* NULL: the default path; empty: no socket */
	u64 interval;			/* ns until entries are written at the latest */
	bool keeps;			/* --keep was given */
	bool timed;			/* --interval was given */
	bool former;			/* the log is that of the former boot of this machine */
	bool memory;			/* only triggers write files */
	struct triggers *triggers;
	struct store *store;
	struct recording *recording;	/* NULL: only triggers write files, or nothing does */
	struct incidents *incidents;	/* NULL: there are no triggers */
	struct quota_events *quotas;	/* NULL: quotas of control groups are not watched */
	u64 now;			/* time of the newest normal entry, if there are triggers */
	u64 written;			/* when entries were written last, ns since boot */
	/*
	 * Times in ns since boot: @end is when the recorder has to end, or 0 if only a signal ends it; @stopped is when
	 * it was told to end, or 0.
	 */
	u64 end, stopped;
};

/* The callbacks @entries and @resumed of struct run. */
int record_entries(struct run *run, const struct bcoslog_batch *batch);
void record_resumed(struct run *run);

/* What the writer of files asks of this program: see lib/archive/write/write.h. */
extern const struct store_caller record_caller;

/* Records the open log @run->log until it ends, or a signal comes.  Return: the exit status. */
int record_log(struct recorder *recorder, struct run *run);

#endif
