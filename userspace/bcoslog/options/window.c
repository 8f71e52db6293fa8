// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The filter by time, and the moment that a subcommand asks for: see filter.h. */
#include "core/format/entry.h"

#include "filter.h"
#include "output/times.h"
#include "window.h"

struct window window_asked;

int filter_since(void *context, const char *text)
{
	(void)context;
	return parse_moment("--since", text, &window_asked.since);
}

int filter_until(void *context, const char *text)
{
	(void)context;
	return parse_moment("--until", text, &window_asked.until);
}

int filter_last(void *context, const char *text)
{
	(void)context;
	window_asked.since.kind = WHEN_BEFORE;
	return parse_duration("--last", text, &window_asked.since.ns);
}

void filter_near(u64 ns)
{
	window_asked.near = ns;
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
	return boots_are_chosen() || window_asked.since.kind == WHEN_BEFORE || window_asked.since.kind == WHEN_WALL ||
	       window_asked.since.kind == WHEN_CLOCK ||
	       (window_asked.moment.kind != WHEN_NONE && window_asked.moment.kind != WHEN_BOOT);
}

bool filter_has_times(void)
{
	return window_asked.since.kind != WHEN_NONE || window_asked.until.kind != WHEN_NONE;
}

/* Return: below, equal or above 0 if @time, in ns since boot, is before, at or after @moment. */
static int compare_moment(u64 time, const struct moment *moment)
{
	if (moment->kind == WHEN_WALL)
		time = bcoslog_wall_time(&wall, time);
	return time < moment->ns ? -1 : time > moment->ns;
}

bool filter_over(void)
{
	return window_asked.until.kind != WHEN_NONE && compare_moment(window_asked.position, &window_asked.until) > 0;
}

/* Return: the moment in ns since boot, or 0 if it is before boot. */
static u64 since_boot(const struct moment *moment)
{
	u64 boot = bcoslog_wall_time(&wall, 0);

	if (moment->kind != WHEN_WALL)
		return moment->ns;
	return moment->ns > boot ? moment->ns - boot : 0;
}

bool filter_moment(u64 *time)
{
	*time = since_boot(&window_asked.moment);
	return window_asked.moment.kind != WHEN_NONE;
}

void filter_window(u64 *since, u64 *until)
{
	*since = window_asked.since.kind == WHEN_NONE ? 0 : since_boot(&window_asked.since);
	*until = window_asked.until.kind == WHEN_NONE ? 0 : since_boot(&window_asked.until);
	/* 0 would say that there is no end. */
	if (window_asked.until.kind != WHEN_NONE && !*until)
		*until = 1;
}

bool filter_in_window(const struct bcos_entry *entry)
{
	if (!(entry->type & BCOS_TYPE_HISTORICAL))
		window_asked.position = entry->time;
	if (window_asked.since.kind != WHEN_NONE && compare_moment(window_asked.position, &window_asked.since) < 0)
		return false;
	return !filter_over();
}
