/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of bcoslog cpu --by: which groups of processes had each CPU. */
#ifndef BCOSLOG_VIEWS_CPU_GROUPS_H
#define BCOSLOG_VIEWS_CPU_GROUPS_H

#include "report/report.h"
#include "views/track/groups.h"

/**
 * struct cpu_groups - the time that each group had of each CPU; zeros at first, but for @by
 * @by: what has a row; BY_NOTHING: the table is not wanted
 * @tree: of struct cpu_group
 * @of: the same
 * @failed: there was no memory for one
 */
struct cpu_groups {
	enum group_by by;
	void *tree;
	struct cpu_group **of;
	size_t count, room;
	bool failed;
};

/* Takes an interval in which a process had a CPU. */
void cpu_groups_interval(struct cpu_groups *groups, const struct bcoslog_interval *interval);
/* Takes the end of a process: what it had counts for its group. */
void cpu_groups_ended(struct cpu_groups *groups, const struct report *report, const struct bcoslog_account_process *process);
/* Takes the processes that live at the end, and prints the table.  Return: as report_table(). */
int cpu_groups_print(struct cpu_groups *groups, struct report *report);
void cpu_groups_free(struct cpu_groups *groups);

#endif
