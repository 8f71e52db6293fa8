// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog latency: shows how long processes wait for a CPU. */
#include <stdlib.h>

#include "command.h"
#include "account/report.h"
#include "options/filter.h"
#include "options/options.h"
#include "options/shared.h"
#include "rows.h"
#include "complain/complain.h"
#include "svg/svg.h"

/* People get the columns of uncertain waits only if a row of the table has any. */
static struct column columns[] = {
	{ "process", "process", CELL_NUMBER },
	{ "name", "name", CELL_TEXT },
	{ "of", "of", CELL_TEXT },
	{ "count", "times", CELL_COUNT },
	{ "mean_ns", "mean", CELL_SPAN },
	{ "longest_ns", "longest", CELL_SPAN },
	{ "longest_at", "at", CELL_TIME },
	{ "uncertain", NULL, CELL_COUNT },
	{ "uncertain_longest_ns", NULL, CELL_SPAN },
	{ "cpu_ns", "on CPUs", CELL_SPAN },
	{ "woken_by", "woken by", CELL_TEXT },
	{ "waker", NULL, CELL_NUMBER },
	{ "waker_thread", NULL, CELL_NUMBER },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))
#define UNCERTAIN 7

struct latency {
	struct table_rows table, thread_table;
	const struct report *report;
	struct latency_total total;
	bool threads, histogram;	/* --threads and --histogram were given */
	bool failed;
};

static unsigned int bucket_of(u64 ns)
{
	return ns ? 63 - (unsigned int)__builtin_clzll(ns) : 0;
}

struct latency_sums *latency_of(const struct bcoslog_account_process *process, size_t size)
{
	struct latency_sums *sums = process->user;

	if (sums)
		return sums;
	sums = calloc(1, size);
	bcoslog_account_set_user(process, sums);
	return sums;
}

/*
 * Counts the waits of the process that have ended since there were @before and @unsure_before; a certain one took @ns, or
 * more if it is @cut.
 */
static void process_waited(struct latency_total *total, const struct report *report,
			   const struct bcoslog_account_process *process, const struct waits *waits, u64 before,
			   u64 unsure_before, u64 ns, bool cut)
{
	if (process->id == BCOS_PROCESS_KERNEL || !filter_wants_life(&report->session->filter, process))
		return;
	if (waits->count != before)
		(*(cut ? &total->cut_waits : &total->waits[bucket_of(ns)]))++;
	total->unsure_waits += waits->unsure - unsure_before;
}

int latency_entry(struct latency_total *total, const struct report *report, const struct bcos_entry *entry, size_t size)
{
	const struct bcoslog_account_process *process;
	struct bcoslog_thread state;
	struct latency_sums *sums;
	u64 before, unsure, ns;
	u32 id;

	if (waits_tells(entry, &state)) {
		total->any_state = true;
		process = bcoslog_account_process(report->account, entry->source);
		sums = process ? latency_of(process, size) : NULL;
		if (sums)
			waits_state(&sums->waits, report, process, &state, entry->time);
		return !process || sums ? 0 : -ENOMEM;
	}
	if (entry->type != BCOS_ASSIGN_CPU || likely(!total->any_state))
		return 0;
	id = ((const struct bcos_assign_cpu *)entry)->process;
	process = id == BCOS_PROCESS_IDLE ? NULL : bcoslog_account_process(report->account, id);
	sums = process ? process->user : NULL;
	if (sums && report_wants_cpu(report, entry->source)) {
		before = sums->waits.count;
		unsure = sums->waits.unsure;
		ns = waits_end(&sums->waits, report, entry->time);
		process_waited(total, report, process, &sums->waits, before, unsure, ns, false);
	} else if (sums) {
		waits_pass(&sums->waits);
	}
	return 0;
}

static int take_entry(struct report *report, const struct bcos_entry *each)
{
	return latency_entry(&((struct latency *)report->context)->total, report, each, sizeof(struct latency_sums));
}

bool latency_off(struct latency_total *total, const struct report *report, struct latency_sums *sums,
		 const struct bcoslog_stretch *off)
{
	u64 before = sums->waits.count, unsure = sums->waits.unsure, span = off->end - off->begin;
	u64 ns = waits_off(&sums->waits, report, off);

	process_waited(total, report, off->process, &sums->waits, before, unsure, ns, off->cut);
	if (off->unknown) {
		sums->unsure_offs++;
		sums->unsure_off_longest = span > sums->unsure_off_longest ? span : sums->unsure_off_longest;
		return ns;
	}
	sums->offs++;
	sums->off_cut |= off->cut;
	sum_add(&sums->off_sum, span);
	if (span > sums->off_longest) {
		sums->off_longest = span;
		sums->off_longest_cut = off->cut;
		sums->off_longest_at = off->end;
	}
	return ns;
}

static void take_stretch(void *context, const struct bcoslog_stretch *off)
{
	struct latency *latency = context;
	struct latency_sums *sums = latency_of(off->process, sizeof(*sums));

	latency->failed |= !sums;
	if (!sums || !report_wants_cpu(latency->report, off->cpu))
		return;
	latency_off(&latency->total, latency->report, sums, off);
	if (!filter_wants_life(&latency->report->session->filter, off->process))
		return;
	if (off->unknown)
		latency->total.unsure_offs++;
	else if (off->cut)
		latency->total.cut_offs++;
	else
		latency->total.offs[bucket_of(off->end - off->begin)]++;
}

void latency_begin(struct table_rows *table)
{
	columns[UNCERTAIN].title = columns[UNCERTAIN + 1].title = NULL;
	table_begin(table, columns, COLUMNS);
	table->spare = "woken_by cpu_ns mean_ns";
}

/* What was lost of a process whose waits, or whose stretches without a CPU, may be more or others than the log tells. */
static bool waits_lost(const struct bcoslog_account_process *process, bool woken)
{
	return process->lost & (woken ? LOST_WAITS : BCOSLOG_LOST_ASSIGNMENTS);
}

void latency_row(const struct latency_total *total, const struct report *report, struct table_rows *table,
		 const struct bcoslog_account_process *process)
{
	const struct latency_sums *sums = process->user;
	const struct waits *waits = sums ? &sums->waits : NULL;
	bool cut, longest_cut;
	bool woken = sums && (waits->count || waits->unsure);
	bool lost = waits_lost(process, woken);
	u64 count, unsure;
	bool is_thread = woken && waits->longest_waker.by == BCOSLOG_WOKEN_BY_THREAD;
	char by[64];

	/* If the log tells states of threads, a process without waits has no row, since its stretches are no waits. */
	if (!sums || process->id == BCOS_PROCESS_KERNEL || !filter_wants_life(&report->session->filter, process) ||
	    (!woken && (total->any_state || (!sums->offs && !sums->unsure_offs))))
		return;
	count = woken ? waits->count : sums->offs;
	cut = woken ? waits->cut : sums->off_cut;
	longest_cut = woken ? waits->longest_cut : sums->off_longest_cut;
	unsure = woken ? waits->unsure : sums->unsure_offs;
	if (unsure)
		columns[UNCERTAIN].title = "uncertain", columns[UNCERTAIN + 1].title = "longest";
	table_row(table, (struct cell[COLUMNS]){
		CELL_OF(process->id), cell_name(process->name, process->name_length),
		woken ? CELL_WORD("woken") : CELL_WORD("off"), cell_sum(count, lost),
		count ? cell_about((woken ? waits->sum : sums->off_sum) / count,
				   lost || unsure || cut || (woken ? waits->sum : sums->off_sum) == SUM_MAX) : CELL_NONE,
		count ? cell_sum(woken ? waits->longest : sums->off_longest, lost || longest_cut) : CELL_NONE,
		count ? CELL_OF(woken ? waits->longest_at : sums->off_longest_at) : CELL_NONE, cell_sum(unsure, lost),
		unsure ? cell_at_most(woken ? waits->unsure_longest : sums->unsure_off_longest, true) : CELL_NONE,
		cell_sum(process->time, process->at_least),
		woken ? waits_waker(&waits->longest_waker, by, sizeof(by)) : CELL_NONE,
		is_thread ? CELL_OF(waits->longest_waker.process) : CELL_NONE,
		is_thread ? CELL_OF(waits->longest_waker.thread) : CELL_NONE,
	});
}

static void row_of_process(struct latency *latency, const struct bcoslog_account_process *process)
{
	latency_row(&latency->total, latency->report, &latency->table, process);
	free(process->user);
	bcoslog_account_set_user(process, NULL);
}

static void latency_ended(void *context, const struct bcoslog_account_process *process)
{
	struct latency *latency = context;

	row_of_process(latency, process);
}

static int longest_first(const struct cell *left, const struct cell *right)
{
	if (left[5].number != right[5].number)
		return left[5].number > right[5].number ? -1 : 1;
	if (left[6].number != right[6].number)
		return left[6].number < right[6].number ? -1 : 1;
	return left[0].number < right[0].number ? -1 : left[0].number > right[0].number;
}

void latency_sort(struct table_rows *table)
{
	table_sort(table, longest_first);
}

static const struct column histogram_columns[] = {
	{ "of", "of", CELL_TEXT },
	{ "from_ns", "from", CELL_SPAN },
	{ "to_ns", "below", CELL_SPAN },
	{ "count", "times", CELL_COUNT },
	{ "share", "share", CELL_SHARE },
	{ "share_below", "up to here", CELL_SHARE },
};

#define HISTOGRAM_COLUMNS (sizeof(histogram_columns) / sizeof(histogram_columns[0]))

static struct cell cell_roughly(struct cell share, bool about)
{
	share.about = about;
	return share;
}

/* Prints the rows from the first one that is not empty to the last one that is not.  Return: as table_end(). */
static int print_histogram(struct report *report)
{
	struct latency *latency = report->context;
	const struct latency_total *total = &latency->total;
	const u64 *counts = total->any_state ? total->waits : total->offs;
	u64 unsure = total->any_state ? total->unsure_waits : total->unsure_offs;
	u64 cut = total->any_state ? total->cut_waits : total->cut_offs;
	unsigned int first = 64, last = 0, i;
	struct table_rows table;
	u64 sum = 0, below = 0;
	bool lost = bcoslog_account_totals(report->account)->lost &
		(total->any_state ? LOST_WAITS : BCOSLOG_LOST_ASSIGNMENTS);

	for (i = 0; i < 64; i++) {
		sum += counts[i];
		if (counts[i] && first == 64)
			first = i;
		if (counts[i])
			last = i;
	}
	table_begin(&table, histogram_columns, HISTOGRAM_COLUMNS);
	for (i = first; i <= last; i++) {
		below += counts[i];
		table_row(&table, (struct cell[HISTOGRAM_COLUMNS]){
			total->any_state ? CELL_WORD("woken") : CELL_WORD("off"), CELL_EXACT(i ? (u64)1 << i : 0),
			i == 63 ? CELL_NONE : CELL_EXACT((u64)2 << i), cell_sum(counts[i], lost),
			cell_roughly(cell_share(counts[i], sum, false), lost || unsure || cut),
			cell_roughly(cell_share(below, sum, false), lost || unsure || cut),
		});
	}
	if (unsure)
		table_row(&table, (struct cell[HISTOGRAM_COLUMNS]){
			CELL_WORD("uncertain"), CELL_NONE, CELL_NONE, cell_sum(unsure, lost), CELL_NONE, CELL_NONE });
	if (cut)
		table_row(&table, (struct cell[HISTOGRAM_COLUMNS]){
			CELL_WORD("cut"), CELL_NONE, CELL_NONE, cell_sum(cut, lost), CELL_NONE, CELL_NONE });
	table.failed |= latency->failed;
	return report_table(report, &table);
}

static int print_latency(struct report *report)
{
	struct latency *latency = report->context;
	const struct bcoslog_account_process *process = NULL;

	report->lists = latency->threads ? "wait of a thread" :
		latency->total.any_state ? "wait for a CPU" : "stretch without a CPU";
	report->lists_why = latency->total.any_state ? NULL : latency->threads ? "nothing in it is of the class state" :
		"nor does it tell of waits, since nothing in it is of the class state";
	while ((process = bcoslog_account_next_process(report->account, process)))
		row_of_process(latency, process);
	if (latency->histogram || latency->threads)
		return latency->histogram ? print_histogram(report) : latency_threads_print(report, &latency->thread_table);
	latency_sort(&latency->table);
	latency->table.failed |= latency->failed;
	if (report->form == TABLE_SVG)
		return chart_bars(report, &latency->table, &(struct bars){
			.title = "How long processes waited for a CPU: mean and longest", .id = 0, .name = 1,
			.value = 4, .more = 5, .unsure = UNCERTAIN, .unsure_most = UNCERTAIN + 1 });
	return report_table(report, &latency->table);
}

static void end_latency(struct report *report)
{
	struct latency *latency = report->context;

	table_free(&latency->table);
	table_free(&latency->thread_table);
}

static int take_histogram(struct arguments *arguments, const char *text)
{
	struct latency *latency = ((struct report *)arguments->context)->context;

	(void)text;
	latency->histogram = true;
	return 0;
}

static int take_threads(struct arguments *arguments, const char *text)
{
	struct latency *latency = ((struct report *)arguments->context)->context;

	(void)text;
	latency->threads = true;
	return 0;
}

static void latency_thread_ended(void *context, const struct bcoslog_account_thread *thread)
{
	struct latency *latency = context;

	latency_thread_row(latency->report, &latency->thread_table, thread);
}

static int ready_latency(struct report *report, struct arguments *arguments)
{
	static const struct bcoslog_thread_sinks threads = { .ended = latency_thread_ended };
	struct latency *latency = report->context;
	const char *why = NULL;

	(void)arguments;
	if (latency->threads) {
		latency_threads_begin(&latency->thread_table);
		report->threads = &threads;
	}
	if (latency->histogram && report->form == TABLE_SVG)
		why = "latency --histogram cannot be drawn: --json and --csv are for programs";
	else if (!latency->threads)
		why = NULL;
	else if (latency->histogram)
		why = "latency --threads has a row for each thread: leave --histogram out";
	else if (filter_has_cpus(&report->session->filter))
		why = "latency --threads tells of all CPUs that a thread waited for: leave --cpu and --core out";
	else if (report->form == TABLE_SVG)
		why = "latency --threads cannot be drawn: --json and --csv are for programs";
	if (why)
		complain("%s", why);
	return why ? -1 : 0;
}

static int cmd_latency(struct session *session, int argc, char **argv)
{
	struct latency latency = { 0 };
	struct report report = {
		.context = &latency,
		.command = &command_latency,
		.entry = take_entry,
		.threads = &report_sleeps,
		.stretch = take_stretch,
		.sinks = {.process_ended = latency_ended},
		.no_device = "latency tells of processes: leave --device out; bcoslog io has the latencies of devices",
		.print = print_latency,
		.end = end_latency,
		.lists_lost = LOST_WAITS | BCOSLOG_LOST_ASSIGNMENTS,
		.svg = true,
		.ready = ready_latency,
	};

	latency.report = &report;
	latency_begin(&latency.table);
	return report_run(session, &report, argc, argv);
}

static const struct option_spec options[] = {
	{ .name = "threads", .take = take_threads, .help = "a row for each thread that waited (with the class state)" },
	{ .name = "histogram", .take = take_histogram, .help = "the number of waits of each length, of all processes" },
	{ .name = NULL },
};

const struct command command_latency = {
	.name = "latency",
	.summary = "show how long processes waited for a CPU",
	.usage = "bcoslog latency [OPTIONS] [LOG]",
	.about =
"Shows how long each process waited for a CPU, from when one of its threads was\n"
"woken, or from when it was preempted: the number of waits, the mean, the\n"
"longest, and the end of the longest, which bcoslog around accepts.  This\n"
"requires the class state, which bcoslog record keeps (or bcoslog mask +state).\n"
"Without it, the report shows the stretches without a CPU, for any reason; the\n"
"column \"of\" tells which of the two a row has.  Waits in which entries were\n"
"lost, so that they were perhaps shorter, are only counted in the column\n"
"\"uncertain\".",
	.options = { options, cgroup_options, ROWS_OF_PROCESSES, DRAWN_REPORT_OPTIONS },
	.silent = report_refused_options,
	.after = REPORT_AFTER,
	.status = STATUS_OF_LOG,
	.records = true,
	.takes_program = true,
	.run = cmd_latency,
};
