/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Threads in the account of libbcoslog: CPU time, turns, waits for a CPU, and wakers.  A turn begins when a CPU
 * switches to a thread, and ends when the thread leaves the CPU.  The log tells of threads only while the class "state"
 * is on.
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
 * struct bcoslog_waker - the thread or interrupt that woke a thread
 * @by: the kind of the waker
 * @process: ID of the waker's process, if the waker is or may be a thread; BCOS_PROCESS_KERNEL for the kernel
 * @thread: ID of the waker, if the waker is or may be a thread; 0 is an idle thread
 */
struct bcoslog_waker {
	enum bcoslog_woken_by by;
	__u32 process;
	__u32 thread;
};

/* The greatest number of wakers that an account remembers for each thread. */
#define BCOSLOG_WAKERS 8

/**
 * struct bcoslog_wakes - the number of times that one waker woke a thread
 * @waker: the waker
 * @count: the number of times
 * @error: the greatest number by which @count may be too large, because the thread had more wakers than the account
 *	remembers
 */
struct bcoslog_wakes {
	struct bcoslog_waker waker;
	__u64 count;
	__u64 error;
};

/**
 * struct bcoslog_account_thread - a thread, from the time at which the log first names it to its end
 * @process: the process of the thread
 * @id: ID of the thread
 * @ended: the thread has ended
 * @at_least: states of threads were lost or not recorded while the thread lived, so the sums are a lower bound
 * @since: when the log first names the thread
 * @end: when the thread ended; valid if @ended
 * @time: CPU time in ns
 * @turns: how often a CPU switched to the thread
 * @waits: how often the thread waited for a CPU, after a wake-up or a preemption
 * @waited: sum of all waits, ns
 * @longest_wait: the longest wait, ns
 * @longest_wait_at: when the longest wait ended
 * @longest_preempted: the longest wait began with a preemption
 * @longest_waker: the waker that began the longest wait; valid unless @longest_preempted
 * @wakeups: how often the thread was woken
 * @wakers: number of elements of @wakes
 * @wakes: the wakers of the thread, in no order
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
 * @begin: when the turn began
 * @end: when the turn ended
 * @off: ns from the end of the thread's previous turn to the beginning of this turn; 0 if unknown
 * @waited: ns of @off for which the thread waited for a CPU; 0 if unknown
 * @preempted: the thread waited because it had been preempted
 * @waker: the waker that began the wait; valid unless @preempted
 * @left: the state in which the thread left the CPU, BCOS_STATE_*.  BCOS_STATE_RUNS means that the thread was
 *	preempted, or that the log does not say how the turn ended.  BCOS_STATES means that the CPU now belongs to the
 *	kernel, which may execute a system call of this thread (class kernel_time).
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
 * @context: first argument of the functions below, each of which may be NULL
 * @ended: called when a thread or its process has ended; the sums of the thread are complete, and the account frees the
 *	thread after the call
 * @turn: called when a turn of a thread has ended, before the account reports the interval of the thread's process
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
