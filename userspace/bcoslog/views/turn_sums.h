/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The turns of each process as a row of a table. */
#ifndef BCOSLOG_VIEWS_TURN_SUMS_H
#define BCOSLOG_VIEWS_TURN_SUMS_H

#include "views/track/waits.h"

/*
 * The sums of a process, as long as it lives; the account keeps them in its user pointer. @mean is that of its turns so far,
 * and @squares the sum of the squares of their distances from it.
 */
struct turn_sums {
	struct waits waits;
	u64 turns, time, shortest, longest, longest_at;
	double mean, squares;
	u64 migrations;
	u32 cpu;
	bool ran;
};

/* Before the others. */
void turn_sums_begin(void);
/* The sums of a process, made at the first call.  Return: NULL if there is no memory. */
struct turn_sums *turn_sums_of(const struct bcoslog_account_process *process);
void turn_sums_add(struct turn_sums *sums, const struct bcoslog_interval *interval);
/* The row of a process, whose sums end. */
void turn_sums_row(const struct bcoslog_account_process *process);
/* All rows, and that of @idle, if it has turns.  Return: 0 or -ENOMEM, after saying so. */
int turn_sums_print(const struct turn_sums *idle, enum table_form form);

#endif
