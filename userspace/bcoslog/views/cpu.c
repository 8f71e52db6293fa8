// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog cpu: what CPUs were used for (7.3). */
#include <stdlib.h>

#include "buckets.h"
#include "rows.h"
#include "svg/svg_cpu.h"

static const char help[] =
"Usage: bcoslog cpu [OPTIONS] [LOG]\n"
"\n"
"Tells what each CPU was used for: processes, the kernel, nothing (idle), or\n"
"unknown; and over time, as a line of blocks, how busy it was.  Only online\n"
"CPUs count.  Without the class kernel_time, the kernel is kernel threads and\n"
"dying processes alone: what it does for a process is the process'.\n"
"\n"
"      --every WIDTH   all CPUs together, a row for each stretch of time, as 1s;\n"
"                      with --svg stretches of this width\n"
REPORT_HELP;

struct cpu_course {
	u32 id;
	struct course course;
};

/* All CPUs, from one multiple of @every to the next. */
struct bucket {
	__u64 time[BCOSLOG_USES];
};

static struct cpus {
	struct buckets buckets;
	struct course all;
	struct cpu_course *courses;
	size_t count;
	bool failed;
	struct report *report;
} cpus = { .buckets.size = sizeof(struct bucket) };

static enum course_is meaning(enum bcoslog_use use)
{
	if (use == BCOSLOG_USE_UNKNOWN)
		return COURSE_UNKNOWN;
	return use == BCOSLOG_USE_IDLE ? COURSE_REST : COURSE_PART;
}

static struct course *course_of(u32 id)
{
	struct cpu_course *larger;
	size_t i;

	/* CPUs take turns, few at a time. */
	for (i = 0; i < cpus.count; i++)
		if (cpus.courses[i].id == id)
			return &cpus.courses[i].course;
	larger = reallocarray(cpus.courses, cpus.count + 1, sizeof(*larger));
	if (!larger) {
		cpus.failed = true;
		return NULL;
	}
	cpus.courses = larger;
	memset(&larger[cpus.count], 0, sizeof(*larger));
	larger[cpus.count].id = id;
	return &larger[cpus.count++].course;
}

static void into_buckets(const struct bcoslog_interval *interval, u64 origin)
{
	u64 begin = interval->begin, until;
	struct bucket *bucket;

	for (; begin < interval->end; begin = until) {
		bucket = buckets_at(&cpus.buckets, origin, begin);
		if (!bucket)
			return;
		until = buckets_end(&cpus.buckets, begin, interval->end);
		bucket->time[interval->use] += until - begin;
	}
}

static void interval(void *context, const struct bcoslog_interval *interval)
{
	u64 origin = bcoslog_account_totals(cpus.report->account)->begin;
	struct course *course;

	(void)context;
	if (!filter_wants_cpu(interval->cpu, interval->core))
		return;
	if (cpus.report->form == TABLE_SVG) {
		svg_cpu_interval(interval, origin);
		return;
	}
	if (cpus.buckets.every) {
		into_buckets(interval, origin);
		return;
	}
	course = course_of(interval->cpu);
	if (course)
		course_add(course, origin, interval->begin, interval->end, meaning(interval->use));
	course_add(&cpus.all, origin, interval->begin, interval->end, meaning(interval->use));
}

static const struct column columns[] = {
	{ "cpu", "CPU", CELL_TEXT },
	{ "core", "core", CELL_NUMBER },
	{ "online_ns", "online", CELL_SPAN },
	{ "processes_ns", NULL, CELL_NUMBER },
	{ "kernel_ns", NULL, CELL_NUMBER },
	{ "idle_ns", NULL, CELL_NUMBER },
	{ "unknown_ns", NULL, CELL_NUMBER },
	{ "processes", "processes", CELL_SHARE },
	{ "kernel", "kernel", CELL_SHARE },
	{ "idle", "idle", CELL_SHARE },
	{ "unknown", "unknown", CELL_SHARE },
	{ "turns", "turns", CELL_NUMBER },
	{ "course", "busy", CELL_COURSE },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void uses(struct cell *cells, const __u64 *time, u64 online)
{
	unsigned int use;

	for (use = 0; use < BCOSLOG_USES; use++) {
		cells[use] = cell_sum(time[use], use != BCOSLOG_USE_UNKNOWN && time[BCOSLOG_USE_UNKNOWN]);
		cells[BCOSLOG_USES + use] = cell_share(time[use], online);
	}
}

void cpu_begin(struct table_rows *table)
{
	table_begin(table, columns, COLUMNS);
	table->spare = "turns core";
}

void cpu_row(struct table_rows *table, const char *name, const struct bcoslog_account_cpu *cpu,
	     const struct course *course)
{
	struct cell cells[COLUMNS];
	float values[COURSE_WIDTH];

	cells[0] = CELL_WORD(name);
	cells[1] = strcmp(name, "all") ? CELL_OF(cpu->core) : CELL_NONE;
	cells[2] = CELL_OF(cpu->online);
	uses(&cells[3], cpu->time, cpu->online);
	cells[11] = CELL_OF(cpu->turns);
	cells[12] = course ? course_cell(course, values) : CELL_NONE;
	table_row(table, cells);
}

static void add(struct bcoslog_account_cpu *sum, const struct bcoslog_account_cpu *cpu)
{
	unsigned int use;

	sum->online += cpu->online;
	sum->turns += cpu->turns;
	for (use = 0; use < BCOSLOG_USES; use++)
		sum->time[use] += cpu->time[use];
}

static int print_cpus(struct report *report)
{
	struct bcoslog_account_cpu all = { 0 };
	const struct bcoslog_account_cpu *cpu = NULL;
	struct course *course, none = { 0 };
	struct table_rows table;
	char id[16];

	cpu_begin(&table);
	while ((cpu = bcoslog_account_next_cpu(report->account, cpu)))
		if (filter_wants_cpu(cpu->id, cpu->core))
			add(&all, cpu);
	cpu_row(&table, "all", &all, &cpus.all);
	while ((cpu = bcoslog_account_next_cpu(report->account, cpu))) {
		if (!filter_wants_cpu(cpu->id, cpu->core))
			continue;
		snprintf(id, sizeof(id), "%u", cpu->id);
		course = course_of(cpu->id);
		cpu_row(&table, id, cpu, course ? course : &none);
	}
	table.failed |= cpus.failed;
	return table_end(&table, report->form);
}

static const struct column bucket_columns[] = {
	BUCKET_HEADS,
	{ "online_ns", "online", CELL_SPAN },
	{ "processes_ns", NULL, CELL_NUMBER },
	{ "kernel_ns", NULL, CELL_NUMBER },
	{ "idle_ns", NULL, CELL_NUMBER },
	{ "unknown_ns", NULL, CELL_NUMBER },
	{ "processes", "processes", CELL_SHARE },
	{ "kernel", "kernel", CELL_SHARE },
	{ "idle", "idle", CELL_SHARE },
	{ "unknown", "unknown", CELL_SHARE },
};

static void fill(struct cell *cells, const struct bucket_row *row)
{
	const struct bucket *bucket = row->counted;
	unsigned int use;
	u64 online = 0;

	for (use = 0; use < BCOSLOG_USES; use++)
		online += bucket->time[use];
	cells[0] = CELL_OF(online);
	uses(&cells[1], bucket->time, online);
}

static int print(struct report *report)
{
	int error;

	if (report->form == TABLE_SVG)
		error = svg_cpu_draw(report);
	else if (cpus.buckets.every)
		error = buckets_print(report, &cpus.buckets, bucket_columns, sizeof(bucket_columns) / sizeof(*bucket_columns),
				      "online_ns end", fill);
	else
		error = print_cpus(report);
	free(cpus.courses);
	return error;
}

static int take_every(void *context, const char *text)
{
	(void)context;
	if (buckets_take(&cpus.buckets, text))
		return -1;
	svg_cpu_width(cpus.buckets.every);
	return 0;
}

int cmd_cpu(int argc, char **argv)
{
	static const struct option_spec options[] = {
		{ "every", 0, "WIDTH", take_every },
		{ NULL, 0, NULL, NULL },
	};
	struct report report = {
		.no_process = "cpu tells of CPUs, whoever has them: leave --process out, or see bcoslog top --process",
		.no_device = "cpu tells of CPUs, and no device has one: leave --device out, or see bcoslog io",
		.command = "cpu", .help = help, .options = options, .sinks = { .interval = interval }, .print = print, .svg = true,
	};

	cpus.report = &report;
	return report_run(&report, argc, argv);
}
