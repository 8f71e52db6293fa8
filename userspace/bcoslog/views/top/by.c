// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog top --by: which groups of processes had the CPUs. */
#include <errno.h>
#include <stdlib.h>

#include "complain/complain.h"
#include "once.h"
#include "svg/svg.h"

static const struct column measures[] = {
	{ "processes", "processes", CELL_COUNT },
	{ "cpu_ns", "on CPUs", CELL_SPAN },
	{ "share", "share", CELL_SHARE },
	{ "turns", "turns", CELL_COUNT },
	{ "instructions", NULL, CELL_REAL },
	{ "joules", NULL, CELL_REAL },
};

#define MEASURES (sizeof(measures) / sizeof(measures[0]))
#define COLUMNS (GROUP_COLUMNS + MEASURES)

/* A group, and the sums of its lives. */
struct summed {
	const struct group *group;
	struct life sum;
};

static int most_first(const void *left, const void *right)
{
	const struct summed *a = left, *b = right;

	if (a->sum.process.time != b->sum.process.time)
		return a->sum.process.time > b->sum.process.time ? -1 : 1;
	return group_compare(&a->group->key, &b->group->key);
}

/* Sets the cells of the sums of @count lives. */
static void sum_cells(struct cell *cells, struct life *sum, u64 count, const struct top_sums *sums)
{
	const struct bcoslog_account_process *process = &sum->process;

	top_share_unknown(sum, sums);
	cells[0] = cell_sum(count, process->lost & BCOSLOG_LOST_LIVES);
	cells[1] = cell_time(process->time, &sum->bounds);
	cells[2] = cell_time_share(process->time, sums->online, &sum->bounds);
	cells[3] = cell_sum(process->turns, process->lost & BCOSLOG_LOST_ASSIGNMENTS);
	cells[4] = cell_instructions(&process->work, 1, &sum->bounds);
	cells[5] = cell_joules(&process->work, 1, &sum->bounds);
}

static void group_row(struct table_rows *table, const struct report *report, enum group_by by, struct summed *summed,
		      const struct top_sums *sums)
{
	struct cell cells[COLUMNS];
	struct group_text text;
	size_t at = group_cells(cells, report, by, &summed->group->key, &text);

	sum_cells(&cells[at], &summed->sum, summed->group->count, sums);
	table_row(table, cells);
}

static void others_row(struct table_rows *table, enum group_by by, struct life *others, u64 count, const struct top_sums *sums)
{
	struct cell cells[COLUMNS];
	size_t at = group_other_cells(cells, by, "others");

	sum_cells(&cells[at], others, count, sums);
	table_row(table, cells);
}

/* Adds a row for a use of CPUs, which they may have had for @more ns more. */
static void use_row(struct table_rows *table, enum group_by by, const char *name, u64 time, u64 more, u64 online)
{
	struct bcoslog_bounds bounds = { .time = time + more, .time_known = true };
	struct cell cells[COLUMNS];
	size_t at = group_other_cells(cells, by, name), i;

	for (i = at; i < COLUMNS; i++)
		cells[i] = CELL_NONE;
	cells[at + 1] = cell_time(time, &bounds);
	cells[at + 2] = cell_time_share(time, online, &bounds);
	table_row(table, cells);
}

/* Return: the groups with their sums, the greatest first; NULL if there is no memory. */
static struct summed *sum_groups(const struct groups *groups)
{
	struct summed *summed = calloc(groups->count ? groups->count : 1, sizeof(*summed));
	size_t i, life;

	for (i = 0; summed && i < groups->count; i++) {
		summed[i] = (struct summed){ .group = &groups->of[i], .sum = TOP_LIFE };
		for (life = 0; life < groups->of[i].count; life++)
			top_add_life(&summed[i].sum, groups->of[i].lives[life]);
	}
	if (summed && groups->count)
		qsort(summed, groups->count, sizeof(*summed), most_first);
	return summed;
}

static bool is_kernel(const struct group *group)
{
	return group->count == 1 && group->lives[0]->process.id == BCOS_PROCESS_KERNEL;
}

static void put_groups(struct table_rows *table, const struct report *report, enum group_by by, struct summed *summed,
		       size_t count, u64 rows)
{
	struct life others = TOP_LIFE;
	struct top_sums sums;
	u64 shown = 0, left = 0;
	size_t i;

	top_sum_cpus(report, &sums);
	for (i = 0; i < count; i++) {
		if (rows && shown >= rows && !is_kernel(summed[i].group)) {
			top_add_life(&others, &summed[i].sum);
			left += summed[i].group->count;
			continue;
		}
		shown += !is_kernel(summed[i].group);
		group_row(table, report, by, &summed[i], &sums);
	}
	if (left)
		others_row(table, by, &others, left, &sums);
	/* Without a CPU nobody knows of any time, and 0 would look like a measurement. */
	if (!sums.online)
		return;
	use_row(table, by, "idle", sums.time[BCOSLOG_USE_IDLE], sums.time[BCOSLOG_USE_UNKNOWN], sums.online);
	use_row(table, by, "unknown", sums.time[BCOSLOG_USE_UNKNOWN], 0, sums.online);
}

int top_by_print(struct report *report, struct lives *lives, enum group_by by, u64 rows)
{
	struct column columns[COLUMNS];
	size_t keys = group_columns(columns, by);
	struct summed *summed = NULL;
	struct table_rows table;
	struct groups groups;

	if (groups_make(&groups, by, lives) || !(summed = sum_groups(&groups))) {
		groups_free(&groups);
		complain("no memory for the processes of the log");
		return -ENOMEM;
	}
	memcpy(&columns[keys], measures, sizeof(measures));
	table_begin(&table, columns, keys + MEASURES);
	table.spare = "turns processes";
	put_groups(&table, report, by, summed, groups.count, rows);
	table.failed |= lives->failed;
	free(summed);
	groups_free(&groups);
	if (report->form == TABLE_SVG)
		return chart_bars(report, &table, &(struct bars){ .title = "Who had the CPUs", .id = 0, .name = keys - 1,
								  .value = keys + 1 });
	return report_table(report, &table);
}
