/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How long a process waits for a CPU: from when a thread of it is woken, or from when it lost its CPU though it did not
 * block. The log says so with the class state.
 */
#ifndef BCOSLOG_VIEWS_WAITS_H
#define BCOSLOG_VIEWS_WAITS_H

#include "bcoslog_threads.h"
#include "views/report.h"

/**
 * struct waits - of a process; zeros at first
 * @woken: and it has had no CPU since; 0: it was not
 * @surmised: @woken is when it blocked, as it had been woken before; another wake-up counts instead
 * @early: a thread that was woken while the process had a CPU, and may be about to block; 0: none
 * @waker: who woke it, in the present wait
 * @last_waker: who woke it, in the wait that ended last; unknown if it was not woken
 * @blocked: a thread of it gave its CPU up since it got one, and no other one took that
 * @returns: a thread of it is about to get a CPU, while it has none
 * @preempted: it got a CPU that it neither was woken for nor had given up
 * @count: of waits that ended in the window
 * @sum: ns of these
 * @longest: ns, the first of those that are as long
 * @longest_at: when that one ended
 * @longest_waker: who woke it then; unknown if it was preempted
 */
struct waits {
	u64 woken;
	bool surmised;
	u32 early;
	struct bcoslog_waker waker, last_waker;
	bool blocked, returns, preempted;
	u64 count, sum, longest, longest_at;
	struct bcoslog_waker longest_waker;
};

/* Each entry of the log: does it tell the state of a thread? */
bool waits_tells(const struct bcos_entry *entry, struct bcoslog_thread_state *state);
/* Takes a state of a thread of the process, at @time. */
void waits_state(struct waits *waits, const struct bcoslog_account_process *process,
		 const struct bcoslog_thread_state *state, u64 time);
/* The process gets a CPU at @time.  Return: ns for which it waited; 0 also if nobody knows since when. */
u64 waits_end(struct waits *waits, const struct report *report, u64 time);
/* Ends a wait without counting it; it replaces waits_end(). */
void waits_pass(struct waits *waits);
/* After waits_end(): it had no CPU from @begin to @end.  Return: @end - @begin if it waited all that time. */
u64 waits_off(struct waits *waits, const struct report *report, u64 begin, u64 end);

/* The cell of who woke a thread.  @text: room for it, which outlasts the cell. */
struct cell waits_waker(const struct bcoslog_waker *waker, char *text, size_t size);

#endif
