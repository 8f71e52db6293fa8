/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What reports ask of an account beyond the sums of bcoslog_account.h: former names, bounds, latencies, threads, and stretches. */
#ifndef BCOSLOG_ACCOUNT_REPORT_H
#define BCOSLOG_ACCOUNT_REPORT_H

#include "bcoslog_account.h"
#include "entry/who.h"
#include "core/format/entry.h"

/* ---- sums ------------------------------------------------------------------------- */

/* The greatest value of a sum stands for all greater ones, too: it is a lower bound. */
#define SUM_MAX UINT64_MAX

/* Return: the sum, or SUM_MAX if it has more than 64 bits. Times of several CPUs, or those that a text states, may. */
static inline u64 sum_of(u64 left, u64 right)
{
	return right > SUM_MAX - left ? SUM_MAX : left + right;
}

/* Adds to a sum likewise, which may be of either type of 64 bits. */
#define sum_add(sum, more) (*(sum) = sum_of(*(sum), more))

/* Return: the path of the control group that a process is in now; NULL if that is unknown. */
const char *account_process_cgroup(const struct bcoslog_account *account, const struct bcoslog_account_process *public);

/* ---- former names, and what the caller keeps -------------------------------------- */

/**
 * bcoslog_account_former_name() - get a former name of a process
 * @process: a process of an account
 * @index: number of the former name; 0 is the one that the account kept last.  This is the name before the present
 *	one, unless the process had that name twice: an account keeps each name once.
 * @length: receives the length of the name in bytes
 *
 * An account keeps the eight newest former names of a process.
 *
 * Return: the name, which no zero byte terminates; NULL if there are not so many.
 */
const char *bcoslog_account_former_name(const struct bcoslog_account_process *process, size_t index, size_t *length);

/**
 * bcoslog_account_former_device_name() - get a former name of a device
 * @device: a device of an account, and no copy of one
 * @index: number of the former name, as for bcoslog_account_former_name()
 * @length: receives the length of the name in bytes
 *
 * An account keeps the eight newest former names of a device, each once.
 *
 * Return: the name, which no zero byte terminates; NULL if there are not so many.
 */
const char *bcoslog_account_former_device_name(const struct bcoslog_account_device *device, size_t index, size_t *length);

/* Set the pointer @user of a process or device, which the caller may use as long as the object exists. */
void bcoslog_account_set_user(const struct bcoslog_account_process *process, void *user);
void bcoslog_account_set_device_user(const struct bcoslog_account_device *device, void *user);

/* ---- bounds, and latencies of devices --------------------------------------------- */

/* Return: the CPU that has this ID now; NULL if there is none. */
const struct bcoslog_account_cpu *bcoslog_account_cpu(const struct bcoslog_account *account, __u32 id);

/**
 * bcoslog_account_coming() - announce an entry that will be applied later
 * @account: the account
 * @entry: any entry
 *
 * A log may state a loss later than it begins. If the caller announces entries before it applies those before them, the
 * account knows of such a loss when it begins. Else it learns of it when it is stated: then the sums are lower bounds all
 * the same, but time that the account has counted before stays counted. A caller that announces entries announces all
 * of them, each once and in order, and each before it applies that entry.
 *
 * Return: 0, or -ENOMEM.
 */
int bcoslog_account_coming(struct bcoslog_account *account, const struct bcos_entry *entry);

/**
 * struct bcoslog_bounds - the greatest values that sums of a process can have
 * @time: CPU time in ns: what the account counted, and all time of CPUs in its life whose use is unknown
 * @instructions: instructions, as if it had had these CPUs at the greatest performance of all cores
 * @joules: likewise its share of the energy
 * @time_known: @time is valid; it is not if the reader was overtaken, or a loss was stated after it was counted
 * @instructions_known: @instructions is valid; it is not if the performance of a core is unknown
 * @joules_known: likewise @joules, and the power of a core
 */
struct bcoslog_bounds {
	__u64 time;
	double instructions, joules;
	bool time_known, instructions_known, joules_known;
};

/**
 * bcoslog_account_bounds() - compute the greatest values that the sums of a process can have
 * @process: a process of an account, and no copy of one
 * @bounds: receives the bounds
 *
 * If nothing is unknown, the bounds are the sums themselves.
 */
void bcoslog_account_bounds(const struct bcoslog_account_process *process, struct bcoslog_bounds *bounds);

/**
 * struct bcoslog_latency - latencies, each from an interrupt of a device to the transfer that follows the interrupt
 * @count: number of latencies
 * @minimum: the shortest latency, ns
 * @median: the median, ns, with an error of at most 1/16
 * @ninety_nine: the 99th percentile, ns, with an error of at most 1/16
 * @maximum: the longest latency, ns
 * @maximum_at: when the longest latency ended
 */
struct bcoslog_latency {
	__u64 count;
	__u64 minimum;
	__u64 median;
	__u64 ninety_nine;
	__u64 maximum;
	__u64 maximum_at;
};

/**
 * bcoslog_account_latency() - compute the latencies from the interrupts of a device to its transfers
 * @device: a device of an account
 * @latency: receives the latencies; all fields are 0 if there was none
 */
void bcoslog_account_latency(const struct bcoslog_account_device *device, struct bcoslog_latency *latency);

/**
 * bcoslog_account_latency_precision() - get by how much the latencies of a device may be wrong
 * @device: a device of an account
 *
 * The times of entries are the earliest possible ones, so a latency may be shorter than bcoslog_account_latency() says
 * by the precision of its interrupt, and longer by that of its transfer.
 *
 * Return: the greatest of these precisions in ns; 0 if there was no latency.
 */
__u64 bcoslog_account_latency_precision(const struct bcoslog_account_device *device);

/**
 * bcoslog_account_latency_forget() - empty the latencies of a device
 * @device: a device of an account
 *
 * A program that shows a log by intervals calls this function after each interval.
 */
void bcoslog_account_latency_forget(const struct bcoslog_account_device *device);

/* ---- threads ---------------------------------------------------------------------- */

/*
 * Threads in the account: CPU time, turns, waits for a CPU, and wakers.  A turn begins when a CPU
 * switches to a thread, and ends when the thread leaves the CPU.  The log tells of threads only while the class "state"
 * is on.
 *
 * Each thread belongs to its process.  A thread ID can be used again; each use is a thread of its own.  The times of
 * the threads of a process, and the time for which the log does not name the thread, add up to the CPU time of the
 * process.
 */

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
 * @name_length: length of @name
 * @name: its newest name; empty if the log gives none, and of a leader, whose name is that of the process
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
	__u32 name_length;
	char name[BCOS_NAME_MAX];
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

/**
 * bcoslog_account_thread_name() - tell the name of a thread
 * @account: an account
 * @process: the process of the thread
 * @thread: ID of the thread
 * @length: out: length of the name; 0 without one
 *
 * The name of a process's leader is that of the process.
 *
 * Return: the present name, or the last one of a thread that has ended in the same entry; NULL if the log gives none.
 *	It is valid until the next entry is applied.
 */
const char *bcoslog_account_thread_name(const struct bcoslog_account *account,
					const struct bcoslog_account_process *process, __u32 thread, size_t *length);

/* Set the pointer @user of a thread, which the caller may use as long as the thread exists. */
void bcoslog_account_set_thread_user(const struct bcoslog_account_thread *thread, void *user);

/* ---- stretches without a CPU ------------------------------------------------------ */

/*
 * Stretches without a CPU in the account: the time between two turns of a process, or of a thread.
 *
 * While the use of some CPU is unknown, because the log states a loss there, because entries were overwritten unread or
 * because a class was off, a process may have run unseen.  A stretch that contains such time is uncertain: it may
 * consist of several shorter ones.  Its length is the most that one stretch may have, and its length less its unknown
 * time is the time for which the process certainly had no CPU.
 *
 * With the class "state" a process was certainly asleep from when its threads blocked to when one of them was woken,
 * whatever is unknown about CPUs, unless states of threads were lost, too.
 */

/**
 * struct bcoslog_stretch - a stretch for which a process had no CPU, as far as the log tells; clipped to the window
 * @process: the process
 * @begin: when it lost its last CPU
 * @end: when it got a CPU again
 * @unknown: ns from @begin to @end for which the process may have run unseen; 0: it did not run
 * @cpu: ID of the CPU that it got
 * @cut: it began before the window, so it is longer
 */
struct bcoslog_stretch {
	const struct bcoslog_account_process *process;
	__u64 begin, end;
	__u64 unknown;
	__u32 cpu;
	bool cut;
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

#endif
