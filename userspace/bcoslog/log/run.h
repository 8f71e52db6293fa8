/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A pass over a log: what it reads, and what ends it. */
#ifndef BCOSLOG_RUN_H
#define BCOSLOG_RUN_H

#include <signal.h>

#include "reader/reader.h"
#include "bcoslog.h"
#include "notes.h"
#include "options/session.h"
#include "output/output.h"

/**
 * struct run - a pass over a log
 * @session: what the options choose
 * @log: the open log; run_open() sets it
 * @path: the path of the log
 * @follow: wait for new entries at the end of the log
 * @newest: begin at the newest group of a log that grows, unless the arguments ask for the past
 * @command: a command and its arguments: the pass runs it and shows the log of that time; or NULL
 * @apart: the output is for programs, so the command's standard output goes to standard error
 * @beside: other passes show other machines, which may have what this log does not have
 * @whole_batches: out: a signal does not end the reading within a batch, whose rest would not be read again
 * @exit_status: out: the exit status of @command
 * @entries: called for each batch of entries, which it goes through by run_each().
 *           Return: 0, or a negative errno after a complaint
 * @damage: called for each damaged place, where run_damaged() would complain otherwise; or NULL
 * @resumed: called where the log goes on at a group after damage; NULL: @entries gets a notice that entries are missing, as
 *	where a recording has a gap, unless @damage is set
 * @states_gaps: @entries gets this notice after @resumed, too
 * @context: belongs to the callbacks
 * @absent: out: whether the filter chooses objects that the log does not have
 * @last: out: time of the last entry that is not historical, of a file or stream; 0 if there was none
 * @damages: out: number of damaged places
 * @lost: out: number of bytes that are left out at damaged places
 * @notes: losses and gaps that the log states
 * @held: entries before the log states the wall clock: see hold.h
 */
struct run {
	struct session *session;
	struct bcoslog *log;
	const char *path;
	bool follow, newest;
	char **command;
	bool apart, beside, whole_batches, states_gaps;
	int exit_status;
	int (*entries)(struct run *run, const struct bcoslog_batch *batch);
	void (*damage)(struct run *run, const struct bcoslog_error *error);
	void (*resumed)(struct run *run);
	void *context;
	enum filter_absence absent;
	u64 last, damages, lost;
	struct notes notes;
	struct {
		struct batches batches;
		bool this_boot;			/* the log states the boot ID of this boot */
		int error;			/* of do_without(), which has complained */
	} held;
};

/* The signal that told the program to end, or 0. */
extern volatile sig_atomic_t run_signal;
/* The signal has ended the recording only, and the program still shows the rest of the log. */
extern bool run_finishing;

/* Return: whether the pass ends, since a signal asks for it or the output cannot be written. */
static inline bool run_ends(void)
{
	return (run_signal && !run_finishing) || output.error;
}

/* Loops over the entries of a batch, and stops early if the program is to end. */
#define run_each(run, entry, batch) \
	for ((entry) = (batch)->first; (entry) != (batch)->end && likely((run)->whole_batches || !run_ends()); \
	     (entry) = bcoslog_after(entry))

#endif
