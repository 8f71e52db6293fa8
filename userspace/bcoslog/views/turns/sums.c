// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sums up the turns of each process or thread: see turns.h. */
#include <math.h>
#include <stdlib.h>

#include "turns.h"
#include "account/report.h"

void turn_sums_begin(struct turn_rows *rows, bool of_threads)
{
	static const struct column columns[TURN_COLUMNS] = {
		{ "thread", "thread of", CELL_NUMBER },
		{ "process", "process", CELL_NUMBER },
		{ "name", "name", CELL_TEXT },
		{ "turns", "turns", CELL_COUNT },
		{ "cpu_ns", "on CPUs", CELL_SPAN },
		{ "shortest_ns", "shortest", CELL_SPAN },
		{ "mean_ns", "mean", CELL_SPAN },
		{ "longest_ns", "longest", CELL_SPAN },
		{ "longest_at", "at", CELL_TIME },
		{ "migrations", "moves", CELL_COUNT },
		{ "deviation_ns", "deviation", CELL_SPAN },
		{ "thread_name", NULL, CELL_TEXT },
	};

	rows->of_threads = of_threads;
	memcpy(rows->columns, columns, sizeof(columns));
	table_begin(&rows->table, rows->columns + 1 - rows->of_threads, TURN_COLUMNS - 2 + 2 * rows->of_threads);
	rows->table.spare = "deviation_ns migrations shortest_ns mean_ns turns";
}

struct turn_sums *turn_sums_of_thread(const struct bcoslog_account_thread *thread)
{
	if (!thread->user)
		bcoslog_account_set_thread_user(thread, calloc(1, sizeof(struct turn_sums)));
	return thread->user;
}

struct turn_sums *turn_sums_of(const struct bcoslog_account_process *process)
{
	struct turn_sums *sums = process->user;

	if (sums)
		return sums;
	sums = calloc(1, sizeof(*sums));
	bcoslog_account_set_user(process, sums);
	return sums;
}

void turn_sums_add(struct turn_sums *sums, u32 cpu, u64 begin, u64 end, bool part)
{
	u64 span = end - begin;
	double distance = (double)span - sums->mean;

	if (!sums->turns || span < sums->shortest) {
		sums->shortest = span;
		sums->shortest_part = part;
	}
	if (!sums->turns || span > sums->longest) {
		sums->longest = span;
		sums->longest_at = begin;
		sums->longest_part = part;
	}
	sums->turns++;
	sum_add(&sums->time, span);
	sums->mean += distance / (double)sums->turns;
	sums->squares += distance * ((double)span - sums->mean);
	sums->migrations += sums->ran && sums->cpu != cpu;
	sums->ran = true;
	sums->cpu = cpu;
}

/* Return: the cell of the standard deviation of the turns, which count as a sample. */
static struct cell deviation_cell(const struct turn_sums *sums, bool about)
{
	double deviation = sqrt(sums->squares / (double)(sums->turns - 1));

	return sums->turns > 1 ? cell_about((u64)(deviation + 0.5), about) : CELL_NONE;
}

/* @least: there may have been more turns. */
static void put_sums(struct turn_rows *rows, struct cell thread_name, struct cell thread, struct cell id, struct cell name,
		     const struct turn_sums *sums, bool least)
{
	if (sums && sums->turns)
		table_row(&rows->table, (struct cell[TURN_COLUMNS]){
			thread, id, name, cell_sum(sums->turns, least), cell_sum(sums->time, least),
			cell_about(sums->shortest, least || sums->shortest_part),
			cell_about(sums->time / sums->turns, least),
			cell_sum(sums->longest, least || sums->longest_part), CELL_OF(sums->longest_at),
			id.absent ? CELL_NONE : cell_sum(sums->migrations, least), deviation_cell(sums, least), thread_name,
		} + 1 - rows->of_threads);
}

void turn_sums_row(struct turn_rows *rows, const struct bcoslog_account_process *process)
{
	put_sums(rows, CELL_NONE, CELL_NONE, CELL_OF(process->id), cell_name(process->name, process->name_length), process->user,
		 process->at_least);
	free(process->user);
	bcoslog_account_set_user(process, NULL);
}

void turn_sums_thread_row(struct turn_rows *rows, const struct bcoslog_account_thread *thread)
{
	const struct bcoslog_account_process *process = thread->process;

	if (thread->name_length && thread->user)
		/* People get the last column if a thread has a name of its own. */
		rows->columns[TURN_COLUMNS - 1].title = "thread's name";
	put_sums(rows, thread_name_cell(thread), CELL_OF(thread->id), CELL_OF(process->id),
		 cell_name(process->name, process->name_length), thread->user, thread->at_least);
	free(thread->user);
	bcoslog_account_set_thread_user(thread, NULL);
}

/* @id: number of the column with the ID of the process. */
static int compare_sums(const struct cell *left, const struct cell *right, size_t id)
{
	const size_t time = 3 + id, longest_at = 7 + id;

	if (left[time].number != right[time].number)
		return left[time].number > right[time].number ? -1 : 1;
	if (left[longest_at].number != right[longest_at].number)
		return left[longest_at].number < right[longest_at].number ? -1 : 1;
	return left[0].number < right[0].number ? -1 : left[0].number > right[0].number;
}

static int busiest_process(const struct cell *left, const struct cell *right)
{
	return compare_sums(left, right, 0);
}

static int busiest_thread(const struct cell *left, const struct cell *right)
{
	return compare_sums(left, right, 1);
}

int turn_sums_print(struct turn_rows *rows, struct report *report, const struct turn_sums *idle, bool lost)
{
	put_sums(rows, CELL_NONE, CELL_NONE, CELL_NONE, CELL_WORD("idle"), idle, lost);
	table_sort(&rows->table, rows->of_threads ? busiest_thread : busiest_process);
	return report_table(report, &rows->table);
}

void turn_sums_free(struct turn_rows *rows)
{
	table_free(&rows->table);
}
