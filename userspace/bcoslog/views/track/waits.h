/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Measures how long a process waits for a CPU: from when one of its threads is woken, or from when it lost its CPU
 * though it did not block, to when it gets a CPU. This requires the class "state".
 */
#ifndef BCOSLOG_VIEWS_WAITS_H
#define BCOSLOG_VIEWS_WAITS_H

#include "account/report.h"
#include "report/report.h"

/* The loss of these kinds makes counts of waits lower bounds. */
#define LOST_WAITS (BCOSLOG_LOST_ASSIGNMENTS | BCOSLOG_LOST_STATES)

/**
 * struct waits - the waits of a process; zeros at first
 * @woken: since when the process waits, ns since boot; 0: it was not woken since it had a CPU
 * @unseen: the time for which processes may have run unseen, up to @woken
 * @surmised: @woken is when a thread blocked that had been woken just before; a later wake-up replaces it
 * @early: ID of a thread that was woken while the process had a CPU, and may be about to block; 0: none
 * @waker: the waker of the present wait
 * @last_waker: the waker of the wait that ended last; unknown if the process was not woken
 * @last_unknown: ns of the wait that ended last for which the process may have run unseen; it waited so much less
 * @blocked: a thread blocked since the process got a CPU, and no other thread of it took that CPU
 * @returns: a thread is about to get a CPU, while the process has none
 * @preempted: the process got a CPU though it neither was woken nor had blocked
 * @count: number of waits that ended in the window
 * @sum: ns of these waits
 * @longest: ns of the longest of these waits, and of several the first
 * @longest_at: when the longest wait ended, ns since boot
 * @cut: one of them began before the window, so it is longer
 * @longest_cut: likewise the longest one
 * @longest_waker: the waker of the longest wait; unknown if the process had been preempted
 * @unsure: number of waits that ended in the window and may have been shorter; the sums leave them out
 * @unsure_longest: ns of the longest of these, as far as the log tells
 */
struct waits {
	u64 woken, unseen;
	bool surmised;
	u32 early;
	struct bcoslog_waker waker, last_waker;
	u64 last_unknown;
	bool blocked, returns, preempted;
	u64 count, sum, longest, longest_at;
	bool cut, longest_cut;
	struct bcoslog_waker longest_waker;
	u64 unsure, unsure_longest;
};

/* Takes each entry of the log.  Return: whether the entry tells the state of a thread, which @state then gets. */
bool waits_tells(const struct bcos_entry *entry, struct bcoslog_thread *state);
/* Takes the state that a thread of the process has from @time on. */
void waits_state(struct waits *waits, const struct report *report, const struct bcoslog_account_process *process,
		 const struct bcoslog_thread *state, u64 time);
/*
 * Ends a wait: the process gets a CPU at @time. If it may have run unseen in between, @last_unknown is not 0.
 * Return: the ns for which it waited, at most; 0 also if they are unknown.
 */
u64 waits_end(struct waits *waits, const struct report *report, u64 time);
/* Ends a wait without counting it; call this instead of waits_end(). */
void waits_pass(struct waits *waits);
/*
 * Counts a wait of a preempted process for the stretch @off without a CPU; call this after waits_end().
 * Return: the length of the stretch, or 0 if the process had not been preempted.
 */
u64 waits_off(struct waits *waits, const struct report *report, const struct bcoslog_stretch *off);

/* Return: the cell of the name of a thread, which for a leader is that of its process; absent if the log gives none. */
struct cell thread_name_cell(const struct bcoslog_account_thread *thread);
/* Return: the cell of a waker, which uses @text; absent if the waker is unknown. */
struct cell waits_waker(const struct bcoslog_waker *waker, char *text, size_t size);

#endif
