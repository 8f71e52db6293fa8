// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog latency: how long processes wait for a CPU. */
#include <stdlib.h>

#include "waits.h"

static const char help[] =
"Usage: bcoslog latency [OPTIONS] [LOG]\n"
"\n"
"Tells of each process how long it took from when a thread of it was woken to\n"
"when it had a CPU: how often, the mean, the longest, and when that one ended,\n"
"so that --since and --until can take it.  The log says so with the class state\n"
"(bcoslog mask +state).  Without it, the stretches for which the process had no\n"
"CPU are told of, whatever it waited for: the column \"of\" says which it is.\n"
"\n"
REPORT_HELP;

/* A process, as long as it lives; the account keeps it in its user pointer. */
struct sums {
	struct waits waits;
	u64 offs, off_sum;	/* stretches without a CPU, in the place of these */
};

static const struct column columns[] = {
	{ "process", "process", CELL_NUMBER },
	{ "name", "name", CELL_TEXT },
	{ "of", "of", CELL_TEXT },
	{ "count", "times", CELL_NUMBER },
	{ "mean_ns", "mean", CELL_SPAN },
	{ "longest_ns", "longest", CELL_SPAN },
	{ "longest_at", "at", CELL_TIME },
	{ "cpu_ns", "on CPUs", CELL_SPAN },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static struct latency {
	struct table_rows table;
	struct report *report;
	bool failed;
} latency;

static struct sums *sums_of(const struct bcoslog_account_process *process)
{
	struct sums *sums = process->user;

	if (sums)
		return sums;
	sums = calloc(1, sizeof(*sums));
	latency.failed |= !sums;
	bcoslog_account_set_user(process, sums);
	return sums;
}

static int entry(struct report *report, const struct bcos_entry *entry)
{
	const struct bcoslog_account_process *process;
	struct sums *sums;
	u32 id;

	if (waits_is_woken(entry)) {
		process = bcoslog_account_process(report->account, entry->source);
		sums = process ? sums_of(process) : NULL;
		if (sums)
			waits_begin(&sums->waits, process, entry->time);
		return !process || sums ? 0 : -ENOMEM;
	}
	if (entry->type != BCOS_ASSIGN_CPU)
		return 0;
	id = ((const struct bcos_assign_cpu *)entry)->process;
	process = id == BCOS_PROCESS_IDLE ? NULL : bcoslog_account_process(report->account, id);
	sums = process ? process->user : NULL;
	if (sums)
		waits_end(&sums->waits, report, entry->time);
	return 0;
}

static void off(void *context, const struct bcoslog_account_process *process, __u64 begin, __u64 end, __u32 cpu)
{
	struct sums *sums = sums_of(process);

	(void)context;
	(void)cpu;
	if (!sums)
		return;
	sums->offs++;
	sums->off_sum += end - begin;
}

static void row(const struct bcoslog_account_process *process)
{
	struct sums *sums = process->user;
	const struct waits *waits;
	bool woken;

	if (!sums)
		return;
	waits = &sums->waits;
	woken = waits->count;
	if (process->id != BCOS_PROCESS_KERNEL &&
	    filter_wants_process(process->id, process->name, process->name_length) && (woken || sums->offs))
		table_row(&latency.table, (struct cell[COLUMNS]){
			CELL_OF(process->id), cell_name(process->name, process->name_length),
			woken ? CELL_WORD("woken") : CELL_WORD("off"), CELL_OF(woken ? waits->count : sums->offs),
			CELL_OF(woken ? waits->sum / waits->count : sums->off_sum / sums->offs),
			CELL_OF(woken ? waits->longest : process->longest_off),
			CELL_OF(woken ? waits->longest_at : process->longest_off_at),
			cell_sum(process->time, process->at_least),
		});
	free(sums);
	bcoslog_account_set_user(process, NULL);
}

static void ended(void *context, const struct bcoslog_account_process *process)
{
	(void)context;
	row(process);
}

static int longest_first(const struct cell *left, const struct cell *right)
{
	if (left[5].number != right[5].number)
		return left[5].number > right[5].number ? -1 : 1;
	if (left[6].number != right[6].number)
		return left[6].number < right[6].number ? -1 : 1;
	return left[0].number < right[0].number ? -1 : left[0].number > right[0].number;
}

static int print(struct report *report)
{
	const struct bcoslog_account_process *process = NULL;

	while ((process = bcoslog_account_next_process(report->account, process)))
		row(process);
	table_sort(&latency.table, longest_first);
	latency.table.failed |= latency.failed;
	return table_end(&latency.table, report->form);
}

int cmd_latency(int argc, char **argv)
{
	struct report report = {
		.command = "latency", .help = help, .entry = entry, .sinks = { .off = off, .process_ended = ended },
		.print = print,
	};

	table_begin(&latency.table, columns, COLUMNS);
	return report_run(&report, argc, argv);
}
