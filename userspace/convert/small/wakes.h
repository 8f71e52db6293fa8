/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Threads that were woken and have not run since. */
#ifndef CHROME_WAKES_H
#define CHROME_WAKES_H

#include "bcoslog.h"
#include "bcoslog_account.h"
#include "state/table.h"

/* The table of threads. A hostile log can name any number of threads, so their @memory in bytes is limited. */
struct wakes {
	struct table table;
	u64 memory;
};

/**
 * struct wake - a wake-up, and the turn on a CPU that follows it
 * @from: the CPU on which the thread was woken
 * @to: the CPU that then runs it
 * @time: the time of the wake-up
 * @by_thread: a thread woke it, which had the CPU @from
 */
struct wake {
	u32 from, to;
	u64 time;
	bool by_thread;
};

/**
 * struct waking - a thread whose states the log tells
 * @node: holds the thread's ID
 * @process: serial number of its process in the account
 * @runs: it has not blocked since it last ran
 * @woken: it has not run since @wake
 * @early: @wake came while the thread still ran, so a later wake-up replaces it
 * @wake: the last wake-up
 */
struct waking {
	struct node node;
	u64 process;
	bool runs, woken, early;
	struct wake wake;
};

/**
 * wakes_entry() - take an entry that is no assignment
 * @wakes: all threads
 * @entry: the entry
 * @account: the account, which has already taken the entry
 * @wake: out: the wake-up, if the entry begins the turn that follows it
 *
 * Return: 1 if @wake is set and by a thread; else 0, or -ENOMEM.
 */
int wakes_entry(struct wakes *wakes, const struct bcos_entry *entry, const struct bcoslog_account *account,
		struct wake *wake);
void wakes_free(struct wakes *wakes);

#endif
