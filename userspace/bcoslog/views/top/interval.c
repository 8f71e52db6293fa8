// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The last interval and its totals: see top.h. */
#include "top.h"

int live_begin(struct live *live, struct report *report)
{
	live->report = report;
	live->context = report->context;
	report->context = live;
	report->sinks = (struct bcoslog_account_options){
		.process_ended = live_process_ended, .device_ended = live_device_ended,
	};
	processes_begin(&live->lives);
	processes_begin(&live->next_lives);
	io_begin(&live->io, false);
	live->io.people = true;
	return live_waits_begin(live);
}

void live_free(struct live *live)
{
	live_processes_free(live);
	live_totals_free(live);
	live_waits_free(live);
	live->report->context = live->context;
}

static struct bcoslog_account_totals totals_less(const struct bcoslog_account_totals *now,
						 const struct bcoslog_account_totals *then)
{
	struct bcoslog_account_totals less = *now;
	unsigned int use;

	if (then->end)
		less.begin = then->end;
	less.online -= then->online;
	for (use = 0; use < BCOSLOG_USES; use++)
		less.time[use] -= then->time[use];
	less.entries -= then->entries;
	less.turns -= then->turns;
	less.births -= then->births;
	less.execs -= then->execs;
	less.ends -= then->ends;
	less.losses -= then->losses;
	less.overtaken -= then->overtaken;
	return less;
}

void live_interval(struct live *live, bool end)
{
	const struct bcoslog_account_totals *now;

	if (end)
		bcoslog_account_end(live->report->account);
	else
		bcoslog_account_settle(live->report->account);
	now = bcoslog_account_totals(live->report->account);
	live->totals = totals_less(now, &live->last);
	live->last = *now;
	live_waits_interval(live);
	live_processes_interval(live);
	live_totals_interval(live);
}
