// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Settles times that depend on the log's end, such as the last hour, or 14:03 of its last day: see log_end.h. */
#include "core/format/entry.h"

#include "bcoslog_archive.h"
#include "host/clock.h"
#include "log_end.h"
#include "options/boots.h"
#include "options/filter.h"
#include "options/moments.h"
#include "options/window.h"
#include "output/times.h"
#include "recorder.h"
#include "run.h"
#include "shared/complain.h"

/* ---- where the log begins and ends ----------------------------------------------------------- */

/* Does this moment need to know where the log ends? */
static bool needs_end(const struct moment *moment)
{
	return moment->kind == WHEN_BEFORE || moment->kind == WHEN_CLOCK;
}

static bool is_by_wall(const struct moment *moment)
{
	return moment->kind == WHEN_WALL || moment->kind == WHEN_CLOCK;
}

static bool any_moment(bool (*is)(const struct moment *moment))
{
	return is(&window_asked.since) || is(&window_asked.until) || is(&window_asked.moment);
}

/* Opens the log once more.  Return: NULL after a complaint. */
static struct bcoslog *open_again(const struct run *run)
{
	struct bcoslog_error error;
	struct bcoslog *log;
	int r;

	r = bcoslog_kind(run->log) == BCOSLOG_FILE ? bcoslog_open(&log, run->path, 0, &error) :
						     recorder_open_again(&log, run->log, run->path, &error);
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
				r = wall_learn(entry);
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
	if (any_moment(is_by_wall))
		r = find_end(run, reach);
	reach->end = clock_now(CLOCK_BOOTTIME);
	if (!r && any_moment(is_by_wall))
		wall_now();
	return r;
}

/*
 * Takes begin, end and wall clock of a recording, and of the running log after it.
 * Return: 1, 0 if it has no entries that are not historical, or a negative errno after a complaint.
 */
static int find_recorded(struct bcoslog *log, bool whole, struct reach *reach)
{
	struct bcoslog_clock *clock = bcoslog_clock_new();
	const struct bcoslog_wall *reading;
	struct bcoslog_moments now;
	__u64 begin = 0, end = 0;
	int r = clock ? bcoslog_recording_clock(log, whole, clock, &begin, &end) : -ENOMEM;

	if (r < 0)
		complain("%s", clock ? bcoslog_error(log)->text : "no memory for what the wall clock showed");
	if (r <= 0) {
		bcoslog_clock_free(clock);
		return r;
	}
	reach->begin = begin;
	reach->end = end;
	wall_forget();
	reading = bcoslog_clock_at(clock, reach->end);
	if (!reading) {
		/* A clock without a reading would tell times of 1970. */
		bcoslog_clock_free(clock);
		return 1;
	}
	wall_clock = clock;
	wall_known = true;
	if (!recorder_joined)
		return 1;
	bcoslog_clock_find(clock, clock_now(CLOCK_REALTIME), reach->begin, reach->end, &now);
	reach->end = now.last > reach->end ? now.last : reach->end;
	return 1;
}

/* Return: -1, after a complaint. */
static int say_no_end(void)
{
	bool day = any_moment(is_by_wall);

	complain("a %s has no meaning while standard input is read: save it to a file (bcoslog cat - > FILE), and name that",
		 day ? "time of a day that is not named" : "duration before the end");
	return -1;
}

/* Return: 1 if the reach is known, 0 if it is not, since the log is read only once; -1 after a complaint. */
static int find_reach(struct run *run, struct reach *reach)
{
	enum bcoslog_kind kind = bcoslog_kind(run->log);
	int r;

	reach->follows = run->follow;
	if (kind == BCOSLOG_RECORDING)
		r = find_recorded(run->log, true, reach);
	else if (kind == BCOSLOG_DEVICE || kind == BCOSLOG_BPF || recorder_asked)
		r = find_now(run, reach);
	else if (strcmp(run->path, "-") && kind == BCOSLOG_FILE)
		r = find_end(run, reach);
	else if (!any_moment(needs_end))
		return 0;
	else
		return say_no_end();
	/* An empty recording has no times. */
	if (r < 0 || (!r && kind == BCOSLOG_RECORDING))
		return r < 0 ? -1 : 0;
	reach->clock = wall_clock;
	return 1;
}

/* ---- the window, and the log ------------------------------------------------------------------ */

/* Writes a time as the user asked for times: by the wall clock, or since boot. */
static const char *reach_text(char *text, u64 time)
{
	moment_text(text, time, wall_known && (window_asked.by_wall || time_mode == TIME_WALL));
	return text;
}

/* Complains that a moment is outside of the log.  Return: -1. */
static int say_outside(const char *option, const struct moment *moment, const char *where, const struct reach *reach)
{
	char begin[TIME_TEXT], end[TIME_TEXT];

	reach_text(begin, reach->begin);
	reach_text(end, reach->end);
	if (!option)
		complain("the log has nothing around that time: it reaches from %s to %s", begin, end);
	else
		complain("%s %s is %s of the log: the log reaches from %s to %s", option, moment->text, where, begin, end);
	return -1;
}

static const char *since_name(void)
{
	return window_asked.last ? "--last" : "--since";
}

/* Return: 0, or -1 after a complaint if nothing that is asked for can be in the log. All moments are since boot. */
static int check_reach(const struct reach *reach)
{
	const struct moment *since = &window_asked.since, *until = &window_asked.until, *moment = &window_asked.moment;
	u64 span = window_asked.span;

	if (moment->kind == WHEN_BOOT && moment->text &&
	    ((moment->ns < reach->begin && reach->begin - moment->ns > span) ||
	     (moment->ns > reach->end && moment->ns - reach->end > span && !reach->follows)))
		return say_outside(NULL, moment, NULL, reach);
	if (since->kind == WHEN_BOOT && until->kind == WHEN_BOOT && since->ns > until->ns && since->text && until->text) {
		complain("%s %s is after --until %s: nothing lies between them", since_name(), since->text, until->text);
		return -1;
	}
	if (since->kind == WHEN_BOOT && since->text && since->ns > reach->end && !reach->follows)
		return say_outside(since_name(), since, "after the end", reach);
	if (until->kind == WHEN_BOOT && until->text && until->ns < reach->begin)
		return say_outside("--until", until, "before the begin", reach);
	return 0;
}

/* The reach that was found before the pass, if it was. */
static struct reach found;
static bool is_found;

/* The times in a log that comes only once were settled by the first statement of the wall clock. */
static int check_late(const struct moment *late, const struct moment *settled, bool ends, const char *option)
{
	struct reach reach = { .clock = wall_clock, .end = ~0ull };
	struct moment again = *late;

	if (late->kind == WHEN_NONE)
		return 0;
	moment_choose_time(&again, &reach, ends, NULL);
	if (again.ns == settled->ns)
		return 0;
	complain("the clock was set within the log, which shows only at its end when %s %s was: save the log to a file "
		 "(bcoslog cat - > FILE), and name that", option, late->text);
	return -1;
}

int run_check_window(const struct run *run)
{
	struct reach reach = { .begin = window_asked.first, .end = window_asked.newest, .follows = run->follow };
	char since[TIME_TEXT], until[TIME_TEXT];
	u64 from, to;

	if (is_found)
		reach = found;
	/* The beginning of what a running log still has is known now. */
	if (is_found && !found.begin)
		reach.begin = window_asked.first;
	if (!filter_has_times() || !window_asked.counted)
		return 0;
	filter_window(&from, &to);
	if (check_late(&window_asked.late_since, &window_asked.since, false, "--since") ||
	    check_late(&window_asked.late_until, &window_asked.until, true, "--until"))
		return -1;
	if (bcoslog_kind(run->log) != BCOSLOG_FILE && reach.end < clock_now(CLOCK_BOOTTIME) && !is_found)
		reach.follows = true;
	if (check_reach(&reach))
		return -1;
	reach_text(since, from > reach.begin ? from : reach.begin);
	reach_text(until, to && to < reach.end ? to : reach.end);
	if (window_asked.since.text && from < reach.begin && window_asked.inside)
		complain("the log begins at %s, later than %s %s: nothing is known of the time before", since, since_name(),
			 window_asked.since.text);
	if (!window_asked.inside && (window_asked.since.text || window_asked.until.text))
		complain("the log has no entries from %s to %s", since, until);
	return 0;
}

/* ---- the times that are asked for ------------------------------------------------------------- */

/* A duration before the end becomes a time of the wall clock where it may lie in another boot, else one since boot. */
static void settle_before(struct moment *moment, const struct reach *reach, bool recorded)
{
	u64 end = reach->end;

	if (moment->kind != WHEN_BEFORE)
		return;
	moment->kind = WHEN_BOOT;
	if (recorded && wall_known) {
		moment->kind = WHEN_WALL;
		end = wall_time(end);
	}
	moment->ns = moment->later = end > moment->ns ? end - moment->ns : 0;
}

/* Return: when a moment is, in ns since boot, if that is known; else 0. */
static u64 time_of(struct moment moment, const struct reach *reach)
{
	if (moment.kind == WHEN_WALL && reach->clock)
		moment_choose_time(&moment, reach, false, NULL);
	return moment.kind == WHEN_BOOT ? moment.ns : 0;
}

static void settle_days(const struct reach *reach)
{
	struct reach now = *reach;

	/* A log that does not state the wall clock is shown by this machine's, if it is of this boot. */
	if (!reach->clock) {
		wall_now();
		now.clock = wall_clock;
		reach = &now;
	}
	if (window_asked.since.kind == WHEN_CLOCK)
		moment_choose_day(&window_asked.since, reach, false, 0);
	if (window_asked.moment.kind == WHEN_CLOCK)
		moment_choose_day(&window_asked.moment, reach, false, 0);
	if (window_asked.until.kind == WHEN_CLOCK)
		moment_choose_day(&window_asked.until, reach, true, time_of(window_asked.since, reach));
}

/* Times of the wall clock become times since boot. @says: a note tells of several. */
static void settle_walls(const struct reach *reach, bool says)
{
	if (!reach->clock)
		return;
	if (window_asked.since.kind == WHEN_WALL)
		moment_choose_time(&window_asked.since, reach, false, says ? since_name() : NULL);
	if (window_asked.moment.kind == WHEN_WALL)
		moment_choose_time(&window_asked.moment, reach, false, says ? "this" : NULL);
	if (window_asked.until.kind == WHEN_WALL)
		moment_choose_time(&window_asked.until, reach, true, says ? "--until" : NULL);
}

static u32 kind_of(const struct moment *moment)
{
	return moment->kind == WHEN_NONE ? BCOSLOG_MOMENT_NONE :
	       moment->kind == WHEN_WALL ? BCOSLOG_MOMENT_WALL : BCOSLOG_MOMENT_BOOT;
}

/* Limits the reading of a recording to the window that is asked for. */
static void set_window(struct bcoslog *log)
{
	struct bcoslog_window part = {
		.size = sizeof(part),
		.since = kind_of(&window_asked.since), .since_ns = window_asked.since.ns,
		.until = kind_of(&window_asked.until), .until_ns = window_asked.until.ns };

	if (window_asked.near && !part.since) {
		part.since = kind_of(&window_asked.moment);
		part.since_ns = window_asked.moment.ns > window_asked.near ?
				window_asked.moment.ns - window_asked.near : 0;
	}
	if (window_asked.near && !part.until) {
		part.until = kind_of(&window_asked.moment);
		part.until_ns = window_asked.moment.ns > ~window_asked.near ? ~0ull :
				window_asked.moment.ns + window_asked.near;
	}
	bcoslog_set_window(log, &part);
}

/*
 * Settles the times in a recording. First, all its boots have one line of time, so that the window can be chosen; then the
 * times are those of the entries that are read, which count from the first boot of the window.
 * Return: 0, or -1 after a complaint.
 */
static int settle_recorded(struct run *run, const struct reach *whole)
{
	struct window asked = window_asked, checked;
	int r;

	settle_walls(whole, false);
	checked = window_asked;
	/* Times since boot are since the latest boot, of which the second look knows. */
	if (checked.since.kind == asked.since.kind && asked.since.kind == WHEN_BOOT)
		window_asked.since.kind = WHEN_NONE;
	if (asked.until.kind == WHEN_BOOT)
		window_asked.until.kind = WHEN_NONE;
	if (asked.moment.kind == WHEN_BOOT)
		window_asked.moment.kind = WHEN_NONE;
	r = whole->clock || !asked.by_wall ? check_reach(whole) : 0;
	window_asked = asked;
	if (r)
		return r;
	set_window(run->log);
	if (find_recorded(run->log, false, &found) < 0)
		return -1;
	found.follows = run->follow;
	found.clock = wall_clock;
	settle_walls(&found, true);
	return check_reach(&found);
}

int run_settle_times(struct run *run)
{
	bool recorded = bcoslog_kind(run->log) == BCOSLOG_RECORDING, known;
	int r;

	if (boots_choose(run->log, run->path, run->follow))
		return -1;
	if (!filter_asks_times())
		return 0;
	window_asked.by_wall = any_moment(is_by_wall);
	wall_needed |= window_asked.by_wall;
	if (!recorded && !window_asked.by_wall && !any_moment(needs_end))
		return 0;
	r = find_reach(run, &found);
	if (r <= 0)
		return r;
	is_found = true;
	settle_before(&window_asked.since, &found, recorded);
	settle_before(&window_asked.until, &found, recorded);
	settle_before(&window_asked.moment, &found, recorded);
	known = wall_known;
	settle_days(&found);
	if (!known) {
		wall_forget();
		found.clock = NULL;
	}
	if (recorded)
		return settle_recorded(run, &(struct reach){ found.clock, found.begin, found.end, found.follows });
	settle_walls(&found, true);
	return check_reach(&found);
}
