// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog offcpu: lists stretches for which a process had no CPU. */
#include <stdlib.h>

#include "command.h"
#include "account/report.h"
#include "options/filter.h"
#include "options/option.h"
#include "options/options.h"
#include "options/shared.h"
#include "options/when.h"
#include "rows.h"
#include "svg/svg.h"

struct offs {
	struct recent recent;
	u64 over;
	struct table_rows table;
	struct report *report;
	struct latency_total total;
	bool failed;
	char lists[2 * TABLE_CELL];	/* what the report lists */
};

static void process_leaves(struct offs *offs, const struct bcoslog_account_process *process, u32 cpu)
{
	struct latency_sums *sums = latency_of(process, sizeof(*sums));

	offs->failed |= !sums;
	if (!sums)
		return;
	sums->left = cpu;
}

static void offcpu_interval(void *context, const struct bcoslog_interval *turn)
{
	struct offs *offs = context;

	offs->failed |= !!recent_add(&offs->recent, turn);
	if (turn->process)
		process_leaves(offs, turn->process, turn->cpu);
}

/* Notes the CPU that a process leaves before the window, since the sink @interval gets no turns from before it. */
static void leaves_before(const struct report *report, const struct bcos_entry *entry)
{
	struct offs *offs = report->context;
	const struct bcoslog_account_cpu *cpu;

	if (entry->type != BCOS_ASSIGN_CPU && entry->type != BCOS_CPU_OFFLINE)
		return;
	cpu = bcoslog_account_cpu(report->account, entry->source);
	if (cpu && cpu->process)
		process_leaves(offs, cpu->process, cpu->id);
}

static int offcpu_entry(struct report *report, const struct bcos_entry *each)
{
	struct offs *offs = report->context;

	if (unlikely(each->time < report->sinks.since))
		leaves_before(report, each);
	return latency_entry(&offs->total, report, each, sizeof(struct latency_sums));
}

/* People get the column "unknown" only if a row of the table has something in it. */
static struct column columns[] = {
	{ "process", "process", CELL_NUMBER },
	{ "name", "name", CELL_TEXT },
	{ "begin", "from", CELL_TIME },
	{ "end", "to", CELL_TIME },
	{ "span_ns", "without a CPU", CELL_SPAN },
	{ "unknown_ns", NULL, CELL_SPAN },
	{ "left_cpu", "CPU", CELL_NUMBER },
	{ "instead", "instead", CELL_NUMBER },
	{ "instead_name", "who had it", CELL_TEXT },
	{ "instead_ns", "for", CELL_SPAN },
	{ "cpu", "then CPU", CELL_NUMBER },
	{ "woken_by", "woken by", CELL_TEXT },
	{ "waker", NULL, CELL_NUMBER },
	{ "waker_thread", NULL, CELL_NUMBER },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))
#define UNKNOWN 5

void offcpu_begin(struct table_rows *table)
{
	columns[UNKNOWN].title = NULL;
	table_begin(table, columns, COLUMNS);
	table->spare = "woken_by cpu end left_cpu instead_ns instead";
}

void offcpu_row(struct table_rows *table, const struct bcoslog_account_process *process, const struct stretch *stretch)
{
	bool is_thread = stretch->waker.by == BCOSLOG_WOKEN_BY_THREAD;
	const struct recent_use *instead = &stretch->instead;
	char by[64];

	struct cell span = cell_at_most(stretch->end - stretch->begin, stretch->unknown && !stretch->cut);

	/* What was before the window is longer, but not by how much; and perhaps the process ran in the window. */
	span.least = stretch->cut && !stretch->unknown;
	span.about = stretch->cut && stretch->unknown;
	if (stretch->unknown)
		columns[UNKNOWN].title = "unknown";
	table_row(table, (struct cell[COLUMNS]){
		CELL_OF(process->id), cell_name(process->name, process->name_length), CELL_OF(stretch->begin),
		CELL_OF(stretch->end), span,
		CELL_EXACT(stretch->unknown), CELL_OF(stretch->left),
		stretch->known && instead->use < BCOSLOG_USE_IDLE ? CELL_OF(instead->process) : CELL_NONE,
		stretch->known ? recent_name(instead) : CELL_NONE,
		stretch->known ? cell_sum(instead->time, instead->partial) : CELL_NONE, CELL_OF(stretch->cpu),
		stretch->preempted ? CELL_WORD("preempted") : waits_waker(&stretch->waker, by, sizeof(by)),
		is_thread ? CELL_OF(stretch->waker.process) : CELL_NONE,
		is_thread ? CELL_OF(stretch->waker.thread) : CELL_NONE,
	});
}

static void offcpu_stretch(void *context, const struct bcoslog_stretch *off)
{
	struct offs *offs = context;
	struct latency_sums *sums = off->process->user;
	u32 left = sums ? sums->left : off->cpu;
	bool preempted = sums && waits_off(&sums->waits, offs->report, off);
	struct stretch stretch;

	if (off->end - off->begin < offs->over || !filter_wants_life(&offs->report->session->filter, off->process) ||
	    (!report_wants_cpu(offs->report, left) && !report_wants_cpu(offs->report, off->cpu)))
		return;
	recent_stretch(&offs->recent, &stretch, offs->report->account, left, off);
	stretch.preempted = preempted;
	if (sums)
		stretch.waker = sums->waits.last_waker;
	offcpu_row(&offs->table, off->process, &stretch);
}

static void offcpu_ended(void *context, const struct bcoslog_account_process *process)
{
	(void)context;
	free(process->user);
	bcoslog_account_set_user(process, NULL);
}

static int print_offcpu(struct report *report)
{
	struct offs *offs = report->context;
	char over[TABLE_CELL];

	table_span(over, sizeof(over), offs->over);
	snprintf(offs->lists, sizeof(offs->lists), "stretch of %s or more without a CPU", over);
	report->lists = offs->lists;
	report->lists_why = "a shorter --over lists shorter ones";
	offs->table.failed |= offs->failed;
	if (report->form == TABLE_SVG)
		return chart_spans(report, &offs->table, &(struct spans){
			.title = "Stretches without a CPU", .id = 0, .name = 1, .begin = 2, .end = 3,
			.unknown = UNKNOWN, .lost = BCOSLOG_LOST_ASSIGNMENTS | BCOSLOG_LOST_LIVES });
	return report_table(report, &offs->table);
}

static void end_offcpu(struct report *report)
{
	struct offs *offs = report->context;

	recent_free(&offs->recent);
	table_free(&offs->table);
}

static int take_over(struct arguments *arguments, const char *text)
{
	struct offs *offs = ((struct report *)arguments->context)->context;

	return parse_duration("--over", text, &offs->over);
}

static int cmd_offcpu(struct session *session, int argc, char **argv)
{
	struct offs offs = { .over = 10000000 };
	struct report report = {
		.context = &offs,
		.command = &command_offcpu,
		.entry = offcpu_entry,
		.no_device =
			"offcpu tells of processes, and no device has a CPU: leave --device out, or see bcoslog io",
		.threads = &report_sleeps,
		.stretch = offcpu_stretch,
		.sinks = {.interval = offcpu_interval,
			  .process_ended = offcpu_ended,
			  .unknown = chart_unknown},
		.print = print_offcpu,
		.end = end_offcpu,
		.lists_lost = BCOSLOG_LOST_ASSIGNMENTS,
		.svg = true,
	};

	offs.report = &report;
	offcpu_begin(&offs.table);
	return report_run(session, &report, argc, argv);
}

static const struct option_spec options[] = {
	{ .name = "over", .value = "SPAN", .take = take_over, .help = "only stretches of at least this length (10ms)" },
	{ .name = NULL },
};

const struct command command_offcpu = {
	.name = "offcpu",
	.summary = "list the times for which a process had no CPU",
	.usage = "bcoslog offcpu [OPTIONS] [LOG]",
	.about =
"Lists the stretches between two turns for which a process had no CPU: the time,\n"
"the length, the CPU that it left, the process that had this CPU for most of the\n"
"stretch and for how long, and the CPU on which it continued.  With the class\n"
"state also the waker, or that the process had been preempted.  <= says that the\n"
"process may have run in between, for the time in the column \"unknown\", because\n"
"entries were lost, and >= that the stretch began before the chosen time.",
	.options = { options, cgroup_options, ROWS_OF_PROCESSES, DRAWN_REPORT_OPTIONS },
	.silent = report_refused_options,
	.after = REPORT_AFTER,
	.status = STATUS_OF_LOG,
	.records = true,
	.takes_program = true,
	.run = cmd_offcpu,
};
