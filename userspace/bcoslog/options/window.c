// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The filter by time, and the moment that a subcommand asks for: see filter.h. */
#include "core/format/entry.h"

#include "filter.h"
#include "moments.h"
#include "output/times.h"
#include "window.h"

struct window window_asked;

int filter_since(struct arguments *arguments, const char *text)
{
	(void)arguments;
	window_asked.last = false;
	return parse_moment("--since", text, &window_asked.since);
}

int filter_until(struct arguments *arguments, const char *text)
{
	(void)arguments;
	return parse_moment("--until", text, &window_asked.until);
}

int filter_last(struct arguments *arguments, const char *text)
{
	(void)arguments;
	window_asked.last = true;
	window_asked.since = (struct moment){ .kind = WHEN_BEFORE, .text = text };
	return parse_duration("--last", text, &window_asked.since.ns);
}

/* More than is shown is read, so that what is shown explains itself. */
#define NEAR_MORE 10000000000ull

void filter_near(u64 ns)
{
	window_asked.span = ns;
	window_asked.near = ns > ~0ull - NEAR_MORE ? ~0ull : ns + NEAR_MORE;
}

int filter_take_moment(const char *what, const char *text)
{
	return parse_moment(what, text, &window_asked.moment);
}

void filter_from(u64 time)
{
	if (window_asked.since.kind != WHEN_NONE)
		return;
	window_asked.since.kind = WHEN_BOOT;
	window_asked.since.ns = time;
}

bool filter_looks_back(void)
{
	/* Nothing before the present is asked for by --last 0. */
	return boots_are_chosen() || (window_asked.since.kind == WHEN_BEFORE && window_asked.since.ns) ||
	       window_asked.since.kind == WHEN_WALL ||
	       window_asked.since.kind == WHEN_CLOCK ||
	       (window_asked.moment.kind != WHEN_NONE && window_asked.moment.kind != WHEN_BOOT);
}

bool filter_has_times(void)
{
	return window_asked.since.kind != WHEN_NONE || window_asked.until.kind != WHEN_NONE;
}

bool filter_asks_times(void)
{
	return filter_has_times() || window_asked.moment.kind != WHEN_NONE;
}

/*
 * Return: the moment in ns since boot. That of a log which is read only once, as it comes, is by the clock as it was stated
 * so far; the statements come before all entries that are shown.
 */
static u64 settled_time(struct moment *moment, bool ends)
{
	struct reach all = { .clock = wall_clock, .end = ~0ull };

	if (moment->kind == WHEN_WALL && wall_clock) {
		*(ends ? &window_asked.late_until : &window_asked.late_since) = *moment;
		moment_choose_time(moment, &all, ends, NULL);
	}
	return moment->ns;
}

bool filter_over(void)
{
	return window_asked.until.kind != WHEN_NONE && window_asked.position > settled_time(&window_asked.until, true);
}

bool filter_moment(u64 *time)
{
	*time = settled_time(&window_asked.moment, false);
	return window_asked.moment.kind != WHEN_NONE;
}

void filter_window(u64 *since, u64 *until)
{
	*since = window_asked.since.kind == WHEN_NONE ? 0 : settled_time(&window_asked.since, false);
	*until = window_asked.until.kind == WHEN_NONE ? 0 : settled_time(&window_asked.until, true);
	/* 0 would say that there is no end. */
	if (window_asked.until.kind != WHEN_NONE && !*until)
		*until = 1;
}

static bool is_inside(u64 time)
{
	if (window_asked.since.kind != WHEN_NONE && time < settled_time(&window_asked.since, false))
		return false;
	return window_asked.until.kind == WHEN_NONE || time <= settled_time(&window_asked.until, true);
}

void filter_passes(const struct bcos_entry *entry)
{
	if (entry->type & BCOS_TYPE_HISTORICAL)
		return;
	if (!window_asked.counted++)
		window_asked.first = entry->time;
	window_asked.newest = entry->time;
	window_asked.inside += is_inside(entry->time);
}

bool filter_in_window(const struct bcos_entry *entry)
{
	if (!(entry->type & BCOS_TYPE_HISTORICAL))
		window_asked.position = entry->time;
	return is_inside(window_asked.position);
}
