// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of bcoslog latency --threads: how long each thread waited for a CPU. */
#include "account/report.h"
#include "options/filter.h"
#include "rows.h"

/* People get the column of names, and those of uncertain waits, only if a row of the table has any. */
static struct column columns[] = {
	{ "process", "process", CELL_NUMBER },
	{ "name", "name", CELL_TEXT },
	{ "thread", "thread", CELL_NUMBER },
	{ "count", "times", CELL_COUNT },
	{ "mean_ns", "mean", CELL_SPAN },
	{ "longest_ns", "longest", CELL_SPAN },
	{ "longest_at", "at", CELL_TIME },
	{ "uncertain", NULL, CELL_COUNT },
	{ "uncertain_longest_ns", NULL, CELL_SPAN },
	{ "cpu_ns", "on CPUs", CELL_SPAN },
	{ "turns", "turns", CELL_COUNT },
	{ "woken_by", "woken by", CELL_TEXT },
	{ "waker", NULL, CELL_NUMBER },
	{ "waker_thread", NULL, CELL_NUMBER },
	{ "thread_name", NULL, CELL_TEXT },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))
#define UNCERTAIN 7
#define THREAD_NAME (COLUMNS - 1)

void latency_thread_row(const struct report *report, struct table_rows *table,
			const struct bcoslog_account_thread *thread)
{
	const struct bcoslog_account_process *process = thread->process;
	const struct bcoslog_waker *waker = &thread->longest_waker;
	bool is_thread = waker->by == BCOSLOG_WOKEN_BY_THREAD;
	__u64 longest, unsure = bcoslog_account_uncertain_waits(thread, &longest);
	bool any = thread->waits;
	char by[64];

	if ((!any && !unsure) || !filter_wants_life(&report->session->filter, process))
		return;
	if (unsure)
		columns[UNCERTAIN].title = "uncertain", columns[UNCERTAIN + 1].title = "longest";
	if (thread->name_length)
		columns[THREAD_NAME].title = "thread's name";
	table_row(table, (struct cell[COLUMNS]){
		CELL_OF(process->id), cell_name(process->name, process->name_length), CELL_OF(thread->id),
		cell_sum(thread->waits, thread->at_least), any ? cell_about(thread->waited / thread->waits, thread->at_least || unsure || thread->waited == SUM_MAX) : CELL_NONE,
		any ? cell_sum(thread->longest_wait, thread->at_least) : CELL_NONE,
		any ? CELL_OF(thread->longest_wait_at) : CELL_NONE, cell_sum(unsure, thread->at_least),
		unsure ? cell_at_most(longest, true) : CELL_NONE,
		cell_sum(thread->time, thread->at_least), cell_sum(thread->turns, thread->at_least),
		thread->longest_preempted ? CELL_WORD("preempted") : waits_waker(waker, by, sizeof(by)),
		is_thread ? CELL_OF(waker->process) : CELL_NONE, is_thread ? CELL_OF(waker->thread) : CELL_NONE,
		thread_name_cell(thread),
	});
}

static int longest_first(const struct cell *left, const struct cell *right)
{
	if (left[5].number != right[5].number)
		return left[5].number > right[5].number ? -1 : 1;
	if (left[6].number != right[6].number)
		return left[6].number < right[6].number ? -1 : 1;
	return left[2].number < right[2].number ? -1 : left[2].number > right[2].number;
}

void latency_threads_begin(struct table_rows *table)
{
	table_begin(table, columns, COLUMNS);
	table->spare = "woken_by turns cpu_ns mean_ns";
}

int latency_threads_print(struct report *report, struct table_rows *table)
{
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_thread *thread;

	while ((process = bcoslog_account_next_process(report->account, process)))
		for (thread = NULL; (thread = bcoslog_account_next_thread(process, thread));)
			latency_thread_row(report, table, thread);
	table_sort(table, longest_first);
	return report_table(report, table);
}
