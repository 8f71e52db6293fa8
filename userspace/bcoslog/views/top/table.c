// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables that the screen can show: see top.h. */
#include <stdlib.h>

#include "account/report.h"
#include "options/filter.h"
#include "top.h"

enum live_order screen_order;
bool screen_reverse;
bool screen_energy;

/* ---- the table "top" ---------------------------------------------------------------------- */

/* The columns of work, which people get if they ask for them, or sort by them. */
enum { WATTS = 5, INSTRUCTIONS, JOULES = 9 };

static struct column columns[] = {
	{ "process", "process", CELL_ID },
	{ "name", "name", CELL_TEXT },
	{ "share", "CPU", CELL_SHARE },
	{ "cpu_ns", "time", CELL_SPAN },
	{ "total_ns", "total", CELL_SPAN },
	[WATTS] = { "watts", NULL, CELL_REAL },
	[INSTRUCTIONS] = { "million_instructions_per_second", NULL, CELL_REAL },
	{ "turns", "turns", CELL_COUNT },
	{ "ended", "", CELL_TEXT },
	[JOULES] = { "joules", NULL, CELL_REAL },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static int by_name(const struct live_process *left, const struct live_process *right)
{
	size_t length = left->name_length < right->name_length ? left->name_length : right->name_length;
	int order = memcmp(left->name, right->name, length);

	return order ? order : (left->name_length > right->name_length) - (left->name_length < right->name_length);
}

static int by_order(const struct live_process *left, const struct live_process *right)
{
	switch (screen_order) {
	case ORDER_TOTAL:
		return (left->total < right->total) - (left->total > right->total);
	case ORDER_POWER:
		return (left->work.joules < right->work.joules) - (left->work.joules > right->work.joules);
	case ORDER_NAME:
		return by_name(left, right);
	case ORDER_ID:
		return (left->id > right->id) - (left->id < right->id);
	default:
		return (left->time < right->time) - (left->time > right->time);
	}
}

static int compare_rows(const void *a, const void *b)
{
	const struct live_process *left = a, *right = b;
	int order = by_order(left, right);

	if (screen_reverse)
		order = -order;
	/* Processes that are equal in the interval are in order of their total time. */
	if (!order)
		order = (left->total < right->total) - (left->total > right->total);
	return order ? order : (left->serial > right->serial) - (left->serial < right->serial);
}

static struct cell per_second(struct cell cell, double seconds)
{
	cell.real = seconds > 0 ? cell.real / seconds : 0;
	return cell;
}

static void top_row(struct table_rows *table, const struct live *live, const struct live_process *row)
{
	double seconds = (double)(live->totals.end - live->totals.begin) / 1e9;
	struct bcoslog_bounds now = { .time = row->time + row->unknown, .time_known = row->bounded };
	struct bcoslog_bounds ever = { .time = row->total + row->total_unknown, .time_known = row->bounded };
	char id[32];

	snprintf(id, sizeof(id), "%u", row->id);
	table_row(table, (struct cell[COLUMNS]){
		CELL_WORD(id), cell_name(row->name, row->name_length),
		cell_time_share(row->time, live->totals.online, &now), cell_time(row->time, &now),
		cell_time(row->total, &ever), per_second(cell_joules(&row->work, 1, NULL), seconds),
		per_second(cell_instructions(&row->work, 1e6, NULL), seconds), cell_sum(row->turns, row->least && row->unknown),
		row->ended ? CELL_WORD("ended") : CELL_NONE, cell_joules(&row->work, 1, NULL),
	});
}

static const struct table_rows *show_top(struct live *live, struct table_rows *own)
{
	bool energy = screen_energy || screen_order == ORDER_POWER;
	struct live_list *list = &live->processes;
	size_t i;

	columns[WATTS].title = energy ? "watts" : NULL;
	columns[INSTRUCTIONS].title = energy ? "M instr/s" : NULL;
	columns[JOULES].title = energy ? "joules" : NULL;
	table_begin(own, columns, COLUMNS);
	if (list->count)
		qsort(list->of, list->count, sizeof(*list->of), compare_rows);
	for (i = 0; i < list->count; i++)
		if (!list->of[i].others || list->of[i].id)
			top_row(own, live, &list->of[i]);
	return own;
}

/* ---- the other tables --------------------------------------------------------------------- */

static const struct table_rows *show_cpu(struct live *live, struct table_rows *own)
{
	struct bcoslog_account_cpu all = { 0 };
	unsigned int use;
	char id[16];
	size_t i;

	cpu_begin(own, false);
	for (i = 0; i < live->cpu_count; i++) {
		if (!filter_wants_cpu(&live->report->session->filter, live->cpus[i].id, live->cpus[i].core))
			continue;
		sum_add(&all.online, live->cpus[i].online);
		all.turns += live->cpus[i].turns;
		for (use = 0; use < BCOSLOG_USES; use++)
			sum_add(&all.time[use], live->cpus[i].time[use]);
	}
	cpu_row(own, "all", &all, NULL, NULL);
	for (i = 0; i < live->cpu_count; i++) {
		if (!filter_wants_cpu(&live->report->session->filter, live->cpus[i].id, live->cpus[i].core))
			continue;
		snprintf(id, sizeof(id), "%u", live->cpus[i].id);
		cpu_row(own, id, &live->cpus[i], NULL, NULL);
	}
	return own;
}

static const struct table_rows *show_io(struct live *live, struct table_rows *own)
{
	(void)own;
	return &live->io.table;
}

static const struct table_rows *show_power(struct live *live, struct table_rows *own)
{
	power_begin(own, false);
	power_rows(own, live->cores, live->core_count, live->totals.end - live->totals.begin,
		   &(struct cpus_of){ .of = live->cpus, .count = live->cpu_count }, NULL);
	return own;
}

/* Fills in the waits that ended in the interval, the newest first. */
static const struct table_rows *show_offcpu(struct live *live, struct table_rows *own)
{
	u64 from = live->off_to > LIVE_OFFS + live->off_from ? live->off_to - LIVE_OFFS : live->off_from, at;
	const struct live_off *off;

	offcpu_begin(own);
	for (at = live->off_to; at > from; at--) {
		off = &live->offs[(at - 1) % LIVE_OFFS];
		offcpu_row(own, &off->process, &off->stretch);
	}
	return own;
}

static const struct table_rows *show_latency(struct live *live, struct table_rows *own)
{
	(void)own;
	return &live->latencies;
}

static const struct table_rows *show_processes(struct live *live, struct table_rows *own)
{
	(void)own;
	return &live->lives;
}

const struct screen_table screen_tables[SCREEN_TABLES] = {
	{ '1', "top", show_top },
	{ '2', "cpu", show_cpu },
	{ '3', "io", show_io },
	{ '4', "power", show_power },
	{ '5', "offcpu", show_offcpu },
	{ '6', "latency", show_latency },
	{ '7', "processes", show_processes },
};
