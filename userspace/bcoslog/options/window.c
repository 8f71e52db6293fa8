// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The window of time that is shown: see window.h. */
#include "core/format/entry.h"

#include "host/linux.h"
#include "complain/complain.h"
#include "output/times.h"
#include "window.h"

/* ---- what is asked for ------------------------------------------------------------------------ */

int window_take_since(struct window *window, const char *text)
{
	window->last = false;
	return parse_moment("--since", text, &window->since);
}

int window_take_until(struct window *window, const char *text)
{
	return parse_moment("--until", text, &window->until);
}

int window_take_last(struct window *window, const char *text)
{
	window->last = true;
	window->since = (struct time_asked){ .kind = WHEN_BEFORE, .text = text };
	return parse_duration("--last", text, &window->since.ns);
}

/* More than is shown is read, so that what is shown explains itself. */
#define NEAR_MORE 10000000000ull

void window_show_near(struct window *window, u64 ns)
{
	window->span = ns;
	window->near = ns > ~0ull - NEAR_MORE ? ~0ull : ns + NEAR_MORE;
}

int window_take_moment(struct window *window, const char *what, const char *text)
{
	return parse_moment(what, text, &window->moment);
}

void window_show_from(struct window *window, u64 time)
{
	if (window->since.kind != WHEN_NONE)
		return;
	window->since.kind = WHEN_BOOT;
	window->since.ns = time;
}

bool window_looks_back(const struct window *window)
{
	/* Nothing before the present is asked for by --last 0. */
	return (window->since.kind == WHEN_BEFORE && window->since.ns) ||
	       window->since.kind == WHEN_WALL ||
	       window->since.kind == WHEN_CLOCK ||
	       (window->moment.kind != WHEN_NONE && window->moment.kind != WHEN_BOOT);
}

bool window_is_given(const struct window *window)
{
	return window->since.kind != WHEN_NONE || window->until.kind != WHEN_NONE;
}

bool window_is_asked(const struct window *window)
{
	return window_is_given(window) || window->moment.kind != WHEN_NONE;
}

/* Does this moment need to know where the log ends? */
static bool needs_end(const struct time_asked *moment)
{
	return moment->kind == WHEN_BEFORE || moment->kind == WHEN_CLOCK;
}

static bool is_by_wall(const struct time_asked *moment)
{
	return moment->kind == WHEN_WALL || moment->kind == WHEN_CLOCK;
}

static bool any_moment(const struct window *window, bool (*is)(const struct time_asked *moment))
{
	return is(&window->since) || is(&window->until) || is(&window->moment);
}

bool window_is_by_wall(struct window *window)
{
	window->by_wall |= any_moment(window, is_by_wall);
	return window->by_wall;
}

bool window_needs_end(const struct window *window)
{
	return any_moment(window, needs_end);
}

/* ---- what the log has of it ------------------------------------------------------------------- */

/* Writes a time as the user asked for times: by the wall clock, or since boot. */
static const char *reach_text(const struct window *window, struct clock *clock, char *text, u64 time)
{
	moment_text(clock, text, time, clock->known && (window->by_wall || clock->mode == TIME_WALL));
	return text;
}

/* Complains that a moment is outside of the log.  Return: -1. */
static int say_outside(const struct window *window, struct clock *clock, const char *option,
		       const struct time_asked *moment, const char *where, const struct reach *reach)
{
	char begin[TIME_TEXT], end[TIME_TEXT];

	reach_text(window, clock, begin, reach->begin);
	reach_text(window, clock, end, reach->end);
	if (!option)
		complain("the log has nothing around that time: it reaches from %s to %s", begin, end);
	else
		complain("%s %s is %s of the log: the log reaches from %s to %s", option, moment->text, where, begin, end);
	return -1;
}

static const char *since_name(const struct window *window)
{
	return window->last ? "--last" : "--since";
}

/* Return: 0, or -1 after a complaint if nothing that is asked for can be in the log. All moments are since boot. */
static int check_reach(const struct window *window, struct clock *clock, const struct reach *reach)
{
	const struct time_asked *since = &window->since, *until = &window->until, *moment = &window->moment;
	u64 span = window->span;

	if (moment->kind == WHEN_BOOT && moment->text &&
	    ((moment->ns < reach->begin && reach->begin - moment->ns > span) ||
	     (moment->ns > reach->end && moment->ns - reach->end > span && !reach->follows)))
		return say_outside(window, clock, NULL, moment, NULL, reach);
	if (since->kind == WHEN_BOOT && until->kind == WHEN_BOOT && since->ns > until->ns && since->text && until->text) {
		complain("%s %s is after --until %s: nothing lies between them", since_name(window), since->text, until->text);
		return -1;
	}
	if (since->kind == WHEN_BOOT && since->text && since->ns > reach->end && !reach->follows)
		return say_outside(window, clock, since_name(window), since, "after the end", reach);
	if (until->kind == WHEN_BOOT && until->text && until->ns < reach->begin)
		return say_outside(window, clock, "--until", until, "before the begin", reach);
	return 0;
}

/* ---- the times that are asked for ------------------------------------------------------------- */

/* A duration before the end becomes a time of the wall clock where it may lie in another boot, else one since boot. */
static void settle_before(struct clock *clock, struct time_asked *moment, const struct reach *reach, bool recorded)
{
	u64 end = reach->end;

	if (moment->kind != WHEN_BEFORE)
		return;
	moment->kind = WHEN_BOOT;
	if (recorded && clock->known) {
		moment->kind = WHEN_WALL;
		end = wall_time(clock, end);
	}
	moment->ns = moment->later = end > moment->ns ? end - moment->ns : 0;
}

/* Return: when a moment is, in ns since boot, if that is known; else 0. */
static u64 time_of(struct time_asked moment, const struct reach *reach)
{
	if (moment.kind == WHEN_WALL && reach->clock)
		moment_choose_time(&moment, reach, false, NULL);
	return moment.kind == WHEN_BOOT ? moment.ns : 0;
}

static void settle_days(struct window *window, struct clock *clock, const struct reach *reach)
{
	struct reach now = *reach;

	/* A log that does not state the wall clock is shown by this machine's, if it is of this boot. */
	if (!reach->clock) {
		wall_now(clock);
		now.clock = clock;
		reach = &now;
	}
	if (window->since.kind == WHEN_CLOCK)
		moment_choose_day(&window->since, reach, false, 0);
	if (window->moment.kind == WHEN_CLOCK)
		moment_choose_day(&window->moment, reach, false, 0);
	if (window->until.kind == WHEN_CLOCK)
		moment_choose_day(&window->until, reach, true, time_of(window->since, reach));
}

/* Times of the wall clock become times since boot. @says: a note tells of several. */
static void settle_walls(struct window *window, const struct reach *reach, bool says)
{
	if (!reach->clock)
		return;
	if (window->since.kind == WHEN_WALL)
		moment_choose_time(&window->since, reach, false, says ? since_name(window) : NULL);
	if (window->moment.kind == WHEN_WALL)
		moment_choose_time(&window->moment, reach, false, says ? "this" : NULL);
	if (window->until.kind == WHEN_WALL)
		moment_choose_time(&window->until, reach, true, says ? "--until" : NULL);
}

/*
 * Looks whether a recording, all of whose boots have one line of time in @whole, has anything of what is asked for. The
 * times become those of entries only when the part that is read is known.  Return: 0, or -1 after a complaint.
 */
static int check_whole(struct window *window, struct clock *clock, const struct reach *whole)
{
	struct window asked = *window, checked;
	int r;

	settle_walls(window, whole, false);
	checked = *window;
	/* Times since boot are since the latest boot, of which the second look knows. */
	if (checked.since.kind == asked.since.kind && asked.since.kind == WHEN_BOOT)
		window->since.kind = WHEN_NONE;
	if (asked.until.kind == WHEN_BOOT)
		window->until.kind = WHEN_NONE;
	if (asked.moment.kind == WHEN_BOOT)
		window->moment.kind = WHEN_NONE;
	r = whole->clock || !asked.by_wall ? check_reach(window, clock, whole) : 0;
	*window = asked;
	return r;
}

int window_settle(struct window *window, struct clock *clock, const struct reach *reach, bool recorded)
{
	bool known = clock->known;

	window->found = *reach;
	window->is_found = true;
	settle_before(clock, &window->since, reach, recorded);
	settle_before(clock, &window->until, reach, recorded);
	settle_before(clock, &window->moment, reach, recorded);
	settle_days(window, clock, reach);
	if (!known) {
		wall_forget(clock);
		window->found.clock = NULL;
	}
	if (recorded)
		return check_whole(window, clock, &window->found);
	settle_walls(window, &window->found, true);
	return check_reach(window, clock, &window->found);
}

int window_settle_part(struct window *window, struct clock *clock, const struct reach *reach)
{
	window->found = *reach;
	settle_walls(window, &window->found, true);
	return check_reach(window, clock, &window->found);
}

static u32 kind_of(const struct time_asked *moment)
{
	return moment->kind == WHEN_NONE ? BCOSLOG_MOMENT_NONE :
	       moment->kind == WHEN_WALL ? BCOSLOG_MOMENT_WALL : BCOSLOG_MOMENT_BOOT;
}

void window_limits(const struct window *window, struct bcoslog_window *limits)
{
	struct bcoslog_window part = {
		.size = sizeof(part),
		.since = kind_of(&window->since), .since_ns = window->since.ns,
		.until = kind_of(&window->until), .until_ns = window->until.ns };

	if (window->near && !part.since) {
		part.since = kind_of(&window->moment);
		part.since_ns = window->moment.ns > window->near ?
				window->moment.ns - window->near : 0;
	}
	if (window->near && !part.until) {
		part.until = kind_of(&window->moment);
		part.until_ns = window->moment.ns > ~window->near ? ~0ull :
				window->moment.ns + window->near;
	}
	*limits = part;
}

/* ---- the entries ------------------------------------------------------------------------------ */

/*
 * Return: the moment in ns since boot. That of a log which is read only once, as it comes, is by the clock as it was stated
 * so far; the statements come before all entries that are shown.
 */
static u64 settled_time(struct window *window, struct clock *clock, struct time_asked *moment, bool ends)
{
	struct reach all = { .clock = clock, .end = ~0ull };

	if (moment->kind == WHEN_WALL && clock->readings) {
		*(ends ? &window->late_until : &window->late_since) = *moment;
		moment_choose_time(moment, &all, ends, NULL);
	}
	return moment->ns;
}

bool window_is_over(struct window *window, struct clock *clock)
{
	return window->until.kind != WHEN_NONE && window->position > settled_time(window, clock, &window->until, true);
}

bool window_get_moment(struct window *window, struct clock *clock, u64 *time)
{
	*time = settled_time(window, clock, &window->moment, false);
	return window->moment.kind != WHEN_NONE;
}

void window_get(struct window *window, struct clock *clock, u64 *since, u64 *until)
{
	*since = window->since.kind == WHEN_NONE ? 0 : settled_time(window, clock, &window->since, false);
	*until = window->until.kind == WHEN_NONE ? 0 : settled_time(window, clock, &window->until, true);
	/* 0 would say that there is no end. */
	if (window->until.kind != WHEN_NONE && !*until)
		*until = 1;
}

bool window_shows(struct window *window, struct clock *clock, u64 begin, u64 end)
{
	u64 since, until, moment;

	window_get(window, clock, &since, &until);
	if (window_get_moment(window, clock, &moment)) {
		since = moment > window->span ? moment - window->span : 0;
		until = moment > ~0ull - window->span ? ~0ull : moment + window->span;
	}
	return (!until || begin < until || begin == since) && (end > since || begin >= since);
}

bool window_is_moment(const struct window *window, u64 begin, u64 end)
{
	return (window->since.text || window->until.text) && begin >= end;
}

static bool is_inside(struct window *window, struct clock *clock, u64 time)
{
	if (window->since.kind != WHEN_NONE && time < settled_time(window, clock, &window->since, false))
		return false;
	return window->until.kind == WHEN_NONE || time <= settled_time(window, clock, &window->until, true);
}

void window_count(struct window *window, struct clock *clock, const struct bcos_entry *entry)
{
	if (entry->type & BCOS_TYPE_HISTORICAL)
		return;
	if (!window->counted++)
		window->first = entry->time;
	window->newest = entry->time;
	window->inside += is_inside(window, clock, entry->time);
}

bool window_takes(struct window *window, struct clock *clock, const struct bcos_entry *entry)
{
	if (!(entry->type & BCOS_TYPE_HISTORICAL))
		window->position = entry->time;
	return is_inside(window, clock, window->position);
}

/* ---- the end of the pass ---------------------------------------------------------------------- */

/* The times in a log that comes only once were settled by the first statement of the wall clock. */
static int check_late(struct clock *clock, const struct time_asked *late, const struct time_asked *settled,
		      bool ends, const char *option)
{
	struct reach reach = { .clock = clock, .end = ~0ull };
	struct time_asked again = *late;

	if (late->kind == WHEN_NONE)
		return 0;
	moment_choose_time(&again, &reach, ends, NULL);
	if (again.ns == settled->ns)
		return 0;
	complain("the clock was set within the log, which shows only at its end when %s %s was: save the log to a file "
		 "(bcoslog cat - > FILE), and name that", option, late->text);
	return -1;
}

int window_check(struct window *window, struct clock *clock, bool follow, bool grows)
{
	struct reach reach = { .begin = window->first, .end = window->newest, .follows = follow };
	char since[TIME_TEXT], until[TIME_TEXT];
	u64 from, to;

	if (window->is_found)
		reach = window->found;
	/* The beginning of what a running log still has is known now. */
	if (window->is_found && !window->found.begin)
		reach.begin = window->first;
	if (!window_is_given(window) || !window->counted)
		return 0;
	window_get(window, clock, &from, &to);
	if (check_late(clock, &window->late_since, &window->since, false, "--since") ||
	    check_late(clock, &window->late_until, &window->until, true, "--until"))
		return -1;
	if (grows && reach.end < clock_now(CLOCK_BOOTTIME) && !window->is_found)
		reach.follows = true;
	if (check_reach(window, clock, &reach))
		return -1;
	reach_text(window, clock, since, from > reach.begin ? from : reach.begin);
	reach_text(window, clock, until, to && to < reach.end ? to : reach.end);
	if (window->since.text && from < reach.begin && window->inside)
		complain("the log begins at %s, later than %s %s: nothing is known of the time before", since, since_name(window),
			 window->since.text);
	if (!window->inside && (window->since.text || window->until.text))
		complain("the log has no entries from %s to %s", since, until);
	return 0;
}
