// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Times that users write become times since boot: see moments.h. */
#include "bcoslog.h"
#include "moments.h"
#include "output/times.h"
#include "complain/complain.h"
#include "state/clock.h"

/* The number of stretches between two settings of the clock whose days are looked at. */
#define STRETCHES 32

/* The two times of a WHEN_WALL: when the clock showed its first and its second time. */
struct shown {
	struct bcoslog_moments first, second;
	bool first_lies, second_lies;	/* that is in the log, or the clock was set forward over it in the log */
};

static bool lies_in(const struct reach *reach, const struct bcoslog_moments *at)
{
	return at->count || (at->first > reach->begin && at->first <= reach->end && at->last < reach->end);
}

static struct shown find_shown(const struct time_asked *wall, const struct reach *reach)
{
	struct shown shown;

	bcoslog_clock_find(reach->clock->readings, wall->ns, reach->begin, reach->end, &shown.first);
	bcoslog_clock_find(reach->clock->readings, wall->later, reach->begin, reach->end, &shown.second);
	shown.first_lies = lies_in(reach, &shown.first);
	shown.second_lies = lies_in(reach, &shown.second);
	return shown;
}

/* Return: the time since boot that is meant. */
static u64 meant_time(const struct shown *shown, bool ends)
{
	if (ends)
		return shown->second_lies || !shown->first_lies ? shown->second.last : shown->first.last;
	return shown->first_lies || !shown->second_lies ? shown->first.first : shown->second.first;
}

/* The search for a day. */
struct choice {
	const struct time_asked *clock;
	const struct reach *reach;
	bool ends;
	u64 after;
	bool found;			/* @best lies in the log */
	bool good;			/* @best is not before @after */
	u64 distance;			/* of @best from the log, ns */
	struct time_asked best;
};

/* Return: how far the wall clock is from the log at @utc. Time since boot would begin with the boot. */
static u64 distance_of(const struct reach *reach, u64 utc)
{
	u64 begin = wall_time(reach->clock, reach->begin), end = wall_time(reach->clock, reach->end);
	u64 before = begin > utc ? begin - utc : utc - begin, behind = end > utc ? end - utc : utc - end;

	return before < behind ? before : behind;
}

/* Looks at the day @days after that of @utc. Days that are no days of the log, @near unset, count if they are in it. */
static void try_day(struct choice *choice, u64 utc, int days, bool near)
{
	struct time_asked wall = clock_on_day(choice->clock, utc, days);
	struct shown shown = find_shown(&wall, choice->reach);
	u64 time = meant_time(&shown, choice->ends), distance = distance_of(choice->reach, wall.ns);
	bool lies = shown.first_lies || shown.second_lies, good = time >= choice->after;

	/* Only what is after --since can be the end in the log. The last such time that is found first is taken. */
	if (choice->found || (lies && !good && choice->ends && !near) ||
	    (!near && !shown.first.count && !shown.second.count))
		return;
	lies &= good || !choice->ends;
	if (lies || choice->best.kind == WHEN_NONE || (good && !choice->good) ||
	    (good == choice->good && distance < choice->distance)) {
		choice->best = wall;
		choice->good = good;
		choice->distance = distance;
		choice->found = lies;
	}
}

void moment_choose_day(struct time_asked *moment, const struct reach *reach, bool ends, u64 after)
{
	struct choice choice = { .clock = moment, .reach = reach, .ends = ends, .after = after };
	u64 begin, end = reach->end, steps = 0, utc;
	struct bcoslog_clock_step step;
	u32 i;

	while (bcoslog_clock_step(reach->clock->readings, steps, &step) && step.time <= reach->end)
		steps++;
	/* A log that goes on may reach that time yet. */
	if (ends && reach->follows) {
		choice.best = clock_on_day(moment, wall_time(reach->clock, end), 0);
		choice.found = choice.best.ns > wall_time(reach->clock, end);
	}
	for (i = 0; i < STRETCHES && !choice.found; i++, end = begin - 1) {
		begin = steps && bcoslog_clock_step(reach->clock->readings, steps - 1, &step) && step.time > reach->begin ?
			step.time : reach->begin;
		utc = wall_time(reach->clock, end);
		try_day(&choice, utc, 0, true);
		try_day(&choice, utc, -1, false);
		try_day(&choice, wall_time(reach->clock, begin), 0, true);
		if (begin <= reach->begin || !steps--)
			break;
	}
	choice.best.text = moment->text;
	*moment = choice.best;
}

void moment_choose_time(struct time_asked *moment, const struct reach *reach, bool ends, const char *option)
{
	struct shown shown = find_shown(moment, reach);
	u64 time = meant_time(&shown, ends);
	bool both = moment->ns != moment->later && shown.first_lies && shown.second_lies;
	char text[TIME_TEXT];

	moment_text(reach->clock, text, time, true);
	if (option && moment->text && (both || shown.first.count > 1 || shown.second.count > 1))
		complain("the clock showed %s more than once: %s means the %s time, %s", moment->text, option,
			 ends ? "last" : "first", text);
	else if (option && moment->text && (moment->skipped || (shown.first_lies && !shown.first.count)))
		complain("the clock never showed %s, since it went forward over it: %s means %s", moment->text, option,
			 text);
	moment->kind = WHEN_BOOT;
	moment->ns = moment->later = time;
}
