/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Processes that were woken and have no CPU since. */
#ifndef CHROME_WAKES_H
#define CHROME_WAKES_H

#include "bcos_evlog.h"
#include "state/table.h"

/* Processes that were woken; a hostile log can make so many that their memory, in bytes, has the limit of tables. */
struct wakes {
	struct table table;
	u64 memory;
};

/**
 * struct wake - a process that was woken
 * @node: its ID
 * @cpu: where it was woken
 * @time: when
 */
struct wake {
	struct node node;
	u32 cpu;
	u64 time;
};

/* An entry that is no assignment.  Return: 0 or -ENOMEM. */
int wakes_entry(struct wakes *wakes, const struct bcos_entry *entry);

/**
 * wakes_take() - the wake-up that a turn on a CPU follows
 * @wakes: all of them
 * @process: which has the CPU
 * @begin: of the turn
 * @wake: is set
 *
 * A process that had a CPU when it was woken waits for none, so that wake-up is forgotten.
 *
 * Return: false if there is none.
 */
bool wakes_take(struct wakes *wakes, u32 process, u64 begin, struct wake *wake);
void wakes_free(struct wakes *wakes);

#endif
