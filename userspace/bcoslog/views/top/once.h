/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tables of bcoslog top that are printed once, and are no screen: groups of processes, families, and threads, and names as the screen has them, too. */
#ifndef BCOSLOG_TOP_ONCE_H
#define BCOSLOG_TOP_ONCE_H

#include "entry/text.h"
#include "report/report.h"
#include "views/track/groups.h"
#include "views/track/lives.h"

/* The bytes that are kept of a name. */
#define LIVE_NAME 80

/* Copies a name into LIVE_NAME bytes, cut between characters.  Return: the length of the copy. */
static inline size_t live_cut(char *to, const char *name, size_t length)
{
	length = utf8_fit(name, length, LIVE_NAME);
	if (length)
		memcpy(to, name, length);
	return length;
}

/* ---- sums.c ------------------------------------------------------------------------------ */

/* What CPUs did that options choose: all of them if none does. */
struct top_sums {
	u64 online, time[BCOSLOG_USES];
};

void top_sum_cpus(const struct report *report, struct top_sums *sums);
/* Adds the times and other sums of @other to @life, which begins as TOP_LIFE. */
void top_add_life(struct life *life, const struct life *other);
#define TOP_LIFE ((struct life){ .bounds = { .time_known = true, .instructions_known = true, .joules_known = true } })
/* Sets no more than this for the greatest possible time of several processes: they share the unknown time. */
void top_share_unknown(struct life *life, const struct top_sums *sums);

/* ---- by.c, tree.c: print the lives that were collected. Return: as report_table() ---------- */

/* @rows: the greatest number of groups that have a row; 0: all. */
int top_by_print(struct report *report, struct lives *lives, enum group_by by, u64 rows);
/* @rows: the greatest number of families, likewise. */
int top_tree_print(struct report *report, struct lives *lives, u64 rows);

#endif
