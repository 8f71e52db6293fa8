// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog processes: lists the processes, when they lived and how they ended. */
#include <errno.h>
#include <stdlib.h>

#include "command.h"
#include "account/report.h"
#include "complain/complain.h"
#include "options/option.h"
#include "options/options.h"
#include "options/shared.h"
#include "options/when.h"
#include "rows.h"
#include "svg/svg.h"
#include "views/track/groups.h"
#include "views/track/lives.h"

struct processes {
	struct lives lives;
	u32 lost;			/* the kinds of what was lost, BCOSLOG_LOST_* */
	enum group_by by;		/* groups of processes have the rows */
	bool by_age;
	u64 longest;			/* with @by_age, the length of the longest life that is shown */
};

/* ---- processes ------------------------------------------------------------------------ */

static const struct column columns[] = {
	{ "process", "process", CELL_NUMBER },
	{ "name", "name", CELL_TEXT },
	{ "former_name", NULL, CELL_TEXT },
	{ "start", "began", CELL_TIME },
	{ "end", "ended", CELL_TIME },
	{ "how", "how", CELL_TEXT },
	{ "status", NULL, CELL_NUMBER },
	{ "cpu_ns", "on CPUs", CELL_SPAN },
	{ "turns", "turns", CELL_COUNT },
	{ "execs", NULL, CELL_COUNT },
	{ "events", NULL, CELL_COUNT },
	{ "calls", NULL, CELL_COUNT },
	/* People see it where the log tells of parents. */
	{ "parent", "parent", CELL_NUMBER },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static int by_start(const void *left, const void *right)
{
	const struct bcoslog_account_process *a = &((const struct life *)left)->process;
	const struct bcoslog_account_process *b = &((const struct life *)right)->process;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->serial < b->serial ? -1 : a->serial > b->serial;
}

void processes_begin(struct table_rows *table)
{
	table_begin(table, columns, COLUMNS - 1);
	table->spare = "turns cpu_ns end";
}

void processes_row(struct table_rows *table, const struct bcoslog_account_process *process,
		   const struct bcoslog_bounds *bounds, const char *former, bool people)
{
	bool since_boot = process->precision == 0xFFFFFFFFu;
	char how[64], name[FULL_NAME];
	struct cell cells[COLUMNS] = {
		CELL_OF(process->id),
		full_name(name, process->name, process->name_length, people ? former : ""),
		*former ? CELL_WORD(former) : CELL_NONE,
		since_boot ? CELL_NONE : CELL_OF(process->start),
		process->ended ? CELL_OF(process->end) : CELL_NONE,
		cell_end(process, how, sizeof(how)),
		process->ended && process->status != BCOS_STATUS_UNKNOWN ? CELL_OF(process->status) : CELL_NONE,
		cell_time(process->time, bounds),
		cell_sum(process->turns, process->lost & BCOSLOG_LOST_ASSIGNMENTS),
		cell_sum(process->renames, process->lost & BCOSLOG_LOST_LIVES),
		cell_sum(process->events, process->lost & BCOSLOG_LOST_EVENTS),
		cell_sum(process->calls, process->lost & BCOSLOG_LOST_CALLS),
		process->has_parent ? CELL_OF(process->parent) : CELL_NONE,
	};

	table_row(table, cells);
}

void processes_others(struct table_rows *table, u64 count)
{
	struct cell cells[COLUMNS];
	char name[64];
	size_t i;

	for (i = 0; i < COLUMNS; i++)
		cells[i] = CELL_NONE;
	cells[1] = cell_name(name, (size_t)snprintf(name, sizeof(name), "%llu other%s that ended",
						    (unsigned long long)count, count == 1 ? "" : "s"));
	table_row(table, cells);
}

/* ---- by name ---------------------------------------------------------------------------- */

static const struct column short_measures[] = {
	{ "count", "lives", CELL_COUNT },
	{ "ended", "ended", CELL_COUNT },
	{ "failed", "failed", CELL_COUNT },
	{ "mean_life_ns", "mean life", CELL_SPAN },
	{ "longest_life_ns", "longest", CELL_SPAN },
	{ "cpu_ns", "on CPUs", CELL_SPAN },
};

#define SHORT_MEASURES (sizeof(short_measures) / sizeof(short_measures[0]))
#define SHORT_COLUMNS (GROUP_COLUMNS + SHORT_MEASURES)

/* Of groups with as many lives, the first by its text comes first. */
static int most_lives(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return group_compare(&a->key, &b->key);
}

/*
 * Return: the cells of a mean or a longest life. @lost: there may have been more lives. @before: some may have been
 * shorter, since the log does not tell when they began.
 */
static struct cell mean_cell(u64 mean, bool lost, bool before)
{
	return lost ? cell_about(mean, true) : cell_at_most(mean, before);
}

static struct cell longest_cell(u64 longest, bool lost, bool before)
{
	return lost && before ? cell_about(longest, true) : before ? cell_at_most(longest, true) : cell_sum(longest, lost);
}

/* Adds a row for a group of processes. */
static void short_row(const struct report *report, struct table_rows *table, const struct group *group)
{
	const struct processes *processes = report->context;
	u64 ends = 0, failed = 0, sum = 0, longest = 0, time = 0;
	bool lost = processes->lost & BCOSLOG_LOST_LIVES, least = false, before = false;
	const struct bcoslog_account_process *each;
	struct cell cells[SHORT_COLUMNS];
	struct group_text text;
	size_t i, at = group_cells(cells, report, processes->by, &group->key, &text);

	for (i = 0; i < group->count; i++) {
		each = &group->lives[i]->process;
		sum_add(&time, each->time);
		least |= each->at_least;
		if (!each->ended || each->end < each->start)
			continue;
		ends++;
		/* Nobody knows how long it had lived when the log found it. */
		before |= each->precision == 0xFFFFFFFFu;
		failed += each->status && each->status != BCOS_STATUS_UNKNOWN;
		sum_add(&sum, each->end - each->start);
		if (each->end - each->start > longest)
			longest = each->end - each->start;
	}
	cells[at++] = cell_sum(group->count, lost);
	cells[at++] = cell_sum(ends, lost);
	cells[at++] = cell_sum(failed, lost);
	cells[at++] = ends ? mean_cell(sum / ends, lost || sum == SUM_MAX, before) : CELL_NONE;
	cells[at++] = ends ? longest_cell(longest, lost, before) : CELL_NONE;
	cells[at++] = cell_sum(time, least);
	table_row(table, cells);
}

/* Prints groups of processes in place of single processes. */
static int print_groups(struct report *report)
{
	struct processes *processes = report->context;
	struct column columns_of[SHORT_COLUMNS];
	size_t keys = group_columns(columns_of, processes->by), i;
	struct table_rows table;
	struct groups groups;

	if (groups_make(&groups, processes->by, &processes->lives)) {
		groups_free(&groups);
		complain("no memory for the processes of the log");
		return -ENOMEM;
	}
	if (groups.count)
		qsort(groups.of, groups.count, sizeof(*groups.of), most_lives);
	memcpy(&columns_of[keys], short_measures, sizeof(short_measures));
	table_begin(&table, columns_of, keys + SHORT_MEASURES);
	for (i = 0; i < groups.count; i++)
		short_row(report, &table, &groups.of[i]);
	groups_free(&groups);
	table.failed |= processes->lives.failed;
	if (report->form != TABLE_SVG)
		return report_table(report, &table);
	return chart_bars(report, &table, &(struct bars){
		.title = processes->by == BY_NAME ? "Lives, by name" : "Lives", .id = 0, .name = keys - 1, .value = keys });
}

/* Keeps only the processes that ended and lived no longer than --under says. */
static void keep_short(struct processes *processes)
{
	struct lives *lives = &processes->lives;
	const struct bcoslog_account_process *each;
	size_t i, kept = 0;

	for (i = 0; i < lives->count; i++) {
		each = &lives->lives[i].process;
		if (each->ended && each->end >= each->start && each->end - each->start <= processes->longest)
			lives->lives[kept++] = lives->lives[i];
		else
			lives_release(&lives->lives[i]);
	}
	lives->count = kept;
}

static bool tells_parents(const struct lives *lives)
{
	size_t i;

	for (i = 0; i < lives->count && !lives->lives[i].process.has_parent; i++)
		;
	return i < lives->count;
}

/* The end of a process that nobody saw has the cell of what is not certain. */
static bool is_unseen(const struct cell *row)
{
	return row[5].about;
}

static int print_processes(struct report *report)
{
	struct processes *processes = report->context;
	struct lives *lives = &processes->lives;
	struct table_rows table;
	size_t at = 0;

	if (processes->by_age)
		report->lists = "process that ended so soon after its beginning as --under says";
	lives_add_living(lives, report->account);
	processes->lost = bcoslog_account_totals(report->account)->lost;
	if (processes->by_age)
		keep_short(processes);
	if (processes->by)
		return print_groups(report);
	if (lives->count)
		qsort(lives->lives, lives->count, sizeof(*lives->lives), by_start);
	processes_begin(&table);
	if (report->form != TABLE_TEXT || tells_parents(lives))
		table.width = COLUMNS;
	for (; at < lives->count; at++)
		processes_row(&table, &lives->lives[at].process, &lives->lives[at].bounds, lives->lives[at].former,
			      report->form == TABLE_TEXT);
	table.failed |= lives->failed;
	if (report->form == TABLE_SVG)
		return chart_spans(report, &table, &(struct spans){
			.title = "Who lived", .id = 0, .name = 1, .begin = 3, .end = 4, .how = 5, .lost = BCOSLOG_LOST_LIVES,
			.apart = true, .unsure = is_unseen });
	return report_table(report, &table);
}

static void end_processes(struct report *report)
{
	lives_free(&((struct processes *)report->context)->lives);
}

static void process_interval(void *context, const struct bcoslog_interval *interval)
{
	lives_interval(&((struct processes *)context)->lives, interval);
}

static void process_ended(void *context, const struct bcoslog_account_process *process)
{
	lives_ended(&((struct processes *)context)->lives, process);
}

static struct processes *processes_of(struct arguments *arguments)
{
	return ((struct report *)arguments->context)->context;
}


static int take_by(struct arguments *arguments, const char *text)
{
	enum group_by by = group_choice(text);

	if (by && processes_of(arguments)->by && processes_of(arguments)->by != by) {
		complain("--short means --by name: leave one of them out");
		return -1;
	}
	processes_of(arguments)->by = by;
	if (by)
		return 0;
	complain("--by takes cgroup, user, parent or name, and not \"%s\"", text);
	return -1;
}

static int take_short(struct arguments *arguments, const char *text)
{
	(void)text;
	return take_by(arguments, "name");
}

static int take_under(struct arguments *arguments, const char *text)
{
	processes_of(arguments)->by_age = true;
	return parse_duration("--under", text, &processes_of(arguments)->longest);
}

static int cmd_processes(struct session *session, int argc, char **argv)
{
	struct processes processes = { .lives.session = session };
	struct report report = {
		.no_device = "processes tells of processes: leave --device out; bcoslog story tells what a process drives",
		.command = &command_processes,
		.context = &processes,
		.sinks = { .interval = process_interval, .process_ended = process_ended, .unknown = chart_unknown },
		.print = print_processes, .end = end_processes, .svg = true,
		.lists = "process", .lists_lost = BCOSLOG_LOST_LIVES,
	};

	return report_run(session, &report, argc, argv);
}

static const struct option_spec options[] = {
	{ .name = "under", .value = "SPAN", .take = take_under,
	  .help = "only processes that ended so soon after they began" },
	{ .name = "short", .take = take_short,
	  .help = "a row for each name, for a storm of short lives: how many there were, how long they lived, how "
		  "long they had CPUs" },
	{ .name = "by", .value = GROUP_VALUES, .word = "WHAT", .take = take_by,
	  .help = "the same for all processes of a control group (cgroup), user or parent; --short is --by name" },
	{ .name = NULL },
};

const struct command command_processes = {
	.name = "processes",
	.summary = "list the processes: when they lived and how they ended",
	.usage = "bcoslog processes [OPTIONS] [LOG]",
	.about =
"Lists the processes in the order of their beginnings: when each began and\n"
"ended, how it ended, and for how long it had CPUs.",
	.options = { options, cgroup_options, ROWS_OF_PROCESSES, DRAWN_REPORT_OPTIONS },
	.silent = report_refused_options,
	.after = REPORT_AFTER,
	.status = STATUS_OF_LOG,
	.records = true,
	.takes_program = true,
	.run = cmd_processes,
};
