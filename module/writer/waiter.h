/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waiters are open files and collectors, as the log writer sees them. This says which of them have
 * news to read.
 */
#ifndef BCOS_WAITER_H
#define BCOS_WAITER_H

#include <linux/list.h>
#include <linux/poll.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "core/ring/cursor.h"

/**
 * struct bcos_waiter - an open file or a collector
 * @node: link in the list of all waiters that read
 * @reads: the file is open for reading; set before bcos_waiters_add()
 * @wait: threads that block in read or poll
 * @cursor: next entry to read, if @bound; its owner changes it, all may read it
 * @bound: a read or seek has set @cursor; before that, the place is the oldest entry
 * @caught_up: the reader has reached the end of the log since @cursor was set
 * @acknowledge: guards @known
 * @known: the marks when compactions were last acknowledged
 * @watermark: bytes that are worth waking the reader for
 * @user: process that last used the file or collector
 * @told: end of the log when the reader was last woken; only the log writer uses this
 */
struct bcos_waiter {
	struct list_head node;
	bool reads;
	wait_queue_head_t wait;
	struct bcos_cursor cursor;
	bool bound;
	bool caught_up;
	/* Guards @known. */
	spinlock_t acknowledge;
	struct bcos_marks known;
	u32 watermark;
	u32 user;
	u64 told;
};

/* Sets the ring that all waiters read. Context: the writer's bring-up. */
void bcos_waiters_up(const struct bcos_ring *ring);

/*
 * bcos_waiters_add() initialises and counts a waiter, and lists it if it reads. Past compactions
 * count as acknowledged.
 */
void bcos_waiters_add(struct bcos_waiter *waiter);
/* Removes a waiter, on which no thread waits any more. */
void bcos_waiters_remove(struct bcos_waiter *waiter);

/* Returns the number of open files and collectors. */
u32 bcos_waiters_count(void);

/**
 * bcos_waiter_events() - the poll events of a waiter
 * @waiter: the waiter
 *
 * POLLIN: at least the watermark is there to read, and some of it is news to this waiter. POLLPRI:
 * there are compactions that it has not acknowledged. POLLERR: the writer overtook it.
 *
 * Context: any; takes no lock.
 * Return: EPOLL*.
 */
__poll_t bcos_waiter_events(struct bcos_waiter *waiter);

/* The log writer calls these, never in interrupts. */

/*
 * Writes the IDs of the processes that read the log to @ids, at most @room of them. Returns their
 * number.
 */
u32 bcos_waiters_quiet(u32 *ids, u32 room);
/* Does any waiter have a thread that waits? */
bool bcos_waiters_waiting(void);
/* Notes that entries which are worth waking readers for were appended. */
void bcos_waiters_news(void);
/*
 * Wakes the waiters that have enough to read. @news: the passes appended entries that are worth
 * waking readers for.
 */
void bcos_waiters_appended(bool news);
/* Wakes the waiters that wait for compactions or were overtaken, after entries were discarded. */
void bcos_waiters_compacted(void);

#endif
