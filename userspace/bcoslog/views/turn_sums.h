/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sums up the turns of each process or thread as a row of a table. */
#ifndef BCOSLOG_VIEWS_TURN_SUMS_H
#define BCOSLOG_VIEWS_TURN_SUMS_H

#include "account/report.h"
#include "views/track/waits.h"

/*
 * The sums of a living process or thread, which are its @user in the account. @mean is the mean length of its turns so
 * far, and @squares is the sum of the squares of their distances from @mean.
 */
struct turn_sums {
	struct waits waits;
	u64 turns, time, shortest, longest, longest_at;
	double mean, squares;
	u64 migrations;
	u32 cpu;
	bool ran;
	bool shortest_part, longest_part;	/* the turn may have been longer */
};

/* Begins the table; call this first. @of_threads: the rows are those of threads. */
void turn_sums_begin(bool of_threads);
/* Return: the sums of a process or a thread, which the first call makes; NULL if there is no memory. */
struct turn_sums *turn_sums_of(const struct bcoslog_account_process *process);
struct turn_sums *turn_sums_of_thread(const struct bcoslog_account_thread *thread);
/* Adds a turn on @cpu from @begin to @end, in ns since boot. @part: it may be longer. */
void turn_sums_add(struct turn_sums *sums, u32 cpu, u64 begin, u64 end, bool part);
/* Add the row of a process or a thread, and free its sums. */
void turn_sums_row(const struct bcoslog_account_process *process);
void turn_sums_thread_row(const struct bcoslog_account_thread *thread);
/* Prints all rows, and one for @idle if it has turns. @lost: CPUs may have been idle unseen.  Return: 0, or -ENOMEM after a complaint. */
int turn_sums_print(struct report *report, const struct turn_sums *idle, bool lost);
/* Frees all rows. */
void turn_sums_free(void);

#endif
