// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog cpu: shows the uses of CPUs (§7.3). */
#include "buckets.h"
#include "command.h"
#include "complain/complain.h"
#include "cpu_groups.h"
#include "account/report.h"
#include "options/filter.h"
#include "options/option.h"
#include "options/options.h"
#include "options/shared.h"
#include "rows.h"
#include "svg/svg.h"

/* The counts of a bucket: the ns of each use of all CPUs. */
struct bucket {
	__u64 time[BCOSLOG_USES];
};

struct cpus {
	struct buckets buckets;
	struct course all;
	struct courses courses;
	struct svg_rows drawn;
	struct cpu_groups groups;
	struct report *report;
};

/* Return: the amounts of an interval. An idle one counts only in @whole. */
static struct course_amount interval_amount(const struct bcoslog_interval *interval)
{
	double span = (double)(interval->end - interval->begin);

	if (interval->use == BCOSLOG_USE_UNKNOWN)
		return (struct course_amount){ .unknown = span };
	return (struct course_amount){ .part = interval->use == BCOSLOG_USE_IDLE ? 0 : span, .whole = span };
}

static void into_buckets(struct cpus *cpus, const struct bcoslog_interval *interval, u64 origin)
{
	u64 begin = interval->begin, until;
	struct bucket *bucket;

	for (; begin < interval->end; begin = until) {
		bucket = buckets_at(&cpus->buckets, origin, begin);
		if (!bucket)
			return;
		until = buckets_end(&cpus->buckets, begin, interval->end);
		sum_add(&bucket->time[interval->use], until - begin);
	}
}

static void cpu_interval(void *context, const struct bcoslog_interval *interval)
{
	struct cpus *cpus = context;
	u64 origin = bcoslog_account_totals(cpus->report->account)->begin;
	struct course *course;

	if (interval->begin >= interval->end || !filter_wants_cpu(&cpus->report->session->filter, interval->cpu, interval->core))
		return;
	if (cpus->report->form == TABLE_SVG) {
		svg_cpu_interval(&cpus->drawn, interval, origin);
		return;
	}
	if (cpus->groups.by) {
		cpu_groups_interval(&cpus->groups, interval);
		return;
	}
	if (cpus->buckets.every) {
		into_buckets(cpus, interval, origin);
		return;
	}
	course = courses_of(&cpus->courses, interval->cpu);
	if (course)
		course_add(course, origin, interval->begin, interval->end, interval_amount(interval));
	course_add(&cpus->all, origin, interval->begin, interval->end, interval_amount(interval));
}

static const struct column columns[] = {
	{ "cpu", "CPU", CELL_ID },
	{ "core", "core", CELL_NUMBER },
	{ "online_ns", "online", CELL_SPAN },
	{ "processes_ns", NULL, CELL_COUNT },
	{ "kernel_ns", NULL, CELL_COUNT },
	{ "idle_ns", NULL, CELL_COUNT },
	{ "unknown_ns", NULL, CELL_COUNT },
	{ "processes", "processes", CELL_SHARE },
	{ "kernel", "kernel", CELL_SHARE },
	{ "idle", "idle", CELL_SHARE },
	{ "unknown", "unknown", CELL_SHARE },
	{ "turns", "turns", CELL_COUNT },
	{ "course", "busy", CELL_COURSE },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void fill_uses(struct cell *cells, const __u64 *time, u64 online)
{
	unsigned int use;
	bool least;

	for (use = 0; use < BCOSLOG_USES; use++) {
		least = use != BCOSLOG_USE_UNKNOWN && time[BCOSLOG_USE_UNKNOWN];
		cells[use] = cell_sum(time[use], least);
		cells[BCOSLOG_USES + use] = cell_share(time[use], online, least);
	}
}

void cpu_begin(struct table_rows *table, bool courses)
{
	table_begin(table, columns, courses ? COLUMNS : COLUMNS - 1);
	table->spare = "turns core";
}

void cpu_row(struct table_rows *table, const char *name, const struct bcoslog_account_cpu *cpu,
	     struct course *course, const struct bcoslog_account_totals *totals)
{
	struct cell cells[COLUMNS];
	float values[COURSE_WIDTH];

	cells[0] = CELL_WORD(name);
	cells[1] = strcmp(name, "all") ? CELL_OF(cpu->core) : CELL_NONE;
	/* What is not known of a CPU is what it did, and not that it was online. */
	cells[2] = CELL_EXACT(cpu->online);
	fill_uses(&cells[3], cpu->time, cpu->online);
	cells[11] = cell_sum(cpu->turns, cpu->lost);
	cells[12] = course ? course_cell(course, totals->begin, totals->end, values) : CELL_NONE;
	table_row(table, cells);
}

static void add_cpu(struct bcoslog_account_cpu *sum, const struct bcoslog_account_cpu *cpu)
{
	unsigned int use;

	sum_add(&sum->online, cpu->online);
	sum->turns += cpu->turns;
	sum->lost |= cpu->lost;
	for (use = 0; use < BCOSLOG_USES; use++)
		sum_add(&sum->time[use], cpu->time[use]);
}

static int print_cpus(struct report *report)
{
	struct cpus *cpus = report->context;
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(report->account);
	struct bcoslog_account_cpu all = { 0 };
	const struct bcoslog_account_cpu *cpu = NULL;
	struct course *course, none = { 0 };
	struct table_rows table;
	bool any = false;
	char id[16];

	cpu_begin(&table, true);
	while ((cpu = bcoslog_account_next_cpu(report->account, cpu)))
		if (filter_wants_cpu(&cpus->report->session->filter, cpu->id, cpu->core))
			add_cpu(&all, cpu), any = true;
	if (any)
		cpu_row(&table, "all", &all, &cpus->all, totals);
	while ((cpu = bcoslog_account_next_cpu(report->account, cpu))) {
		if (!filter_wants_cpu(&cpus->report->session->filter, cpu->id, cpu->core))
			continue;
		snprintf(id, sizeof(id), "%u", cpu->id);
		course = courses_of(&cpus->courses, cpu->id);
		cpu_row(&table, id, cpu, course ? course : &none, totals);
	}
	table.failed |= cpus->courses.failed;
	return report_table(report, &table);
}

static const struct column bucket_columns[] = {
	BUCKET_HEADS,
	{ "online_ns", "online", CELL_SPAN },
	{ "processes_ns", NULL, CELL_COUNT },
	{ "kernel_ns", NULL, CELL_COUNT },
	{ "idle_ns", NULL, CELL_COUNT },
	{ "unknown_ns", NULL, CELL_COUNT },
	{ "processes", "processes", CELL_SHARE },
	{ "kernel", "kernel", CELL_SHARE },
	{ "idle", "idle", CELL_SHARE },
	{ "unknown", "unknown", CELL_SHARE },
};

static void fill_bucket(struct cell *cells, const struct bucket_row *row)
{
	const struct bucket *bucket = row->counted;
	unsigned int use;
	u64 online = 0;

	for (use = 0; use < BCOSLOG_USES; use++)
		sum_add(&online, bucket->time[use]);
	cells[0] = CELL_EXACT(online);
	fill_uses(&cells[1], bucket->time, online);
}

static int print_cpu(struct report *report)
{
	struct cpus *cpus = report->context;

	if (cpus->groups.by)
		return cpu_groups_print(&cpus->groups, report);
	if (report->form == TABLE_SVG)
		return svg_cpu_draw(&cpus->drawn, report);
	if (cpus->buckets.every)
		return buckets_print(report, &cpus->buckets, bucket_columns,
				     sizeof(bucket_columns) / sizeof(*bucket_columns), "online_ns end", fill_bucket);
	return print_cpus(report);
}

static void end_cpu(struct report *report)
{
	struct cpus *cpus = report->context;

	buckets_free(&cpus->buckets);
	courses_free(&cpus->courses);
	cpu_groups_free(&cpus->groups);
}

static int take_every(struct arguments *arguments, const char *text)
{
	struct cpus *cpus = ((struct report *)arguments->context)->context;

	if (buckets_take(&cpus->buckets, text))
		return -1;
	cpus->drawn.fixed = cpus->buckets.every;
	return 0;
}

static int take_by(struct arguments *arguments, const char *text)
{
	struct cpus *cpus = ((struct report *)arguments->context)->context;

	cpus->groups.by = group_choice(text);
	if (cpus->groups.by)
		return 0;
	complain("--by takes cgroup, user, parent or name, and not \"%s\"", text);
	return -1;
}

static int ready_cpu(struct report *report, struct arguments *arguments)
{
	const struct cpus *cpus = report->context;

	(void)arguments;
	if (cpus->groups.by && cpus->buckets.every)
		complain("--every tells of all CPUs together: leave --by out");
	else if (cpus->groups.by && report->form == TABLE_SVG)
		complain("cpu --by cannot be drawn: --json and --csv are for programs");
	else
		return 0;
	return -1;
}

static void process_ended(void *context, const struct bcoslog_account_process *process)
{
	struct cpus *cpus = context;

	if (cpus->groups.by)
		cpu_groups_ended(&cpus->groups, cpus->report, process);
}

static int cmd_cpu(struct session *session, int argc, char **argv)
{
	struct cpus cpus = { .buckets.size = sizeof(struct bucket) };
	struct report report = {
		.context = &cpus,
		.no_process = "cpu tells of CPUs, whoever has them: leave --process out, or see bcoslog top --process",
		.no_device = "cpu tells of CPUs, and no device has one: leave --device out, or see bcoslog io",
		.command = &command_cpu,
		.ready = ready_cpu,
		.sinks = {.interval = cpu_interval, .process_ended = process_ended},
		.print = print_cpu,
		.end = end_cpu,
		.svg = true,
		.lists = "CPU that was online",
		.lists_lost = BCOSLOG_LOST_ASSIGNMENTS,
		.after = note_precision_of_use,
	};

	cpus.report = &report;
	return report_run(session, &report, argc, argv);
}

static const struct option_spec options[] = {
	{ .name = "every", .value = "WIDTH", .take = take_every,
	  .help = "all CPUs together, a row for each stretch, such as 1s; with --svg stretches of this width" },
	{ .name = "by", .value = GROUP_VALUES, .word = "WHAT", .take = take_by,
	  .help = "show who had each CPU: a row for all processes of a control group (cgroup), user or parent, or of a "
		  "name" },
	{ .name = NULL },
};

const struct command command_cpu = {
	.name = "cpu",
	.summary = "show what each CPU did: processes, kernel, idle",
	.usage = "bcoslog cpu [OPTIONS] [LOG]",
	.about =
"Shows the use of each CPU: by processes, by the kernel, idle, or unknown, and\n"
"how busy it was over time, as a line of blocks.  CPUs count only while they are\n"
"online.  Without the class kernel_time, the kernel's time is that of its threads\n"
"and of dying processes alone.",
	.options = { options, ROWS_OF_CPUS, DRAWN_REPORT_OPTIONS },
	.silent = report_refused_options,
	.after = REPORT_AFTER,
	.status = STATUS_OF_LOG,
	.records = true,
	.takes_program = true,
	.run = cmd_cpu,
};
