/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Does the account of a log add up?  These statements must hold for every log, whatever is in it:
 * - the times of the uses of a CPU add up to the time for which it was online, which is reckoned here a second time;
 * - intervals, CPUs and processes add up to the same;
 * - the threads of a process have no more time than the process, and their turns add up to that time;
 * - the two halves of the log add up to the whole.
 */
#ifndef TEST_BALANCE_H
#define TEST_BALANCE_H

#include <stddef.h>

#include "account/report.h"

struct balance_cpu {
	__u32 id;
	__u32 core;
	bool up, waits;		/* online; will be online from the next entry that is not historical */
	__u64 since;		/* ns since boot at which it came online, if @up */
	__u64 online;		/* ns for which it was online in the window */
};

struct balance {
	struct bcoslog_account *account;
	__u64 since, until;	/* the window, in ns since boot */
	__u64 intervals[BCOSLOG_USES];
	__u64 ended;		/* CPU time of processes that ended, in ns */
	bool backward;		/* an interval, or a turn of a thread, ends before it begins */
	bool more_threads;	/* a process has less time than its threads */
	bool unwoken;		/* the waits of a thread are impossible */
	__u64 threads, turns;	/* time of all threads, and of their turns, in ns */
	__u64 thread_turns;	/* number of the turns */
	bool overtaken;		/* the reader was overtaken, so CPUs may have gone unnoticed */
	bool begun, history;
	__u64 now;
	struct balance_cpu *cpus;
	size_t count;
};

/**
 * balance_begin() - begin to compare the account of a log with the log
 * @balance: to be filled
 * @since: the begin of the window for which the account accounts, as in its options
 * @until: the end of the window, as in its options
 */
void balance_begin(struct balance *balance, __u64 since, __u64 until);

/* Takes the next entry of the log, which is well-formed. */
void balance_entry(struct balance *balance, const struct bcos_entry *entry);

/**
 * balance_end() - judge the account at the end of the log
 * @balance: needs balance_free() afterwards
 *
 * Return: NULL, or a sentence that says what does not add up; valid until the next call.
 */
const char *balance_end(struct balance *balance);
void balance_free(struct balance *balance);

/**
 * balance_of() - judge the account of a whole log and of its halves
 * @log: entries, from the first one on
 * @size: bytes of @log; nothing after a damaged entry is looked at
 *
 * Return: as balance_end().
 */
const char *balance_of(const void *log, size_t size);

#endif
