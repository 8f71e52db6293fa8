// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog processes: lists the processes, when they lived and how they ended. */
#include <stdlib.h>

#include "command.h"
#include "account/report.h"
#include "options/option.h"
#include "options/options.h"
#include "options/shared.h"
#include "options/when.h"
#include "rows.h"
#include "svg/svg.h"
#include "views/track/lives.h"

struct processes {
	struct lives lives;
	u32 lost;			/* the kinds of what was lost, BCOSLOG_LOST_* */
	bool by_names, by_age;
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

static const struct column short_columns[] = {
	{ "name", "name", CELL_TEXT },
	{ "count", "lives", CELL_COUNT },
	{ "ended", "ended", CELL_COUNT },
	{ "failed", "failed", CELL_COUNT },
	{ "mean_life_ns", "mean life", CELL_SPAN },
	{ "longest_life_ns", "longest", CELL_SPAN },
	{ "cpu_ns", "on CPUs", CELL_SPAN },
};

#define SHORT_COLUMNS (sizeof(short_columns) / sizeof(short_columns[0]))

static int by_name(const void *left, const void *right)
{
	const struct bcoslog_account_process *a = &((const struct life *)left)->process;
	const struct bcoslog_account_process *b = &((const struct life *)right)->process;
	size_t length = a->name_length < b->name_length ? a->name_length : b->name_length;
	int order = memcmp(a->name, b->name, length);

	if (order)
		return order;
	return a->name_length < b->name_length ? -1 : a->name_length > b->name_length;
}

static int most_lives(const struct cell *left, const struct cell *right)
{
	size_t length = left->length < right->length ? left->length : right->length;

	if (left[1].number != right[1].number)
		return left[1].number > right[1].number ? -1 : 1;
	return memcmp(left->text, right->text, length) ?: (left->length < right->length ? -1 : 1);
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

/* Sums up the processes from @at on that have the same name.  Return: the index after them. */
static size_t short_row(const struct processes *processes, struct table_rows *table, size_t at)
{
	const struct lives *lives = &processes->lives;
	const struct bcoslog_account_process *first = &lives->lives[at].process, *each;
	u64 count = 0, ends = 0, failed = 0, sum = 0, longest = 0, time = 0;
	bool lost = processes->lost & BCOSLOG_LOST_LIVES, least = false, before = false;

	for (; at < lives->count && !by_name(&lives->lives[at], first); at++) {
		each = &lives->lives[at].process;
		count++;
		time += each->time;
		least |= each->at_least;
		if (!each->ended || each->end < each->start)
			continue;
		ends++;
		/* Nobody knows how long it had lived when the log found it. */
		before |= each->precision == 0xFFFFFFFFu;
		failed += each->status && each->status != BCOS_STATUS_UNKNOWN;
		sum += each->end - each->start;
		if (each->end - each->start > longest)
			longest = each->end - each->start;
	}
	table_row(table, (struct cell[SHORT_COLUMNS]){
		cell_name(first->name, first->name_length), cell_sum(count, lost), cell_sum(ends, lost),
		cell_sum(failed, lost), ends ? mean_cell(sum / ends, lost, before) : CELL_NONE,
		ends ? longest_cell(longest, lost, before) : CELL_NONE, cell_sum(time, least),
	});
	return at;
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
	int error;

	if (processes->by_age)
		report->lists = "process that ended so soon after its beginning as --under says";
	lives_add_living(lives, report->account);
	processes->lost = bcoslog_account_totals(report->account)->lost;
	if (processes->by_age)
		keep_short(processes);
	if (lives->count)
		qsort(lives->lives, lives->count, sizeof(*lives->lives), processes->by_names ? by_name : by_start);
	if (processes->by_names) {
		table_begin(&table, short_columns, SHORT_COLUMNS);
		while (at < lives->count)
			at = short_row(processes, &table, at);
		table_sort(&table, most_lives);
	} else {
		processes_begin(&table);
		if (report->form != TABLE_TEXT || tells_parents(lives))
			table.width = COLUMNS;
		for (; at < lives->count; at++)
			processes_row(&table, &lives->lives[at].process, &lives->lives[at].bounds,
				      lives->lives[at].former, report->form == TABLE_TEXT);
	}
	table.failed |= lives->failed;
	if (report->form == TABLE_SVG && processes->by_names)
		error = chart_bars(report, &table, &(struct bars){ .title = "Lives, by name", .id = 0, .name = 0,
								   .value = 1 });
	else if (report->form == TABLE_SVG)
		error = chart_spans(report, &table, &(struct spans){
			.title = "Who lived", .id = 0, .name = 1, .begin = 3, .end = 4, .how = 5, .lost = BCOSLOG_LOST_LIVES,
			.apart = true, .unsure = is_unseen });
	else
		error = report_table(report, &table);
	return error;
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

static int take_short(struct arguments *arguments, const char *text)
{
	(void)text;
	processes_of(arguments)->by_names = true;
	return 0;
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
	{ .name = NULL },
};

const struct command command_processes = {
	.name = "processes",
	.summary = "list the processes: when they lived and how they ended",
	.usage = "bcoslog processes [OPTIONS] [LOG]",
	.about =
"Lists the processes in the order of their beginnings: when each began and\n"
"ended, how it ended, and for how long it had CPUs.",
	.options = { options, ROWS_OF_PROCESSES, DRAWN_REPORT_OPTIONS },
	.silent = report_refused_options,
	.after = REPORT_AFTER,
	.status = STATUS_OF_LOG,
	.records = true,
	.takes_program = true,
	.run = cmd_processes,
};
