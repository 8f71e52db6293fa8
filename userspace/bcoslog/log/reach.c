// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Settles times that depend on the log's end, such as the last hour, or 14:03 of its last day: see reach.h. */
#include "archive/recording.h"
#include "core/format/entry.h"

#include "bcoslog_archive.h"
#include "host/linux.h"
#include "reach.h"
#include "boots.h"
#include "options/session.h"
#include "source.h"
#include "run.h"
#include "complain/complain.h"

/* ---- where the log begins and ends ----------------------------------------------------------- */

/* Opens the log once more.  Return: NULL after a complaint. */
static struct bcoslog *open_again(const struct run *run)
{
	struct bcoslog_error error;
	struct bcoslog *log;
	int r;

	r = bcoslog_kind(run->log) == BCOSLOG_FILE ? bcoslog_open(&log, run->path, 0, &error) :
						     recorder_open_again(run->session, &log, run->log, run->path, 0, &error);
	if (!r)
		return log;
	complain("%s", error.text);
	return NULL;
}

/* Return: true with the next batch; false at the end. A recorder sends its log in parts. */
static bool read_batch(struct bcoslog *log, struct bcoslog_batch *batch)
{
	int r;

	do
		r = bcoslog_batch(log, batch);
	while (!r && bcoslog_wait(log, -1) > 0);
	return r > 0;
}

/* Reads the whole log to find its end, and the wall clock.  Return: 0, or -1 after a complaint. */
static int find_end(const struct run *run, struct reach *reach)
{
	struct bcoslog *log = open_again(run);
	const struct bcos_entry *entry;
	struct bcoslog_batch batch;
	bool begun = false;
	int r = 0;

	if (!log)
		return -1;
	/* Damage counts as the end here. The pass over the log complains about it. */
	while (!r && !run_signal && read_batch(log, &batch)) {
		bcoslog_each(entry, &batch) {
			if (entry->type & BCOS_TYPE_HISTORICAL)
				continue;
			if (!begun)
				reach->begin = entry->time;
			begun = true;
			reach->end = entry->time;
			if (entry->type == BCOS_GENERIC_PROCESS && !r)
				r = wall_learn(&run->session->clock, entry);
		}
	}
	bcoslog_close(log);
	return r ? -1 : 0;
}

/* A running log ends now. Its earlier statements of the wall clock are read if times of that clock are asked for. */
static int find_now(const struct run *run, struct reach *reach)
{
	int r = 0;

	reach->begin = 0;
	if (window_is_by_wall(&run->session->window))
		r = find_end(run, reach);
	reach->end = clock_now(CLOCK_BOOTTIME);
	if (!r && window_is_by_wall(&run->session->window))
		wall_now(&run->session->clock);
	return r;
}

/*
 * Takes begin, end and wall clock of a recording, and of the running log after it.
 * Return: 1, 0 if it has no entries that are not historical, or a negative errno after a complaint.
 */
static int find_recorded(const struct run *run, bool whole, struct reach *reach)
{
	struct clock *known = &run->session->clock;
	struct bcoslog_clock *clock = bcoslog_clock_new();
	const struct bcoslog_wall *reading;
	struct bcoslog_moments now;
	__u64 begin = 0, end = 0;
	int r = clock ? bcoslog_recording_clock(run->log, whole, clock, &begin, &end) : -ENOMEM;

	if (r < 0)
		complain("%s", clock ? bcoslog_error(run->log)->text : "no memory for what the wall clock showed");
	if (r <= 0) {
		bcoslog_clock_free(clock);
		return r;
	}
	reach->begin = begin;
	reach->end = end;
	wall_forget(known);
	reading = bcoslog_clock_at(clock, reach->end);
	if (!reading) {
		/* A clock without a reading would tell times of 1970. */
		bcoslog_clock_free(clock);
		return 1;
	}
	known->readings = clock;
	known->known = true;
	if (!run->session->joined)
		return 1;
	bcoslog_clock_find(clock, clock_now(CLOCK_REALTIME), reach->begin, reach->end, &now);
	reach->end = now.last > reach->end ? now.last : reach->end;
	return 1;
}

/* Return: -1, after a complaint. */
static int say_no_end(const struct run *run)
{
	bool day = window_is_by_wall(&run->session->window);

	complain("a %s has no meaning while standard input is read: save it to a file (bcoslog cat - > FILE), and name that",
		 day ? "time of a day that is not named" : "duration before the end");
	return -1;
}

/* Return: 1 if the reach is known, 0 if it is not, since the log is read only once; -1 after a complaint. */
static int find_reach(const struct run *run, struct reach *reach)
{
	enum bcoslog_kind kind = bcoslog_kind(run->log);
	int r;

	reach->follows = run->follow;
	if (kind == BCOSLOG_RECORDING)
		r = find_recorded(run, true, reach);
	else if (kind == BCOSLOG_DEVICE || kind == BCOSLOG_BPF || run->session->asked_recorder)
		r = find_now(run, reach);
	else if (strcmp(run->path, "-") && kind == BCOSLOG_FILE)
		r = find_end(run, reach);
	else if (!window_needs_end(&run->session->window))
		return 0;
	else
		return say_no_end(run);
	/* An empty recording has no times. */
	if (r < 0 || (!r && kind == BCOSLOG_RECORDING))
		return r < 0 ? -1 : 0;
	reach->clock = run->session->clock.known ? &run->session->clock : NULL;
	return 1;
}

/* ---- the pass --------------------------------------------------------------------------------- */

int run_settle_times(struct run *run)
{
	bool recorded = bcoslog_kind(run->log) == BCOSLOG_RECORDING;
	struct window *window = &run->session->window;
	struct clock *clock = &run->session->clock;
	struct bcoslog_window part;
	struct reach reach = { 0 };
	int r;

	if (boots_choose(&run->session->boots, run->log, run->path, run->follow))
		return -1;
	if (!window_is_asked(window))
		return 0;
	clock->needed |= window_is_by_wall(window);
	if (!recorded && !window_is_by_wall(window) && !window_needs_end(window))
		return 0;
	r = find_reach(run, &reach);
	if (r > 0)
		r = window_settle(window, clock, &reach, recorded);
	else
		return r;
	if (r || !recorded)
		return r;
	window_limits(window, &part);
	bcoslog_set_window(run->log, &part);
	if (find_recorded(run, false, &reach) < 0)
		return -1;
	reach.clock = clock->known ? clock : NULL;
	return window_settle_part(window, clock, &reach);
}

int run_check_window(const struct run *run)
{
	return window_check(&run->session->window, &run->session->clock, run->follow,
			    bcoslog_kind(run->log) != BCOSLOG_FILE);
}
