// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog latency: how long processes wait for a CPU. */
#include <stdlib.h>

#include "report.h"

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
struct waits {
	u64 woken;		/* and has had no CPU since; 0: it was not */
	u64 count, sum, longest, longest_at;
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

static struct waits *waits_of(const struct bcoslog_account_process *process)
{
	struct waits *waits = process->user;

	if (waits)
		return waits;
	waits = calloc(1, sizeof(*waits));
	latency.failed |= !waits;
	bcoslog_account_set_user(process, waits);
	return waits;
}

/* "thread 8 woken" */
static bool is_woken(const struct bcos_entry *entry)
{
	static const char word[] = " woken";
	size_t length;
	const char *text;

	if (entry->type != BCOS_GENERIC_PROCESS ||
	    ((const struct bcos_generic *)entry)->event_id != BCOS_EVENT_TASK_STATE)
		return false;
	text = bcoslog_text(entry, &length);
	return length > sizeof(word) && !memcmp(text + length - (sizeof(word) - 1), word, sizeof(word) - 1);
}

static void waited(struct waits *waits, u64 begin, u64 end)
{
	waits->count++;
	waits->sum += end - begin;
	if (end - begin <= waits->longest && waits->longest_at)
		return;
	waits->longest = end - begin;
	waits->longest_at = end;
}

static int entry(struct report *report, const struct bcos_entry *entry)
{
	const struct bcoslog_account_process *process;
	struct waits *waits;
	u32 id;

	if (is_woken(entry)) {
		process = bcoslog_account_process(report->account, entry->source);
		/* Who has a CPU already does not wait for one, and who was woken twice has waited since the first time. */
		if (!process || process->cpus)
			return 0;
		waits = waits_of(process);
		if (waits && !waits->woken)
			waits->woken = entry->time;
		return waits ? 0 : -ENOMEM;
	}
	if (entry->type != BCOS_ASSIGN_CPU)
		return 0;
	id = ((const struct bcos_assign_cpu *)entry)->process;
	process = id == BCOS_PROCESS_IDLE ? NULL : bcoslog_account_process(report->account, id);
	waits = process ? process->user : NULL;
	if (!waits || !waits->woken)
		return 0;
	if (entry->time >= report->sinks.since && (!report->sinks.until || entry->time < report->sinks.until) &&
	    entry->time >= waits->woken)
		waited(waits, waits->woken, entry->time);
	waits->woken = 0;
	return 0;
}

static void off(void *context, const struct bcoslog_account_process *process, __u64 begin, __u64 end, __u32 cpu)
{
	struct waits *waits = waits_of(process);

	(void)context;
	(void)cpu;
	if (!waits)
		return;
	waits->offs++;
	waits->off_sum += end - begin;
}

static void row(const struct bcoslog_account_process *process)
{
	struct waits *waits = process->user;
	bool woken;

	if (!waits)
		return;
	woken = waits->count;
	if (process->id != BCOS_PROCESS_KERNEL &&
	    filter_wants_process(process->id, process->name, process->name_length) && (woken || waits->offs))
		table_row(&latency.table, (struct cell[COLUMNS]){
			CELL_OF(process->id), cell_name(process->name, process->name_length),
			woken ? CELL_WORD("woken") : CELL_WORD("off"), CELL_OF(woken ? waits->count : waits->offs),
			CELL_OF(woken ? waits->sum / waits->count : waits->off_sum / waits->offs),
			CELL_OF(woken ? waits->longest : process->longest_off),
			CELL_OF(woken ? waits->longest_at : process->longest_off_at),
			cell_sum(process->time, process->at_least),
		});
	free(waits);
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
