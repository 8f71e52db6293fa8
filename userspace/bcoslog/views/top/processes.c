// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The processes of the last interval, including those that ended in it: see top.h. */
#include <stdlib.h>

#include "top.h"
#include "account/report.h"
#include "options/filter.h"

static void work_add(struct bcoslog_work *sum, const struct bcoslog_work *work)
{
	sum->instructions += work->instructions;
	sum->joules += work->joules;
	sum_add(&sum->performance_unknown, work->performance_unknown);
	sum_add(&sum->performance_assumed, work->performance_assumed);
	sum_add(&sum->power_unknown, work->power_unknown);
	sum->at_least |= work->at_least;
}

static struct live_process *new_process(struct live *live)
{
	struct live_list *list = &live->next;
	struct live_process *larger;

	if (list->count == list->room) {
		larger = reallocarray(list->of, 2 * list->room + 256, sizeof(*larger));
		if (!larger) {
			live->failed = true;
			return NULL;
		}
		list->of = larger;
		list->room = 2 * list->room + 256;
	}
	return &list->of[list->count++];
}

static void set_row(struct live_process *row, const struct bcoslog_account_process *process)
{
	static const struct live_track none;
	const struct live_track *then = process->user ? process->user : &none;
	struct bcoslog_bounds bounds;

	bcoslog_account_bounds(process, &bounds);
	*row = (struct live_process){
		.serial = process->serial, .id = process->id, .ended = process->ended || process->vanished,
		.least = process->at_least, .time = process->time - then->time, .turns = process->turns - then->turns,
		.total = process->time, .bounded = bounds.time_known,
		.unknown = bounds.time - process->time - then->unknown, .total_unknown = bounds.time - process->time,
		.work = live_work_less(&process->work, &then->work),
	};
	row->name_length = live_cut(row->name, process->name, process->name_length);
}

/* Return: the row of others, which is the first of the list and made at the first call; NULL if there is no memory. */
static struct live_process *other_processes(struct live *live)
{
	static const char name[] = "others that ended";
	struct live_process *row;

	if (live->next.ended)
		return &live->next.of[0];
	row = new_process(live);
	if (!row)
		return NULL;
	memset(row, 0, sizeof(*row));
	row->others = row->ended = row->bounded = true;
	row->name_length = live_cut(row->name, name, sizeof(name) - 1);
	live->next.ended = 1;
	return row;
}

/* Adds a row to the lives: begin and end are those of the process, and time and turns those of the interval. */
static void life_row(struct live *live, const struct bcoslog_account_process *process)
{
	const struct live_track *then = process->user;
	struct bcoslog_account_process since = *process;
	struct bcoslog_bounds bounds;
	char former[FORMER_TEXT];

	if (!filter_wants_life(&live->report->session->filter, process))
		return;
	if (!live->whole && (process->ended || process->vanished) && live->next_ends++ >= LIVE_ENDED_MAX)
		return;
	bcoslog_account_bounds(process, &bounds);
	if (then) {
		bounds.time -= then->time + then->unknown;
		since.time -= then->time;
		since.turns -= then->turns;
	}
	processes_row(&live->next_lives, &since, &bounds, former_names(former, process), true);
}

void live_process_ended(void *context, const struct bcoslog_account_process *process)
{
	struct live *live = context;
	struct live_process row, *to;

	set_row(&row, process);
	life_row(live, process);
	live_waits_ended(live, process);
	free(process->user);
	bcoslog_account_set_user(process, NULL);
	if (!filter_wants_life(&live->report->session->filter, process) || (!row.turns && !row.time))
		return;
	to = other_processes(live);
	if (!to)
		return;
	if (!live->whole && live->next.ended > LIVE_ENDED_MAX) {
		to->id++;
		sum_add(&to->time, row.time);
		to->turns += row.turns;
		sum_add(&to->total, row.total);
		to->least |= row.least;
		to->bounded &= row.bounded;
		sum_add(&to->unknown, row.unknown);
		sum_add(&to->total_unknown, row.total_unknown);
		work_add(&to->work, &row.work);
		return;
	}
	to = new_process(live);
	if (to) {
		*to = row;
		live->next.ended++;
	}
}

static void take_process(struct live *live, const struct bcoslog_account_process *process)
{
	struct live_track *track = (struct live_track *)latency_of(process, sizeof(*track));
	struct bcoslog_bounds bounds;
	struct live_process *row;

	if (!track) {
		live->failed = true;
		return;
	}
	row = filter_wants_life(&live->report->session->filter, process) ? new_process(live) : NULL;
	if (row)
		set_row(row, process);
	track->time = process->time;
	track->turns = process->turns;
	bcoslog_account_bounds(process, &bounds);
	track->unknown = bounds.time - process->time;
	track->work = process->work;
}

static int by_start(const struct cell *left, const struct cell *right)
{
	if (left[3].number != right[3].number)
		return left[3].number < right[3].number ? -1 : 1;
	return left[0].number < right[0].number ? -1 : left[0].number > right[0].number;
}

/* Completes the table of lives. Processes that ended in the interval have their rows already. */
static void take_lives(struct live *live)
{
	const struct bcoslog_account_process *process = NULL;

	while ((process = bcoslog_account_next_process(live->report->account, process)))
		life_row(live, process);
	table_sort(&live->next_lives, by_start);
	if (live->next_ends > LIVE_ENDED_MAX)
		processes_others(&live->next_lives, live->next_ends - LIVE_ENDED_MAX);
	table_free(&live->lives);
	live->lives = live->next_lives;
	live->failed |= live->lives.failed;
	processes_begin(&live->next_lives);
	live->next_ends = 0;
}

void live_processes_interval(struct live *live)
{
	const struct bcoslog_account_process *process = NULL;
	struct live_list last;

	take_lives(live);
	while ((process = bcoslog_account_next_process(live->report->account, process)))
		take_process(live, process);
	last = live->processes;
	live->processes = live->next;
	live->next = last;
	live->next.count = live->next.ended = 0;
}

void live_processes_free(struct live *live)
{
	const struct bcoslog_account_process *process = NULL;

	while (live->report->account && (process = bcoslog_account_next_process(live->report->account, process))) {
		free(process->user);
		bcoslog_account_set_user(process, NULL);
	}
	table_free(&live->lives);
	table_free(&live->next_lives);
	free(live->processes.of);
	free(live->next.of);
}
