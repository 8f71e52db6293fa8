/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Threads in the account of libbcoslog: CPU time, turns, waits for a CPU, and who woke them.  The log tells of threads
 * only while the class "state" is on.
 *
 * Each thread belongs to its process.  A thread ID can be used again; each use is a thread of its own.  The times of
 * the threads of a process, and the time for which the log does not name the thread, add up to the CPU time of the
 * process.
 */
#ifndef BCOSLOG_THREADS_H
#define BCOSLOG_THREADS_H

#include "bcoslog_account.h"
#include "bcoslog_who.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * struct bcoslog_waker - who woke a thread
 * @by: a thread, an interrupt, or unknown
 * @process: ID of its process, if it is a thread; BCOS_PROCESS_KERNEL for the kernel
 * @thread: its ID, if it is a thread; 0 is an idle thread
 */
struct bcoslog_waker {
	enum bcoslog_woken_by by;
	__u32 process;
	__u32 thread;
};

#define BCOSLOG_WAKERS 8

/**
 * struct bcoslog_wakes - how often somebody woke a thread
 * @waker: who
 * @count: how often
 * @error: @count may be too large by so much, because the thread had more wakers than are remembered
 */
struct bcoslog_wakes {
	struct bcoslog_waker waker;
	__u64 count;
	__u64 error;
};

/**
 * struct bcoslog_account_thread - a thread, from when the log first names it to its end
 * @process: its process
 * @id: its ID
 * @ended: it has ended
 * @at_least: states of threads were lost or not recorded while it lived, so the sums are a lower bound
 * @since: when the log first names it
 * @end: when it ended; valid if @ended
 * @time: CPU time in ns
 * @turns: how often a CPU switched to it
 * @waits: how often it waited for a CPU, woken or preempted
 * @waited: ns that these took together
 * @longest_wait: the longest of these, ns
 * @longest_wait_at: when that one ended
 * @longest_preempted: that one began because the thread was preempted
 * @longest_waker: else, who woke it then
 * @wakeups: how often it was woken
 * @wakers: number of elements of @wakes
 * @wakes: who woke it, in no order
 * @user: a pointer of the caller's; NULL at first
 */
struct bcoslog_account_thread {
	const struct bcoslog_account_process *process;
	__u32 id;
	bool ended, at_least;
	__u64 since;
	__u64 end;
	__u64 time;
	__u64 turns;
	__u64 waits;
	__u64 waited;
	__u64 longest_wait;
	__u64 longest_wait_at;
	bool longest_preempted;
	struct bcoslog_waker longest_waker;
	__u64 wakeups;
	__u32 wakers;
	struct bcoslog_wakes wakes[BCOSLOG_WAKERS];
	void *user;
};

/**
 * struct bcoslog_thread_turn - a turn of a thread on a CPU that has ended, clipped to the window
 * @thread: the thread
 * @cpu: ID of the CPU
 * @begin: when it began
 * @end: when it ended
 * @off: ns for which it had no CPU before; 0: unknown
 * @waited: ns of these for which it waited for a CPU; 0: unknown
 * @preempted: it waited because it had been preempted
 * @waker: else, who woke it
 * @left: how the turn ended: a BCOS_STATE_*; BCOS_STATE_RUNS: it was preempted, or the log does not say; BCOS_STATES: the
 *	kernel has its CPU, which may be for a system call of its own (class kernel_time)
 */
struct bcoslog_thread_turn {
	const struct bcoslog_account_thread *thread;
	__u32 cpu;
	__u64 begin, end;
	__u64 off, waited;
	bool preempted;
	struct bcoslog_waker waker;
	__u32 left;
};

/**
 * struct bcoslog_thread_sinks - functions that an account calls during the pass
 * @context: their first argument; each of them may be NULL
 * @ended: called when a thread has ended, or its process; its sums are complete, and the account frees it after the
 *	call
 * @turn: called when a turn of a thread has ended, before the account tells of the interval of its process
 */
struct bcoslog_thread_sinks {
	void *context;
	void (*ended)(void *context, const struct bcoslog_account_thread *thread);
	void (*turn)(void *context, const struct bcoslog_thread_turn *turn);
};

/**
 * bcoslog_account_threads() - keep an account of threads, too
 * @account: an account to which no entry has been applied
 * @sinks: the functions, which are copied; NULL for none
 */
void bcoslog_account_threads(struct bcoslog_account *account, const struct bcoslog_thread_sinks *sinks);

/*
 * Iterate over the living threads of a process, in the order in which the log first names them.  Their sums are those
 * of the last bcoslog_account_settle().
 * Return: the thread after @after, or the first one if @after is NULL; NULL after the last one.  It is valid until the
 * next entry is applied.
 */
const struct bcoslog_account_thread *bcoslog_account_next_thread(const struct bcoslog_account_process *process,
								const struct bcoslog_account_thread *after);

/* Set the pointer @user of a thread, which the caller may use as long as the thread exists. */
void bcoslog_account_set_thread_user(const struct bcoslog_account_thread *thread, void *user);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
