/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Threads that were woken and have no CPU since. */
#ifndef CHROME_WAKES_H
#define CHROME_WAKES_H

#include "bcoslog.h"
#include "bcoslog_account.h"
#include "state/table.h"

/* Threads; a hostile log can make so many that their memory, in bytes, has the limit of tables. */
struct wakes {
	struct table table;
	u64 memory;
};

/**
 * struct wake - a wake-up that a turn follows
 * @from: the CPU on which the thread was woken
 * @to: the CPU that runs it then
 * @time: when it was woken
 */
struct wake {
	u32 from, to;
	u64 time;
};

/**
 * struct waking - a thread whose states the log tells
 * @node: its ID
 * @process: the account's number of its process
 * @runs: it has not blocked since it ran last
 * @woken: it has not run since @wake
 * @early: @wake came before it blocked, so another one takes its place
 * @wake: the wake-up
 */
struct waking {
	struct node node;
	u64 process;
	bool runs, woken, early;
	struct wake wake;
};

/**
 * wakes_entry() - take in an entry that is no assignment
 * @wakes: all threads
 * @entry: the entry
 * @account: to which the entry has been applied
 * @wake: is set if the entry begins a turn that follows a wake-up
 *
 * Return: 1 if @wake is set; else 0, or -ENOMEM.
 */
int wakes_entry(struct wakes *wakes, const struct bcos_entry *entry, const struct bcoslog_account *account, struct wake *wake);
void wakes_free(struct wakes *wakes);

#endif
