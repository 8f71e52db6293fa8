// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which groups of processes had each CPU: see cpu_groups.h. */
#include <errno.h>
#include <search.h>
#include <stdlib.h>

#include "cpu_groups.h"
#include "options/filter.h"

/* The time that a group had of a CPU. */
struct cpu_group {
	u32 cpu;
	struct group_key key;
	char *name;			/* that of @key */
	u64 time, processes;
};

/* The times that a process had of CPUs. It is @user of a process in the account. */
struct cpu_times {
	size_t count;
	struct {
		u32 cpu;
		u64 time;
	} of[];
};

/* Return: the times of the process, with room for @cpu as element *@at; NULL if there is no memory. */
static struct cpu_times *times_of(const struct bcoslog_account_process *process, u32 cpu, size_t *at)
{
	struct cpu_times *times = process->user, *larger;

	for (*at = 0; times && *at < times->count; (*at)++)
		if (times->of[*at].cpu == cpu)
			return times;
	larger = realloc(times, sizeof(*times) + (*at + 1) * sizeof(times->of[0]));
	if (!larger)
		return NULL;
	larger->count = *at + 1;
	memset(&larger->of[*at], 0, sizeof(larger->of[0]));
	larger->of[*at].cpu = cpu;
	bcoslog_account_set_user(process, larger);
	return larger;
}

void cpu_groups_interval(struct cpu_groups *groups, const struct bcoslog_interval *interval)
{
	struct cpu_times *times;
	size_t at;

	if (!interval->process)
		return;
	times = times_of(interval->process, interval->cpu, &at);
	if (!times) {
		groups->failed = true;
		return;
	}
	times->of[at].time += interval->end - interval->begin;
}

static int compare_groups(const void *left, const void *right)
{
	const struct cpu_group *a = left, *b = right;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return group_compare(&a->key, &b->key);
}

static struct cpu_group *add_group(struct cpu_groups *groups, const struct cpu_group *key)
{
	size_t room = groups->room ? 2 * groups->room : 64;
	struct cpu_group *group, **larger;

	if (groups->count == groups->room) {
		larger = reallocarray(groups->of, room, sizeof(*larger));
		if (!larger)
			return NULL;
		groups->of = larger;
		groups->room = room;
	}
	group = calloc(1, sizeof(*group));
	if (!group)
		return NULL;
	*group = *key;
	group->name = key->key.name ? strndup(key->key.name, key->key.length) : NULL;
	group->key.name = group->name;
	if ((key->key.name && !group->name) || !tsearch(group, &groups->tree, compare_groups)) {
		free(group->name);
		free(group);
		return NULL;
	}
	groups->of[groups->count++] = group;
	return group;
}

void cpu_groups_ended(struct cpu_groups *groups, const struct report *report, const struct bcoslog_account_process *process)
{
	const struct bcoslog_account_process *parent = bcoslog_account_process(report->account, process->parent);
	struct cpu_times *times = process->user;
	struct cpu_group key = { 0 }, **found, *group;
	size_t i;

	group_key(&key.key, groups->by, process, process->has_parent ? parent : NULL);
	for (i = 0; times && i < times->count; i++) {
		key.cpu = times->of[i].cpu;
		found = tfind(&key, &groups->tree, compare_groups);
		group = found ? *found : add_group(groups, &key);
		if (!group) {
			groups->failed = true;
			break;
		}
		group->time += times->of[i].time;
		group->processes++;
	}
	free(times);
	bcoslog_account_set_user(process, NULL);
}

static const struct column cpu_column = { "cpu", "CPU", CELL_NUMBER };
static const struct column measures[] = {
	{ "processes", "processes", CELL_COUNT },
	{ "cpu_ns", "on CPU", CELL_SPAN },
	{ "share", "share", CELL_SHARE },
};

#define MEASURES (sizeof(measures) / sizeof(measures[0]))
#define COLUMNS (1 + GROUP_COLUMNS + MEASURES)

static int most_first(const void *left, const void *right)
{
	const struct cpu_group *a = *(struct cpu_group *const *)left, *b = *(struct cpu_group *const *)right;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return group_compare(&a->key, &b->key);
}

static void group_row(struct table_rows *table, const struct report *report, enum group_by by, const struct cpu_group *group,
		      const struct bcoslog_account_cpu *cpu)
{
	bool least = cpu->time[BCOSLOG_USE_UNKNOWN];
	struct cell cells[COLUMNS] = { CELL_OF(group->cpu) };
	struct group_text text;
	size_t at = 1 + group_cells(&cells[1], report, by, &group->key, &text);

	cells[at++] = cell_sum(group->processes, cpu->lost);
	cells[at++] = cell_sum(group->time, least);
	cells[at++] = cell_share(group->time, cpu->online, least);
	table_row(table, cells);
}

static void use_row(struct table_rows *table, enum group_by by, const char *name, const struct bcoslog_account_cpu *cpu,
		    enum bcoslog_use use)
{
	bool least = use != BCOSLOG_USE_UNKNOWN && cpu->time[BCOSLOG_USE_UNKNOWN];
	struct cell cells[COLUMNS] = { CELL_OF(cpu->id) };
	size_t at = 1 + group_other_cells(&cells[1], by, name);

	if (!cpu->time[use])
		return;
	cells[at++] = CELL_NONE;
	cells[at++] = cell_sum(cpu->time[use], least);
	cells[at++] = cell_share(cpu->time[use], cpu->online, least);
	table_row(table, cells);
}

/* Adds the rows of a CPU, which begin with element @at of the sorted groups.  Return: the index after them. */
static size_t cpu_rows(struct cpu_groups *groups, struct report *report, struct table_rows *table,
		       const struct bcoslog_account_cpu *cpu, size_t at)
{
	while (at < groups->count && groups->of[at]->cpu < cpu->id)
		at++;
	for (; at < groups->count && groups->of[at]->cpu == cpu->id; at++)
		group_row(table, report, groups->by, groups->of[at], cpu);
	use_row(table, groups->by, "idle", cpu, BCOSLOG_USE_IDLE);
	use_row(table, groups->by, "unknown", cpu, BCOSLOG_USE_UNKNOWN);
	return at;
}

/* Adds the rows of all CPUs that options choose, in the order of their IDs. */
static void put_cpus(struct cpu_groups *groups, struct report *report, struct table_rows *table)
{
	const struct bcoslog_account_cpu *cpu, *next;
	u64 from = 0;
	size_t at = 0;

	for (;; from = (u64)next->id + 1) {
		for (next = cpu = NULL; (cpu = bcoslog_account_next_cpu(report->account, cpu));)
			if (cpu->id >= from && (!next || cpu->id < next->id))
				next = cpu;
		if (!next)
			return;
		if (filter_wants_cpu(&report->session->filter, next->id, next->core))
			at = cpu_rows(groups, report, table, next, at);
	}
}

int cpu_groups_print(struct cpu_groups *groups, struct report *report)
{
	const struct bcoslog_account_process *process = NULL;
	struct column columns[COLUMNS] = { cpu_column };
	size_t keys = 1 + group_columns(&columns[1], groups->by);
	struct table_rows table;

	while ((process = bcoslog_account_next_process(report->account, process)))
		cpu_groups_ended(groups, report, process);
	if (groups->count)
		qsort(groups->of, groups->count, sizeof(*groups->of), most_first);
	memcpy(&columns[keys], measures, sizeof(measures));
	table_begin(&table, columns, keys + MEASURES);
	table.spare = "processes";
	put_cpus(groups, report, &table);
	table.failed |= groups->failed;
	return report_table(report, &table);
}

static void keep_node(void *node)
{
	(void)node;
}

void cpu_groups_free(struct cpu_groups *groups)
{
	size_t i;

	tdestroy(groups->tree, keep_node);
	for (i = 0; i < groups->count; i++) {
		free(groups->of[i]->name);
		free(groups->of[i]);
	}
	free(groups->of);
}
