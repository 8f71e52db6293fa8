// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog top: shows which processes had the CPUs (§7.6). */
#include <stdlib.h>

#include "command.h"
#include "account/report.h"
#include "options/filter.h"
#include "options/number.h"
#include "options/option.h"
#include "options/options.h"
#include "options/recorder_options.h"
#include "options/shared.h"
#include "options/when.h"
#include "once.h"
#include "svg/svg.h"
#include "threads.h"
#include "top.h"
#include "complain/complain.h"
#include "views/rows.h"
#include "views/track/lives.h"

struct top_report {
	struct lives lives;
	u64 rows;			/* the greatest number of processes that have a row; 0: all */
	double joules;			/* energy of all processes, including those without a row */
	enum group_by by;		/* groups of processes have the rows */
	bool tree;			/* families have */
	bool by_threads;		/* threads have */
	struct top_threads threads;
};

/* People get the columns of work only if they ask for them. */
static struct column columns[] = {
	{ "process", "process", CELL_ID },
	{ "name", "name", CELL_TEXT },
	{ "cpu_ns", "on CPUs", CELL_SPAN },
	{ "share", "share", CELL_SHARE },
	{ "turns", "turns", CELL_COUNT },
	{ "instructions", NULL, CELL_REAL },
	{ "million_instructions", NULL, CELL_REAL },
	{ "joules", NULL, CELL_REAL },
	{ "longest_off_ns", "longest off", CELL_SPAN },
	{ "longest_off_at", NULL, CELL_TIME },
	{ "power_unknown_cores", NULL, CELL_COUNT },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))
#define INSTRUCTIONS 6
#define JOULES 7

static int by_time(const void *left, const void *right)
{
	const struct bcoslog_account_process *a = &((const struct life *)left)->process;
	const struct bcoslog_account_process *b = &((const struct life *)right)->process;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return a->serial < b->serial ? -1 : a->serial > b->serial;
}

static void top_row(struct table_rows *table, const struct life *life, const char *id, u64 online)
{
	const struct bcoslog_account_process *process = &life->process;
	const struct bcoslog_bounds *bounds = &life->bounds;
	u64 off = life->longest.end - life->longest.begin;
	struct cell longest = off ? cell_at_most(off, life->longest.unknown) : CELL_NONE;

	longest.least = life->longest.cut && !life->longest.unknown;

	table_row(table, (struct cell[COLUMNS]){
		CELL_WORD(id), cell_name(process->name, process->name_length), cell_time(process->time, bounds),
		cell_time_share(process->time, online, bounds),
		cell_sum(process->turns, process->lost & BCOSLOG_LOST_ASSIGNMENTS),
		cell_instructions(&process->work, 1, bounds), cell_instructions(&process->work, 1e6, bounds),
		cell_joules(&process->work, 1, bounds), longest,
		off ? CELL_OF(life->longest.end) : CELL_NONE, CELL_NONE,
	});
}

/* Adds the row of all processes that have none of their own. @cores: the number of cores whose power is unknown. */
static void others_row(struct table_rows *table, const struct life *others, const char *id, u64 online, u32 cores)
{
	struct cell *cells;

	top_row(table, others, id, online);
	if (table->failed)
		return;
	cells = &table->cells[(table->rows - 1) * table->width];
	/* The cell tells of how many cores the power is unknown, so it is a lower bound only for other reasons. */
	cells[JOULES].least = others->process.work.at_least || cells[2].least;
	cells[JOULES].bounded = false;
	cells[JOULES].cores = others->process.work.power_unknown ? cores : 0;
	cells[10] = CELL_EXACT(cells[JOULES].cores);
}

/* Adds a row for a use of CPUs, which they may have had for @more ns more. */
static void use_row(struct table_rows *table, const char *name, u64 time, u64 more, u64 online, struct cell joules)
{
	struct bcoslog_bounds bounds = { .time = sum_of(time, more), .time_known = true };
	struct cell cells[COLUMNS] = {
		CELL_WORD(""), CELL_WORD(name), cell_time(time, &bounds),
			online ? cell_time_share(time, online, &bounds) : CELL_NONE, CELL_NONE, CELL_NONE,
			CELL_NONE, joules, CELL_NONE, CELL_NONE, joules.absent ? CELL_NONE : CELL_EXACT(joules.cores),
	};

	table_row(table, cells);
}

/* Return: the cell of the energy that no process used: the idle power of the cores. */
static struct cell idle_joules(const struct report *report)
{
	const struct bcoslog_account_core *core = NULL;
	struct cell cell = CELL_REAL_EXACT(-((struct top_report *)report->context)->joules);
	bool known = false;

	/* CPUs of a core share its idle power, so single CPUs have none. */
	if (filter_has_cpus(&report->session->filter))
		return CELL_NONE;
	while ((core = bcoslog_account_next_core(report->account, core))) {
		cell.real += core->work.joules;
		cell.least |= core->work.at_least;
		cell.cores += power_unknown_cores(core, 1);
		known |= core->work.power_unknown < core->online;
	}
	/* Rounding may leave a value below 0. */
	cell.real = cell.real > 0 ? cell.real : 0;
	cell.unknown = !known;
	return cell;
}

static void top_ended(void *context, const struct bcoslog_account_process *process)
{
	struct top_report *top = context;

	top->joules += process->work.joules;
	lives_ended(&top->lives, process);
}

static void top_interval(void *context, const struct bcoslog_interval *interval)
{
	lives_interval(&((struct top_report *)context)->lives, interval);
}

static void end_top(struct report *report)
{
	struct top_report *top = report->context;

	lives_free(&top->lives);
	top_threads_free(&top->threads);
}

/* Prints groups of processes, families, or threads, in place of single processes. */
static int print_together(struct report *report)
{
	struct top_report *top = report->context;
	struct top_sums sums;
	int error;

	if (top->by)
		error = top_by_print(report, &top->lives, top->by, top->rows);
	else if (top->tree)
		error = top_tree_print(report, &top->lives, top->rows);
	else
		error = top_threads_print(&top->threads, report, &top->lives, top->rows);
	top_sum_cpus(report, &sums);
	report->rows &= sums.online > 0;
	return error;
}

/* Return: the class of the bar of a row: a use of CPUs has no ID, and no turns. */
static const char *class_of(const struct cell *row)
{
	if (row[0].length || !row[4].absent)
		return "process";
	return row[1].length == strlen("idle") && !memcmp(row[1].text, "idle", row[1].length) ? "idle" : "unknown";
}

static int print_top(struct report *report)
{
	struct top_report *top = report->context;
	struct lives *lives = &top->lives;
	struct top_sums chosen, *totals = &chosen;
	const struct bcoslog_account_process *living = NULL;
	struct life others = TOP_LIFE;
	struct cell joules;
	struct table_rows table;
	u64 shown = 0, left = 0;
	char id[32];
	size_t at;
	int error;

	top_sum_cpus(report, totals);
	while ((living = bcoslog_account_next_process(report->account, living)))
		top->joules += living->work.joules;
	joules = idle_joules(report);
	lives_add_living(lives, report->account);
	if (top->by || top->tree || top->by_threads)
		return print_together(report);
	if (lives->count)
		qsort(lives->lives, lives->count, sizeof(*lives->lives), by_time);
	table_begin(&table, columns, COLUMNS);
	table.spare = "million_instructions turns";
	for (at = 0; at < lives->count; at++) {
		const struct bcoslog_account_process *process = &lives->lives[at].process;

		if (top->rows && shown >= top->rows && process->id != BCOS_PROCESS_KERNEL) {
			top_add_life(&others, &lives->lives[at]);
			left++;
			continue;
		}
		shown += process->id != BCOS_PROCESS_KERNEL;
		snprintf(id, sizeof(id), "%u", process->id);
		top_row(&table, &lives->lives[at], id, totals->online);
	}
	if (left) {
		snprintf(id, sizeof(id), "%llu", (unsigned long long)left);
		others.process.name = "others";
		others.process.name_length = strlen(others.process.name);
		top_share_unknown(&others, totals);
		others_row(&table, &others, report->form == TABLE_TEXT ? id : "", totals->online, joules.cores);
	}
	/* Without a CPU nobody knows of any time, and 0 would look like a measurement. */
	if (totals->online)
		use_row(&table, "idle", totals->time[BCOSLOG_USE_IDLE], totals->time[BCOSLOG_USE_UNKNOWN], totals->online, joules);
	if (totals->online)
		use_row(&table, "unknown", totals->time[BCOSLOG_USE_UNKNOWN], 0, totals->online, CELL_NONE);
	table.failed |= lives->failed;
	if (report->form == TABLE_SVG)
		error = chart_bars(report, &table, &(struct bars){ .title = "Who had the CPUs", .id = 0, .name = 1,
								   .value = 2, .class = class_of });
	else
		error = report_table(report, &table);
	report->rows &= totals->online > 0;
	return error;
}

static int take_count(struct arguments *arguments, const char *text)
{
	struct top_report *top = ((struct report *)arguments->context)->context;

	return parse_number("--count", text, 1000000, &top->rows);
}

static int take_once(struct arguments *arguments, const char *text)
{
	(void)text;
	((struct report *)arguments->context)->once = true;
	return 0;
}

static int take_energy(struct arguments *arguments, const char *text)
{
	(void)arguments;
	(void)text;
	screen_energy = true;
	columns[INSTRUCTIONS].title = "M instr";
	columns[JOULES].title = "joules";
	return 0;
}

static int take_by(struct arguments *arguments, const char *text)
{
	struct report *report = arguments->context;

	((struct top_report *)report->context)->by = group_choice(text);
	report->once = true;
	if (group_choice(text))
		return 0;
	complain("--by takes cgroup, user, parent or name, and not \"%s\"", text);
	return -1;
}

static int take_tree(struct arguments *arguments, const char *text)
{
	struct report *report = arguments->context;

	(void)text;
	((struct top_report *)report->context)->tree = true;
	report->once = true;
	return 0;
}

static void thread_ended(void *context, const struct bcoslog_account_thread *thread)
{
	struct top_report *top = context;

	top_threads_take(&top->threads, &top->lives.session->filter, thread);
}

static int take_threads(struct arguments *arguments, const char *text)
{
	static const struct bcoslog_thread_sinks sinks = { .ended = thread_ended };
	struct report *report = arguments->context;

	(void)text;
	((struct top_report *)report->context)->by_threads = true;
	report->threads = &sinks;
	report->once = true;
	recorder_wants(arguments->session, BCOS_CLASS_STATE);
	return 0;
}

static int ready_top(struct report *report, struct arguments *arguments)
{
	const struct top_report *top = report->context;

	(void)arguments;
	if (!!top->by + top->tree + top->by_threads > 1)
		complain("--by, --tree and --threads are tables of their own: leave all but one out");
	else if (top->by_threads && filter_has_cpus(&report->session->filter))
		complain("--threads tells of all CPUs together: leave --cpu and --core out");
	else if (top->by_threads && screen_energy)
		complain("--energy tells of processes: leave --threads out");
	else if ((top->by || top->tree) && screen_energy)
		complain("--energy tells of single processes: leave --by and --tree out, or take --json, which has the energy of groups");
	else
		return 0;
	return -1;
}

static int take_every(struct arguments *arguments, const char *text)
{
	(void)arguments;
	if (parse_duration("--every", text, &top_every))
		return -1;
	if (top_every >= TOP_EVERY_MIN)
		return 0;
	complain("--every takes the time between two screens, 100ms or more, not %s", text);
	return -1;
}

static int cmd_top(struct session *session, int argc, char **argv)
{
	struct top_report top = { .lives.session = session, .rows = 20 };
	struct report report = {
		.context = &top,
		.no_device = "top tells of processes, and no device has a CPU: leave --device out, or see bcoslog io",
		.command = &command_top,
		.ready = ready_top,
		.sinks = { .interval = top_interval, .process_ended = top_ended },
		.threads = &report_sleeps, .print = print_top, .end = end_top, .svg = true, .screen = top_screen,
		.lists = "CPU that was online",
	};

	return report_run(session, &report, argc, argv);
}

static const struct option_spec options[] = {
	{ .name = "once", .take = take_once, .help = "print the table, also on a terminal" },
	{ .name = "energy", .take = take_energy,
	  .help = "show also instructions and energy, which most machines can only estimate, or do not know (--json "
		  "and --csv have them)" },
	{ .name = "by", .value = GROUP_VALUES, .word = "WHAT", .take = take_by,
	  .help = "print a row for all processes of a control group (cgroup), user or parent, or of a name" },
	{ .name = "tree", .take = take_tree, .help = "print parents before their children, with the sums of families" },
	{ .name = "threads", .take = take_threads, .help = "print threads in place of processes (class state)" },
	{ .name = "every", .value = "WIDTH", .take = take_every,
	  .help = "change the screen after this time (1s; at least 100ms)" },
	{ .name = "count", .letter = 'n', .value = "N", .take = take_count,
	  .help = "print N processes, the others as one row (20; 0 means all)" },
	{ .name = NULL },
};

const struct command command_top = {
	.name = "top",
	.summary = "show which processes use the CPUs, the busiest first",
	.usage = "bcoslog top [OPTIONS] [LOG]",
	.about =
"Lists the processes that had the CPUs, the greatest CPU time first: time on\n"
"CPUs, its share of the time of all CPUs, turns, and the longest stretch without\n"
"a CPU.  The kernel, idle and unknown time have rows of their own.\n"
"\n"
"On a terminal the table fills the screen, and shows the last second while the\n"
"log grows; for a file, it shows the whole contents.  The key h shows the keys,\n"
"and q leaves.",
	.options = { options, cgroup_options, ROWS_OF_PROCESSES, DRAWN_REPORT_OPTIONS },
	.silent = report_refused_options,
	.after = REPORT_AFTER,
	.status = STATUS_OF_LOG,
	.records = true,
	.takes_program = true,
	.run = cmd_top,
};
