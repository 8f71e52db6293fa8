/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The turns of each process, or of each thread, as a row of a table. */
#ifndef BCOSLOG_VIEWS_TURN_SUMS_H
#define BCOSLOG_VIEWS_TURN_SUMS_H

#include "views/track/waits.h"

/*
 * The sums of a process or a thread, as long as it lives; the account keeps them in its user pointer. @mean is that of its
 * turns so far, and @squares the sum of the squares of their distances from it.
 */
struct turn_sums {
	struct waits waits;
	u64 turns, time, shortest, longest, longest_at;
	double mean, squares;
	u64 migrations;
	u32 cpu;
	bool ran;
};

/* Before the others.  @of_threads: the rows are those of threads. */
void turn_sums_begin(bool of_threads);
/* The sums of a process or a thread, made at the first call.  Return: NULL if there is no memory. */
struct turn_sums *turn_sums_of(const struct bcoslog_account_process *process);
struct turn_sums *turn_sums_of_thread(const struct bcoslog_account_thread *thread);
/* Adds a turn on @cpu from @begin to @end, ns since boot. */
void turn_sums_add(struct turn_sums *sums, u32 cpu, u64 begin, u64 end);
/* The row of a process or a thread, whose sums end. */
void turn_sums_row(const struct bcoslog_account_process *process);
void turn_sums_thread_row(const struct bcoslog_account_thread *thread);
/* All rows, and that of @idle, if it has turns.  Return: 0 or -ENOMEM, after saying so. */
int turn_sums_print(const struct turn_sums *idle, enum table_form form);

#endif
