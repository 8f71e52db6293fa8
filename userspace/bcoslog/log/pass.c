// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The loop over a log that the subcommands share. It handles the log's end, damage and closed pipes. */
#include "bcoslog_bpf.h"
#include "entry/gap.h"
#include "command.h"
#include "hold.h"
#include "reach.h"
#include "notes.h"
#include "open.h"
#include "options/filter.h"
#include "output/output.h"
#include "output/terminal.h"
#include "pass.h"
#include "program.h"
#include "run.h"
#include "reader/reader.h"
#include "complain/complain.h"

/* The number of damaged places that get a complaint each. A hostile log can have one every few bytes. */
#define DAMAGES_SAID 8

static void say_damage(const struct run *run, const struct bcoslog_error *error)
{
	const char *path = strcmp(run->path, "-") ? run->path : "standard input";
	unsigned long long offset = error->offset, lost = error->lost;

	switch (error->resumes) {
	case BCOSLOG_BEHIND:
		complain("%s is damaged at byte %llu (%s): %s: this entry is left out", path, offset, error->word,
			 error->text);
		break;
	case BCOSLOG_AT_GROUP:
		/* The group may be in another file. */
		if (bcoslog_kind(run->log) == BCOSLOG_RECORDING) {
			complain("%s is damaged at byte %llu (%s): %s: %llu bytes are left out, up to a group of historical "
				 "entries", path, offset, error->word, error->text, lost);
			break;
		}
		complain("%s is damaged at byte %llu (%s): %s: %llu bytes are left out, up to the group of historical "
			 "entries at byte %llu", path, offset, error->word, error->text, lost, offset + lost);
		break;
	default:
		complain("%s is damaged at byte %llu (%s): %s: the last %llu byte%s left out", path, offset,
			 error->word, error->text, lost, lost == 1 ? " is" : "s are");
		break;
	}
}

void run_note_damage(struct run *run, const struct bcoslog_error *error)
{
	run->damages++;
	run->lost += error->lost;
	if (run->damage) {
		run->damage(run, error);
	} else if (run->damages <= DAMAGES_SAID) {
		/* Entries before the damage are printed before the complaint, also on a terminal. */
		output_flush();
		say_damage(run, error);
	}
}

/* Tells of entries that are missing before the group at which the log goes on.  Return: as run->entries. */
static int tell_gap(struct run *run, const struct bcoslog_error *error)
{
	u32 notice[GAP_ENTRY / sizeof(u32)];
	struct bcoslog_batch batch = { .first = (const struct bcos_entry *)notice };

	if (!gap_put_damage(notice, run->last, error))
		return 0;
	batch.end = bcoslog_after(batch.first);
	return run->entries(run, &batch);
}

bool run_damaged(struct run *run)
{
	const struct bcoslog_error *error = bcoslog_error(run->log);

	/* Entries that are held back come from before the damage. */
	if (hold_end(run))
		return false;
	run_note_damage(run, error);
	if (run->resumed && error->resumes == BCOSLOG_AT_GROUP)
		run->resumed(run);
	if ((!run->resumed || run->states_gaps) && !run->damage && tell_gap(run, error))
		return false;
	return !bcoslog_skip(run->log);
}

void run_damage_end(struct run *run)
{
	if (run->damage || run->damages <= DAMAGES_SAID)
		return;
	output_flush();
	complain("%s is damaged at %llu places in all, where %llu bytes are left out",
		 strcmp(run->path, "-") ? run->path : "standard input", (unsigned long long)run->damages,
		 (unsigned long long)run->lost);
}

int run_step(struct run *run, int *status)
{
	const struct bcos_entry *entry;
	struct bcoslog_batch batch;
	int r;

	r = bcoslog_batch(run->log, &batch);
	if (r > 0) {
		if (unlikely(filter_narrows(&run->session->filter)))
			for (entry = batch.first; entry != batch.end; entry = bcoslog_after(entry))
				filter_meet(&run->session->filter, entry);
		if (!hold_entries(run, &batch))
			return 1;
		*status = EXIT_ENVIRONMENT;
		return -1;
	}
	if (!r)
		return 0;
	if (r != -EBADMSG) {
		*status = run_failed(run);
		return -1;
	}
	*status = EXIT_DAMAGE;
	return run_damaged(run) ? 1 : -1;
}

/*
 * Passes over the entries that are there now. @status becomes EXIT_DAMAGE at a damaged place.
 * Return: 0 at the end of the entries or of the program, -1 if the pass cannot go on, with the exit status in @status.
 */
static int drain_log(struct run *run, int *status)
{
	int r = 1;

	while (r > 0 && !run_ends())
		r = run_step(run, status);
	return r < 0 ? -1 : 0;
}

bool run_stop_recording(struct run *run)
{
	if (!run_signal || run_finishing || bcoslog_kind(run->log) != BCOSLOG_BPF || output.error)
		return false;
	/* If this fails, the read at the end of the log fails and explains it. */
	bcoslog_stop_bpf(run->log);
	run_finishing = true;
	return true;
}

int run_end(struct run *run, int status)
{
	if (status != EXIT_ENVIRONMENT && hold_end(run))
		status = EXIT_ENVIRONMENT;
	run_damage_end(run);
	if (status != EXIT_ENVIRONMENT && !run_signal && run_check_window(run))
		status = EXIT_ENVIRONMENT;
	/* A log that grows, or whose reading was ended, may have more yet. */
	if (!run->follow && !run_signal && !output.error && !run->beside && status != EXIT_ENVIRONMENT) {
		output_flush();
		run->absent = filter_absent(&run->session->filter, window_is_given(&run->session->window) ?
					    "the log of this time" : "the log");
	}
	return status;
}

int run_log(struct run *run)
{
	int status, r;

	status = run_record(run);
	if (status)
		return status;
	if (run_settle_times(run))
		return EXIT_ENVIRONMENT;
	for (;;) {
		if (drain_log(run, &status) || output_flush() || (run_signal && !run_finishing))
			break;
		r = bcoslog_wait(run->log, -1);
		if (r > 0)
			continue;
		if (r < 0 && r != -EINTR && r != -EPIPE)
			status = run_failed(run);
		break;
	}
	if (status == EXIT_OK && run_stop_recording(run))
		drain_log(run, &status);
	return run_end(run, status);
}

int run_close(struct run *run, int status)
{
	/* A signal is the usual end of a log that grows, and no failure. */
	bool live = run->follow || run_finishing || (run->log && bcoslog_kind(run->log) == BCOSLOG_STREAM);

	output_flush();
	batches_free(&run->held.batches);
	run_shut(run);
	terminal_end();
	notes_say(&run->notes);
	/* A closed pipe is the reader's way to say that it has enough. */
	if (output.error && output.error != EPIPE) {
		complain("standard output cannot be written: %s", strerror(output.error));
		return EXIT_ENVIRONMENT;
	}
	if (run->absent)
		return EXIT_ENVIRONMENT;
	/* A signal before the end of a log that does not grow left entries unread. */
	if (run_signal && !live && status == EXIT_OK)
		return 128 + run_signal;
	/* The exit status of a recorded command becomes that of this program. */
	return status == EXIT_OK ? run->exit_status : status;
}
