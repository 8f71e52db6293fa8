// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog power: shows the performance, power and efficiency of cores (§7.5). */
#include <stdlib.h>

#include "buckets.h"
#include "command.h"
#include "account/report.h"
#include "options/filter.h"
#include "options/option.h"
#include "options/options.h"
#include "options/shared.h"
#include "rows.h"
#include "complain/complain.h"
#include "svg/svg.h"

static const struct column columns[] = {
	{ "core", "core", CELL_ID },
	{ "online_ns", "online", CELL_SPAN },
	{ "idle_ns", NULL, CELL_COUNT },
	{ "idle", "idle", CELL_SHARE },
	{ "instructions", NULL, CELL_REAL },
	{ "million_instructions_per_second", "M instr/s", CELL_REAL },
	{ "used", "used", CELL_SHARE },
	{ "joules", "joules", CELL_REAL },
	{ "watts", "watts", CELL_REAL },
	{ "million_instructions_per_joule", "M instr/J", CELL_REAL },
	{ "power_unknown_ns", NULL, CELL_COUNT },
	{ "performance_unknown_ns", NULL, CELL_COUNT },
	{ "performance_assumed_ns", NULL, CELL_COUNT },
	{ "power_unknown_cores", NULL, CELL_COUNT },
	{ "used_course", "in use", CELL_COURSE },
	{ "power_course", "power", CELL_COURSE },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))
/* The number of columns with courses over time. */
#define COURSES 2

/* A core, or a sum over cores. */
struct sum {
	u64 online, idle;		/* ns */
	double capacity;		/* instructions that could have been executed */
	struct bcoslog_work work;
	double possible, least_joules;	/* what @work may be short of by instructions, and is by energy */
	bool boundless;			/* nothing limits the instructions */
	u32 unknown;			/* number of cores whose power is unknown for some of the time */
	bool unseen;			/* for some of the time the log does not tell what their CPUs did */
};

/* The courses of all cores together, and of each core. */
struct power_courses {
	struct course used, power;
	struct courses used_of, power_of;
	u64 begin, end;
};

/**
 * struct power - the state of bcoslog power
 * @report: the report
 * @courses: what its table shows over time
 * @sums: what --every shows
 * @counted: for each core, the last bucket in which it was counted as unknown
 * @counted_count: number of @counted
 * @drawn: what --svg shows
 */
struct power {
	struct report *report;
	struct power_courses courses;
	struct buckets sums;
	struct counted {
		u32 core;
		u64 begin;
	} *counted;
	size_t counted_count;
	struct svg_rows drawn;
};

static void add_core(struct sum *sum, const struct bcoslog_account_core *core)
{
	sum_add(&sum->online, core->online);
	sum_add(&sum->idle, core->idle);
	sum->capacity += core->capacity;
	sum->work.instructions += core->work.instructions;
	sum->work.joules += core->work.joules;
	sum_add(&sum->work.performance_unknown, core->work.performance_unknown);
	sum_add(&sum->work.performance_assumed, core->work.performance_assumed);
	sum_add(&sum->work.power_unknown, core->work.power_unknown);
	sum->work.at_least |= core->work.at_least;
	sum->possible += core->possible;
	sum->least_joules += core->least_joules;
	sum->boundless |= !!core->boundless;
	sum->unknown += !!core->work.power_unknown;
}

u32 power_unknown_cores(const struct bcoslog_account_core *cores, size_t count)
{
	u32 unknown = 0;

	while (count--)
		unknown += !!cores[count].work.power_unknown;
	return unknown;
}

/* Return: the cell of a value, which is unknown if @nothing of it is known, or a lower bound. */
static struct cell known_cell(double value, bool nothing, bool least)
{
	struct cell cell = CELL_REAL_EXACT(value);

	cell.unknown = nothing;
	cell.least = least;
	return cell;
}

/*
 * Return: the cell of the efficiency, in million instructions a joule. Where instructions or energy are unknown for some
 * of the time, it is the upper bound: the most instructions by the least energy.
 */
static struct cell efficiency_cell(const struct sum *sum)
{
	const struct bcoslog_work *work = &sum->work;
	double joules = work->joules + sum->least_joules;
	bool nothing = work->performance_unknown == sum->online || work->power_unknown == sum->online;
	struct cell cell = known_cell((work->instructions + sum->possible) / 1e6 / joules,
				      nothing || sum->boundless || joules <= 0, false);

	cell.most = work->performance_unknown || work->power_unknown || work->at_least;
	return cell;
}

/* Return: the cell of the energy or power of several cores, with the number of cores that it does not include. */
static struct cell summed_cell(double value, const struct sum *sum)
{
	struct cell cell = known_cell(value, sum->work.power_unknown == sum->online, sum->work.at_least);

	cell.cores = sum->unknown;
	return cell;
}

/*
 * Adds a row. For all cores together, rates are sums over @span ns. For one core @span is 0, and rates are means over
 * the time for which they are known. @courses is NULL if the table has no courses, and @used and @drawn are two of them.
 */
static void power_row(struct table_rows *table, const char *name, const struct sum *sum, u64 span,
		      const struct power_courses *courses, struct course *used, struct course *drawn)
{
	const struct bcoslog_work *work = &sum->work;
	u64 performance = sum->online - work->performance_unknown, power = sum->online - work->power_unknown;
	bool least = work->power_unknown || work->at_least;
	float shares[COURSE_WIDTH], watts[COURSE_WIDTH];
	struct cell joules = known_cell(work->joules, !power, least);
	struct cell mean = known_cell(work->joules / ((double)power / 1e9), !power, work->at_least);

	if (span) {
		joules = summed_cell(work->joules, sum);
		mean = summed_cell(work->joules / ((double)span / 1e9), sum);
	}
	table_row(table, (struct cell[COLUMNS]){
		CELL_WORD(name), CELL_EXACT(sum->online), cell_sum(sum->idle, sum->unseen),
		cell_share(sum->idle, sum->online, sum->unseen),
		known_cell(work->instructions, !performance, work->performance_unknown),
		known_cell(work->instructions / 1e6 / ((double)(span ? span : performance) / 1e9), !performance,
			   span && work->performance_unknown),
		known_cell(work->instructions / sum->capacity, !performance || sum->capacity <= 0, work->performance_unknown),
		joules, mean,
		efficiency_cell(sum),
		CELL_EXACT(work->power_unknown), CELL_EXACT(work->performance_unknown), CELL_EXACT(work->performance_assumed),
		CELL_EXACT(sum->unknown),
		used ? course_cell(used, courses->begin, courses->end, shares) : CELL_NONE,
		drawn ? course_rate_cell(drawn, courses->begin, courses->end, watts) : CELL_NONE,
	});
}

void power_begin(struct table_rows *table, bool courses)
{
	table_begin(table, columns, courses ? COLUMNS : COLUMNS - COURSES);
	table->spare = "power_course million_instructions_per_joule idle joules used_course";
}

/* Does the log not tell what a CPU of the core did for some of the time? */
static bool has_unseen(const struct cpus_of *cpus, u32 core)
{
	size_t i;

	for (i = 0; i < cpus->count; i++)
		if (cpus->of[i].core == core && cpus->of[i].time[BCOSLOG_USE_UNKNOWN])
			return true;
	return false;
}

void power_rows(struct table_rows *table, const struct bcoslog_account_core *cores, size_t count, u64 span,
		const struct cpus_of *cpus, struct power_courses *courses)
{
	struct sum all = { 0 }, one;
	char name[16];
	size_t i;

	for (i = 0; i < count; i++) {
		add_core(&all, &cores[i]);
		all.unseen |= has_unseen(cpus, cores[i].id);
	}
	/* A @span of 0 would stand for one core. */
	power_row(table, "all", &all, span ? span : 1, courses, courses ? &courses->used : NULL,
		  courses ? &courses->power : NULL);
	for (i = 0; i < count; i++) {
		memset(&one, 0, sizeof(one));
		add_core(&one, &cores[i]);
		one.unseen = has_unseen(cpus, cores[i].id);
		snprintf(name, sizeof(name), "%u", cores[i].id);
		power_row(table, name, &one, 0, courses, courses ? courses_of(&courses->used_of, cores[i].id) : NULL,
			  courses ? courses_of(&courses->power_of, cores[i].id) : NULL);
	}
}

/* ---- stretches of time ---------------------------------------------------------------- */


static const struct column sum_columns[] = {
	BUCKET_HEADS,
	{ "instructions", NULL, CELL_REAL },
	{ "million_instructions_per_second", "M instr/s", CELL_REAL },
	{ "used", "used", CELL_SHARE },
	{ "joules", "joules", CELL_REAL },
	{ "watts", "watts", CELL_REAL },
	{ "million_instructions_per_joule", "M instr/J", CELL_REAL },
	{ "power_unknown_ns", NULL, CELL_COUNT },
	{ "performance_unknown_ns", NULL, CELL_COUNT },
	{ "power_unknown_cores", NULL, CELL_COUNT },
};

/* Fills in the cells of a bucket. Watts and instructions a second are those of all cores together. */
static void fill_bucket(struct cell *cells, const struct bucket_row *row)
{
	const struct sum *sum = row->counted;
	const struct bcoslog_work *work = &sum->work;
	bool no_performance = sum->online == work->performance_unknown;

	cells[0] = known_cell(work->instructions, no_performance, work->performance_unknown);
	cells[1] = known_cell(work->instructions / 1e6 / row->seconds, no_performance, work->performance_unknown);
	cells[2] = known_cell(work->instructions / sum->capacity, no_performance || sum->capacity <= 0, work->performance_unknown);
	cells[3] = summed_cell(work->joules, sum);
	cells[4] = summed_cell(work->joules / row->seconds, sum);
	cells[5] = efficiency_cell(sum);
	cells[6] = CELL_EXACT(work->power_unknown);
	cells[7] = CELL_EXACT(work->performance_unknown);
	cells[8] = CELL_EXACT(sum->unknown);
}

/* Is this the first time that the power of the core is unknown in the bucket that begins at @begin? */
static bool is_news(struct power *power, u32 core, u64 begin)
{
	struct counted *larger;
	bool news;
	size_t i;

	for (i = 0; i < power->counted_count && power->counted[i].core != core; i++)
		;
	if (i == power->counted_count) {
		larger = reallocarray(power->counted, i + 1, sizeof(*larger));
		if (!larger) {
			power->sums.failed = true;
			return false;
		}
		power->counted = larger;
		power->counted[power->counted_count++] = (struct counted){ .core = core, .begin = ~(u64)0 };
	}
	news = power->counted[i].begin != begin;
	power->counted[i].begin = begin;
	return news;
}

static void into_buckets(struct power *power, const struct bcoslog_segment *segment, u64 origin)
{
	u64 begin = segment->begin, until;
	struct sum *sum;
	double span;

	for (; begin < segment->end; begin = until) {
		sum = buckets_at(&power->sums, origin, begin);
		if (!sum)
			return;
		until = buckets_end(&power->sums, begin, segment->end);
		span = (double)(until - begin);
		sum_add(&sum->online, until - begin);
		sum->work.at_least |= segment->at_least;
		sum->capacity += (double)segment->capacity * span / 125e3;
		if (segment->performance_known) {
			sum->work.instructions += (double)segment->performance * span / 125e3;
		} else {
			sum_add(&sum->work.performance_unknown, until - begin);
			sum->possible += (double)segment->possible * span / 125e3;
			sum->boundless |= !segment->possible;
		}
		if (segment->power_known) {
			sum->work.joules += (double)segment->power * 2e-3 * span / 1e9;
		} else {
			sum_add(&sum->work.power_unknown, until - begin);
			sum->least_joules += (double)segment->least_power * 2e-3 * span / 1e9;
			sum->unknown += is_news(power, segment->core, begin - begin % power->sums.every);
		}
	}
}

static int take_every(struct arguments *arguments, const char *text)
{
	struct power *power = ((struct report *)arguments->context)->context;

	if (buckets_take(&power->sums, text))
		return -1;
	power->drawn.fixed = power->sums.every;
	return 0;
}

/* ---- the course ----------------------------------------------------------------------- */

static void into_course(struct course *used, struct course *power, const struct bcoslog_segment *segment, u64 origin)
{
	double span = (double)(segment->end - segment->begin);
	struct course_amount performance = { .unknown = span }, energy = { .unknown = span };

	if (segment->performance_known)
		performance = (struct course_amount){ (double)segment->performance * span,
						      (double)segment->capacity * span, 0 };
	if (segment->power_known)
		energy = (struct course_amount){ .part = (double)segment->power * span };
	if (used)
		course_add(used, origin, segment->begin, segment->end, performance);
	if (power)
		course_add(power, origin, segment->begin, segment->end, energy);
}

/* ---- the report ----------------------------------------------------------------------- */

static void power_segment(void *context, const struct bcoslog_segment *segment)
{
	struct power *power = context;
	const struct report *report = power->report;
	struct power_courses *courses = &power->courses;
	u64 origin = bcoslog_account_totals(report->account)->begin;

	if (!segment->cpus || segment->begin >= segment->end || !filter_wants_core(&report->session->filter, segment->core))
		return;
	if (report->form == TABLE_SVG) {
		svg_power_segment(&power->drawn, segment, origin);
	} else if (power->sums.every) {
		into_buckets(power, segment, origin);
	} else {
		into_course(&courses->used, &courses->power, segment, origin);
		into_course(courses_of(&courses->used_of, segment->core), courses_of(&courses->power_of, segment->core),
			    segment, origin);
	}
}

static int print_buckets(struct report *report)
{
	struct power *power = report->context;

	return buckets_print(report, &power->sums, sum_columns, sizeof(sum_columns) / sizeof(*sum_columns),
			     "million_instructions_per_joule end joules", fill_bucket);
}

static int print_power(struct report *report)
{
	struct power *power = report->context;
	struct power_courses *courses = &power->courses;
	const struct bcoslog_account_core *core = NULL;
	struct bcoslog_account_core *cores = NULL, *larger;
	const struct bcoslog_account_cpu *cpu = NULL;
	struct bcoslog_account_cpu *cpu_larger;
	struct cpus_of cpus = { 0 };
	struct table_rows table;
	bool assumed = false;
	size_t count = 0;

	if (report->form == TABLE_SVG)
		return svg_power_draw(&power->drawn, report);
	if (power->sums.every)
		return print_buckets(report);
	courses->begin = bcoslog_account_totals(report->account)->begin;
	courses->end = bcoslog_account_totals(report->account)->end;
	power_begin(&table, true);
	while ((core = bcoslog_account_next_core(report->account, core))) {
		if (!filter_wants_core(&report->session->filter, core->id))
			continue;
		larger = reallocarray(cores, count + 1, sizeof(*larger));
		table.failed |= !larger;
		if (!larger)
			break;
		cores = larger;
		cores[count++] = *core;
		assumed |= core->work.performance_assumed;
	}
	while ((cpu = bcoslog_account_next_cpu(report->account, cpu))) {
		cpu_larger = reallocarray(cpus.of, cpus.count + 1, sizeof(*cpu_larger));
		table.failed |= !cpu_larger;
		if (!cpu_larger)
			break;
		cpus.of = cpu_larger;
		cpu_larger[cpus.count++] = *cpu;
	}
	if (count)
		power_rows(&table, cores, count, courses->end - courses->begin, &cpus, courses);
	free(cpus.of);
	table.failed |= courses->used_of.failed || courses->power_of.failed;
	if (assumed)
		complain("the table of a core's performance is shorter than the core has CPUs: where more of them were busy, its "
			 "last entry is taken");
	free(cores);
	return report_table(report, &table);
}

static void end_power(struct report *report)
{
	struct power *power = report->context;

	buckets_free(&power->sums);
	courses_free(&power->courses.used_of);
	courses_free(&power->courses.power_of);
	free(power->counted);
}

static int cmd_power(struct session *session, int argc, char **argv)
{
	struct power power = { .sums.size = sizeof(struct sum) };
	struct report report = {
		.context = &power,
		.command = &command_power,
		.print = print_power,
		.end = end_power,
		.svg = true,
		.lists = "core that was online",
		.lists_lost = BCOSLOG_LOST_ASSIGNMENTS,
		.after = note_precision_of_use,
		.sinks = {.segment = power_segment, .unknown = chart_unknown},
		.no_process = "power tells of cores, whoever has their CPUs: leave --process out, or see bcoslog top "
			      "--process",
		.no_cpu = "power tells of cores, which their CPUs share: leave --cpu out, or see bcoslog cpu",
		.no_device = "power tells of cores, and the log does not say what devices take: leave --device out",
	};

	power.report = &report;
	return report_run(session, &report, argc, argv);
}

static const struct option_spec options[] = {
	{ .name = "every", .value = "WIDTH", .take = take_every,
	  .help = "all cores together, a row for each stretch, such as 1s; with --svg stretches of this width" },
	{ .name = NULL },
};

const struct command command_power = {
	.name = "power",
	.summary = "show performance and power of the cores",
	.usage = "bcoslog power [OPTIONS] [LOG]",
	.about =
"Shows the performance and power of each core, by the estimates that the log\n"
"states: instructions per second, their share of the core's performance, watts,\n"
"and instructions per joule.  Power of a package outside of its cores is not\n"
"included.  Lines of blocks show over time the used share of the performance, and\n"
"the power as a share of its greatest value.",
	.options = { options, ROWS_OF_CORES, DRAWN_REPORT_OPTIONS },
	.silent = report_refused_options,
	.after = REPORT_AFTER,
	.status = STATUS_OF_LOG,
	.records = true,
	.takes_program = true,
	.run = cmd_power,
};
