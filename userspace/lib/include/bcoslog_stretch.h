/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Stretches without a CPU in the account of libbcoslog: the time between two turns of a process, or of a thread.
 *
 * While the use of some CPU is unknown, because the log states a loss there, because entries were overwritten unread or
 * because a class was off, a process may have run unseen.  A stretch that contains such time is uncertain: it may
 * consist of several shorter ones.  Its length is the most that one stretch may have, and its length less its unknown
 * time is the time for which the process certainly had no CPU.
 *
 * With the class "state" a process was certainly asleep from when its threads blocked to when one of them was woken,
 * whatever is unknown about CPUs, unless states of threads were lost, too.
 */
#ifndef BCOSLOG_STRETCH_H
#define BCOSLOG_STRETCH_H

#include "bcoslog_threads.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * struct bcoslog_stretch - a stretch for which a process had no CPU, as far as the log tells; clipped to the window
 * @process: the process
 * @begin: when it lost its last CPU
 * @end: when it got a CPU again
 * @unknown: ns from @begin to @end for which the process may have run unseen; 0: it did not run
 * @cpu: ID of the CPU that it got
 */
struct bcoslog_stretch {
	const struct bcoslog_account_process *process;
	__u64 begin, end;
	__u64 unknown;
	__u32 cpu;
};

/**
 * bcoslog_account_stretches() - have a function called for each stretch without a CPU, when the stretch ends
 * @account: an account to which no entry has been applied
 * @off: the function.  The sink @off of the account's options only gets those stretches that are certain.
 * @context: its first argument
 *
 * If the use of its CPU becomes unknown while a process has it, and no part of the time until the process gets a CPU
 * again is certain, that time is no stretch, since the process may have kept its CPU.
 */
void bcoslog_account_stretches(struct bcoslog_account *account,
			       void (*off)(void *context, const struct bcoslog_stretch *stretch), void *context);

/**
 * bcoslog_account_longest_stretch() - get the longest stretch of a process, which may be uncertain
 * @process: a process of an account
 * @stretch: receives the stretch; all fields are 0 if there was none
 */
void bcoslog_account_longest_stretch(const struct bcoslog_account_process *process, struct bcoslog_stretch *stretch);

/**
 * bcoslog_account_unseen() - tell for how long processes may have run unseen
 * @account: the account
 * @time: a time that is not before the last entry, ns since boot; for an earlier time the last entry's is taken
 *
 * The difference of two calls tells how much of the time between is uncertain.
 *
 * Return: the ns up to @time, or up to the end of the window, for which the use of at least one CPU was unknown.
 */
__u64 bcoslog_account_unseen(const struct bcoslog_account *account, __u64 time);

/**
 * struct bcoslog_before - the time before a turn of a thread
 * @off: ns from the end of the thread's previous turn to the beginning of this turn; 0 if unknown
 * @off_unknown: ns of @off for which the thread may have run unseen; if this is not 0, @off of the turn is 0
 * @waited: ns of @off for which the thread waited for a CPU; 0 if unknown
 * @waited_unknown: ns of @waited for which the thread may have run unseen; if this is not 0, @waited of the turn is 0
 */
struct bcoslog_before {
	__u64 off, off_unknown;
	__u64 waited, waited_unknown;
};

/**
 * bcoslog_account_before() - tell what came before a turn, also where it is uncertain
 * @thread: the thread of the turn; call this from the sink @turn
 * @before: receives the time before the turn
 */
void bcoslog_account_before(const struct bcoslog_account_thread *thread, struct bcoslog_before *before);

/**
 * bcoslog_account_uncertain_waits() - tell which waits the sums of a thread leave out
 * @thread: a thread of an account
 * @longest: receives the greatest length in ns that such a wait may have; 0 if there is none
 *
 * Return: the number of waits in which the thread may have run unseen, or whose wake-up was lost.
 */
__u64 bcoslog_account_uncertain_waits(const struct bcoslog_account_thread *thread, __u64 *longest);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
