// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The last interval of a log: see live.h. */
#include <stdlib.h>

#include "live.h"

static struct bcoslog_work work_less(const struct bcoslog_work *now, const struct bcoslog_work *then)
{
	return (struct bcoslog_work){
		.instructions = now->instructions - then->instructions,
		.joules = now->joules - then->joules,
		.performance_unknown = now->performance_unknown - then->performance_unknown,
		.performance_assumed = now->performance_assumed - then->performance_assumed,
		.power_unknown = now->power_unknown - then->power_unknown,
		.at_least = now->at_least,
	};
}

static void work_add(struct bcoslog_work *sum, const struct bcoslog_work *work)
{
	sum->instructions += work->instructions;
	sum->joules += work->joules;
	sum->performance_unknown += work->performance_unknown;
	sum->performance_assumed += work->performance_assumed;
	sum->power_unknown += work->power_unknown;
	sum->at_least |= work->at_least;
}

/* ---- processes ------------------------------------------------------------------------ */

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

static void set(struct live_process *row, const struct bcoslog_account_process *process)
{
	static const struct live_track none;
	const struct live_track *then = process->user ? process->user : &none;

	*row = (struct live_process){
		.serial = process->serial, .id = process->id, .ended = process->ended || process->vanished,
		.least = process->at_least, .time = process->time - then->time, .turns = process->turns - then->turns,
		.total = process->time, .work = work_less(&process->work, &then->work),
	};
	row->name_length = live_cut(row->name, process->name, process->name_length);
}

/* The first row is that of all who have none of their own. */
static struct live_process *others(struct live *live)
{
	static const char name[] = "others that ended";
	struct live_process *row;

	if (live->next.ended)
		return &live->next.of[0];
	row = new_process(live);
	if (!row)
		return NULL;
	memset(row, 0, sizeof(*row));
	row->others = row->ended = true;
	row->name_length = live_cut(row->name, name, sizeof(name) - 1);
	live->next.ended = 1;
	return row;
}

/* The row of who lived: beginning and end are the process' own, the rest is of the interval. */
static void life_row(struct live *live, const struct bcoslog_account_process *process)
{
	const struct live_track *then = process->user;
	struct bcoslog_account_process since = *process;
	char former[FORMER_TEXT];

	if (!filter_wants_life(process))
		return;
	if (!live->whole && (process->ended || process->vanished) && live->next_ends++ >= LIVE_ENDED_MAX)
		return;
	if (then) {
		since.time -= then->time;
		since.turns -= then->turns;
		since.renames -= then->renames;
		since.events -= then->events;
		since.calls -= then->calls;
	}
	processes_row(&live->next_lives, &since, former_names(former, process));
}

static void ended(void *context, const struct bcoslog_account_process *process)
{
	struct live *live = context;
	struct live_process row, *to;

	set(&row, process);
	life_row(live, process);
	live_waits_ended(live, process);
	free(process->user);
	bcoslog_account_set_user(process, NULL);
	if (!filter_wants_life(process) || (!row.turns && !row.time))
		return;
	to = others(live);
	if (!to)
		return;
	if (!live->whole && live->next.ended > LIVE_ENDED_MAX) {
		to->id++;
		to->time += row.time;
		to->turns += row.turns;
		to->total += row.total;
		to->least |= row.least;
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
	struct live_process *row;

	if (!track) {
		live->failed = true;
		return;
	}
	row = filter_wants_life(process) ? new_process(live) : NULL;
	if (row)
		set(row, process);
	track->time = process->time;
	track->turns = process->turns;
	track->renames = process->renames;
	track->events = process->events;
	track->calls = process->calls;
	track->work = process->work;
}

/* ---- CPUs, cores, devices ------------------------------------------------------------- */

/* Makes room for one more after @count of them, in two lists at once. */
static bool grow(struct live *live, void **now, void **then, size_t count, size_t size)
{
	void *larger = reallocarray(*now, count + 1, size), *other;

	if (larger)
		*now = larger;
	other = larger ? reallocarray(*then, count + 1, size) : NULL;
	if (other) {
		*then = other;
		memset((char *)other + count * size, 0, size);
	}
	live->failed |= !other;
	return other;
}

/* None ever leaves the account, so they are the same at the same place. */
static void take_cpus(struct live *live)
{
	const struct bcoslog_account_cpu *cpu = NULL;
	struct bcoslog_account_cpu *now, *then;
	unsigned int use;
	size_t i = 0;

	for (; (cpu = bcoslog_account_next_cpu(live->report->account, cpu)); i++) {
		if (i == live->cpu_count) {
			if (!grow(live, (void **)&live->cpus, (void **)&live->cpus_then, i, sizeof(*cpu)))
				return;
			live->cpu_count++;
		}
		now = &live->cpus[i];
		then = &live->cpus_then[i];
		*now = *cpu;
		now->online -= then->online;
		now->turns -= then->turns;
		for (use = 0; use < BCOSLOG_USES; use++)
			now->time[use] -= then->time[use];
		*then = *cpu;
	}
}

static void take_cores(struct live *live)
{
	const struct bcoslog_account_core *core = NULL;
	struct bcoslog_account_core *now, *then;
	size_t i = 0;

	for (; (core = bcoslog_account_next_core(live->report->account, core)); i++) {
		if (i == live->core_count) {
			if (!grow(live, (void **)&live->cores, (void **)&live->cores_then, i, sizeof(*core)))
				return;
			live->core_count++;
		}
		now = &live->cores[i];
		then = &live->cores_then[i];
		*now = *core;
		now->online -= then->online;
		now->idle -= then->idle;
		now->capacity -= then->capacity;
		now->work = work_less(&core->work, &then->work);
		*then = *core;
	}
}

static void device_row(struct live *live, const struct bcoslog_account_device *device)
{
	const struct bcoslog_account_device *then = device->user;
	struct bcoslog_account_device less = *device;
	struct bcoslog_latency latency;

	bcoslog_account_latency(device, &latency);
	if (then) {
		less.input -= then->input;
		less.output -= then->output;
		less.inputs -= then->inputs;
		less.outputs -= then->outputs;
		less.faults -= then->faults;
		less.interrupts -= then->interrupts;
		less.batched -= then->batched;
		less.unprompted -= then->unprompted;
		less.fruitless -= then->fruitless;
	}
	io_row(&live->io, &less, &latency);
	if (!live->whole)
		bcoslog_account_latency_forget(device);
}

static void device_ended(void *context, const struct bcoslog_account_device *device)
{
	/* The tables of the interval are made at its end: what it did in a part of one is not shown by itself. */
	if (((struct live *)context)->whole)
		device_row(context, device);
	free(device->user);
	bcoslog_account_set_device_user(device, NULL);
}

static void take_devices(struct live *live)
{
	const struct bcoslog_account_device *device = NULL;
	struct bcoslog_account_device *then;

	if (!live->whole) {
		table_free(&live->io.table);
		io_begin(&live->io, false);
	}
	while ((device = bcoslog_account_next_device(live->report->account, device))) {
		device_row(live, device);
		then = device->user ? device->user : malloc(sizeof(*then));
		live->failed |= !then;
		if (then)
			*then = *device;
		bcoslog_account_set_device_user(device, then);
	}
	io_end(&live->io);
	live->failed |= live->io.table.failed;
}

/* ---- the interval ---------------------------------------------------------------------- */

int live_begin(struct live *live, struct report *report)
{
	live->report = report;
	report->context = live;
	report->sinks = (struct bcoslog_account_options){ .process_ended = ended, .device_ended = device_ended };
	processes_begin(&live->lives, true);
	processes_begin(&live->next_lives, true);
	io_begin(&live->io, false);
	return live_waits_begin(live);
}

void live_free(struct live *live)
{
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_device *device = NULL;

	while (live->report->account && (process = bcoslog_account_next_process(live->report->account, process)))
		free(process->user);
	while (live->report->account && (device = bcoslog_account_next_device(live->report->account, device)))
		free(device->user);
	table_free(&live->lives);
	table_free(&live->next_lives);
	table_free(&live->io.table);
	live_waits_free(live);
	free(live->processes.of);
	free(live->next.of);
	free(live->cpus);
	free(live->cpus_then);
	free(live->cores);
	free(live->cores_then);
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

static int by_start(const struct cell *left, const struct cell *right)
{
	if (left[3].number != right[3].number)
		return left[3].number < right[3].number ? -1 : 1;
	return left[0].number < right[0].number ? -1 : left[0].number > right[0].number;
}

/* Processes that ended in the interval have their rows already. */
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
	processes_begin(&live->next_lives, true);
	live->next_ends = 0;
}

void live_interval(struct live *live, bool end)
{
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_totals *now;
	struct live_list last;

	if (end)
		bcoslog_account_end(live->report->account);
	else
		bcoslog_account_settle(live->report->account);
	now = bcoslog_account_totals(live->report->account);
	live->totals = totals_less(now, &live->last);
	live->last = *now;
	live_waits_interval(live);
	take_lives(live);
	while ((process = bcoslog_account_next_process(live->report->account, process)))
		take_process(live, process);
	last = live->processes;
	live->processes = live->next;
	live->next = last;
	live->next.count = live->next.ended = 0;
	take_cpus(live);
	take_cores(live);
	take_devices(live);
}
