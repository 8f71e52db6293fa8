/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bcoslog top --threads: which threads had the CPUs (class state). */
#ifndef BCOSLOG_TOP_THREADS_H
#define BCOSLOG_TOP_THREADS_H

#include "account/report.h"
#include "report/report.h"
#include "views/track/lives.h"

/* The threads that were collected; zeros at first. */
struct top_threads {
	struct top_thread *of;
	size_t count, room;
	bool failed;			/* there was no memory for one */
};

/* Takes a thread that has ended, or lives at the end. */
void top_threads_take(struct top_threads *threads, const struct filter *filter, const struct bcoslog_account_thread *thread);
/*
 * Takes the threads that live, and prints all. @lives: all lives, whose times are those of their threads and of threads of
 * which the log tells nothing. @rows: the greatest number of threads that have a row; 0: all.  Return: as report_table().
 */
int top_threads_print(struct top_threads *threads, struct report *report, const struct lives *lives, u64 rows);
void top_threads_free(struct top_threads *threads);

#endif
