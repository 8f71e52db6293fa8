// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which threads had the CPUs: see threads.h. */
#include <stdlib.h>

#include "once.h"
#include "options/filter.h"
#include "svg/svg.h"
#include "threads.h"

static const struct column columns[] = {
	{ "thread", "thread", CELL_ID },
	{ "thread_name", "thread's name", CELL_TEXT },
	{ "process", "process", CELL_NUMBER },
	{ "name", "name", CELL_TEXT },
	{ "cpu_ns", "on CPUs", CELL_SPAN },
	{ "share", "share", CELL_SHARE },
	{ "turns", "turns", CELL_COUNT },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

struct top_thread {
	u32 id, process;
	bool least;
	u64 since, time, turns;
	size_t own_length, name_length;
	char own[BCOS_NAME_MAX], name[LIVE_NAME];
};

void top_threads_take(struct top_threads *threads, const struct filter *filter, const struct bcoslog_account_thread *thread)
{
	size_t room = threads->room ? 2 * threads->room : 256;
	struct top_thread *larger, *taken;

	/* The others did nothing in the window. */
	if (!thread->time || !filter_wants_life(filter, thread->process))
		return;
	if (threads->count == threads->room) {
		larger = reallocarray(threads->of, room, sizeof(*larger));
		if (!larger) {
			threads->failed = true;
			return;
		}
		threads->of = larger;
		threads->room = room;
	}
	taken = &threads->of[threads->count++];
	*taken = (struct top_thread){
		.id = thread->id, .process = thread->process->id, .least = thread->at_least, .since = thread->since,
		.time = thread->time, .turns = thread->turns, .own_length = thread->name_length,
	};
	memcpy(taken->own, thread->name, thread->name_length);
	taken->name_length = live_cut(taken->name, thread->process->name, thread->process->name_length);
	/* The first thread of a process has the name of the process. */
	if (thread->id == thread->process->id) {
		taken->own_length = taken->name_length < sizeof(taken->own) ? taken->name_length : 0;
		memcpy(taken->own, taken->name, taken->own_length);
	}
}

static int most_first(const void *left, const void *right)
{
	const struct top_thread *a = left, *b = right;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	if (a->since != b->since)
		return a->since < b->since ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static void thread_row(struct table_rows *table, const struct top_thread *thread, u64 online)
{
	char id[16];

	snprintf(id, sizeof(id), "%u", thread->id);
	table_row(table, (struct cell[COLUMNS]){
		CELL_WORD(id), thread->own_length ? cell_name(thread->own, thread->own_length) : CELL_NONE,
		CELL_OF(thread->process), cell_name(thread->name, thread->name_length), cell_sum(thread->time, thread->least),
		cell_share(thread->time, online, thread->least), cell_sum(thread->turns, thread->least),
	});
}

/* Adds a row with a sum that is no thread's. */
static void sum_row(struct table_rows *table, const char *name, u64 time, bool least, u64 online)
{
	table_row(table, (struct cell[COLUMNS]){
		CELL_WORD(""), CELL_NONE, CELL_NONE, CELL_WORD(name), cell_sum(time, least), cell_share(time, online, least), CELL_NONE,
	});
}

/* Adds the rows of what is no thread of a process: the rest of the CPU time. @named: that of all threads. */
static void rest_rows(struct table_rows *table, const struct lives *lives, u64 named, const struct top_sums *sums)
{
	u64 time = 0, kernel = 0;
	bool least = sums->time[BCOSLOG_USE_UNKNOWN];
	size_t i;

	for (i = 0; i < lives->count; i++) {
		if (lives->lives[i].process.id == BCOS_PROCESS_KERNEL)
			kernel += lives->lives[i].process.time;
		else
			time += lives->lives[i].process.time;
	}
	if (time > named)
		sum_row(table, "(threads that are not in the log)", time - named, least, sums->online);
	if (kernel)
		sum_row(table, "kernel", kernel, least, sums->online);
	if (!sums->online)
		return;
	sum_row(table, "idle", sums->time[BCOSLOG_USE_IDLE], least, sums->online);
	sum_row(table, "unknown", sums->time[BCOSLOG_USE_UNKNOWN], false, sums->online);
}

int top_threads_print(struct top_threads *threads, struct report *report, const struct lives *lives, u64 rows)
{
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_thread *thread;
	u64 named = 0, others = 0;
	bool least = false;
	struct top_sums sums;
	struct table_rows table;
	size_t i;

	while ((process = bcoslog_account_next_process(report->account, process)))
		for (thread = NULL; (thread = bcoslog_account_next_thread(process, thread));)
			top_threads_take(threads, &report->session->filter, thread);
	if (threads->count)
		qsort(threads->of, threads->count, sizeof(*threads->of), most_first);
	top_sum_cpus(report, &sums);
	table_begin(&table, columns, COLUMNS);
	table.spare = "turns process";
	for (i = 0; i < threads->count; i++) {
		named += threads->of[i].time;
		if (!rows || i < rows) {
			thread_row(&table, &threads->of[i], sums.online);
			continue;
		}
		others += threads->of[i].time;
		least |= threads->of[i].least;
	}
	if (others)
		sum_row(&table, "others", others, least, sums.online);
	rest_rows(&table, lives, named, &sums);
	table.failed |= threads->failed | lives->failed;
	if (report->form == TABLE_SVG)
		return chart_bars(report, &table, &(struct bars){ .title = "Which threads had the CPUs", .id = 0, .name = 3, .value = 4 });
	return report_table(report, &table);
}

void top_threads_free(struct top_threads *threads)
{
	free(threads->of);
}
