// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Waits of processes in the last interval, and stretches for which they had no CPU: see top.h. */
#include <stdlib.h>

#include "top.h"
#include "account/report.h"
#include "options/filter.h"
#include "complain/complain.h"

static void take_interval(void *context, const struct bcoslog_interval *turn)
{
	struct latency_sums *sums = turn->process ? latency_of(turn->process, sizeof(struct live_track)) : NULL;
	struct live *live = context;

	live->failed |= !!recent_add(&live->recent, turn) || (turn->process && !sums);
	if (sums)
		sums->left = turn->cpu;
}

static void take_stretch(void *context, const struct bcoslog_stretch *off)
{
	const struct bcoslog_account_process *process = off->process;
	struct latency_sums *sums = latency_of(process, sizeof(struct live_track));
	struct live *live = context;
	struct live_off *to;
	bool preempted;

	live->failed |= !sums;
	if (!sums)
		return;
	preempted = latency_off(&live->waits, live->report, sums, off);
	if (off->end - off->begin < live->over || !filter_wants_life(&live->report->session->filter, process) || !live->off_room)
		return;
	live->off_room--;
	to = &live->offs[live->off_count++ % LIVE_OFFS];
	to->process = *process;
	to->process.name_length = live_cut(to->name, process->name, process->name_length);
	to->process.name = to->name;
	recent_stretch(&live->recent, &to->stretch, live->report->account, sums->left, off);
	to->stretch.preempted = preempted;
	to->stretch.waker = sums->waits.last_waker;
}

static int take_entry(struct report *report, const struct bcos_entry *each)
{
	struct live *live = report->context;

	return latency_entry(&live->waits, report, each, sizeof(struct live_track));
}

int live_waits_begin(struct live *live)
{
	live->off_room = live->whole ? LIVE_OFFS : LIVE_OFFS_INTERVAL;
	live->offs = calloc(LIVE_OFFS, sizeof(*live->offs));
	if (!live->offs) {
		complain("no memory");
		return -ENOMEM;
	}
	live->report->entry = take_entry;
	live->report->sinks.interval = take_interval;
	live->report->stretch = take_stretch;
	latency_begin(&live->latencies);
	latency_begin(&live->next_latencies);
	return 0;
}

void live_waits_free(struct live *live)
{
	table_free(&live->latencies);
	table_free(&live->next_latencies);
	recent_free(&live->recent);
	free(live->offs);
}

/* Adds a row with the waits of a process since the interval began. */
static void add_row(struct live *live, const struct bcoslog_account_process *process)
{
	const struct live_track *track = process->user;
	struct bcoslog_account_process since = *process;

	if (track)
		since.time -= track->time;
	latency_row(&live->waits, live->report, &live->next_latencies, &since);
}

void live_waits_ended(struct live *live, const struct bcoslog_account_process *process)
{
	add_row(live, process);
}

/* Resets the sums of a process, but keeps its unfinished wait, and the CPU that it had last. */
static void forget_sums(struct latency_sums *sums)
{
	struct waits waits = sums->waits;

	waits.count = waits.sum = waits.longest = waits.longest_at = waits.unsure = waits.unsure_longest = 0;
	*sums = (struct latency_sums){ .waits = waits, .left = sums->left };
}

void live_waits_interval(struct live *live)
{
	const struct bcoslog_account_process *process = NULL;

	while ((process = bcoslog_account_next_process(live->report->account, process))) {
		add_row(live, process);
		if (process->user)
			forget_sums(process->user);
	}
	table_free(&live->latencies);
	live->latencies = live->next_latencies;
	latency_sort(&live->latencies);
	live->failed |= live->latencies.failed;
	latency_begin(&live->next_latencies);
	live->off_from = live->off_to;
	live->off_to = live->off_count;
	live->off_room = LIVE_OFFS_INTERVAL;
}
