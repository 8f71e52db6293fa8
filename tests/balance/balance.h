/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Does the account of a log add up?  This must hold for every log, whatever is in it:
 * - of each CPU the times of its uses are the time that it was online, which is reckoned here a second time;
 * - intervals, CPUs and processes add up to the same;
 * - the threads of a process have no more time than the process, and their turns are that time;
 * - the log's two halves add up to the whole.
 */
#ifndef TEST_BALANCE_H
#define TEST_BALANCE_H

#include <stddef.h>

#include "bcoslog_threads.h"

struct balance_cpu {
	__u32 id;
	__u32 core;
	bool up, waits;		/* online; will be, from the next entry that is not historical on */
	__u64 since;		/* if @up */
	__u64 online;		/* ns, in the window */
};

struct balance {
	struct bcoslog_account *account;
	__u64 since, until;	/* the window */
	__u64 intervals[BCOSLOG_USES];
	__u64 ended;		/* CPU time of processes that ended */
	bool backward;		/* an interval was, or a turn of a thread */
	bool more_threads;	/* a process has less time than its threads */
	bool unwoken;		/* the waits of a thread cannot be */
	__u64 threads, turns;	/* ns of threads, and of their turns */
	__u64 thread_turns;	/* number of these */
	bool overtaken;		/* nobody knows which CPUs went meanwhile */
	bool begun, history;
	__u64 now;
	struct balance_cpu *cpus;
	size_t count;
};

/**
 * balance_begin() - a log, of which the window is accounted for
 * @balance: to be filled
 * @since: as of the account's options
 * @until: likewise
 */
void balance_begin(struct balance *balance, __u64 since, __u64 until);

/* The next entry, well-formed. */
void balance_entry(struct balance *balance, const struct bcos_entry *entry);

/**
 * balance_end() - the log ends here
 * @balance: which needs balance_free() afterwards
 *
 * Return: NULL, or a sentence that says what does not add up; valid until the next call.
 */
const char *balance_end(struct balance *balance);
void balance_free(struct balance *balance);

/**
 * balance_of() - a log, and its halves
 * @log: its entries, the first one at the beginning
 * @size: of it; after an entry that is damaged nothing is looked at
 *
 * Return: as balance_end().
 */
const char *balance_of(const void *log, size_t size);

#endif
