/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The account of a log: who had which CPU for how long, what devices
 * transferred, which performance and power that took.  One pass over any log
 * gives intervals, as they end, and totals, at any moment.
 *
 *	struct bcoslog_account *account = bcoslog_account_new(NULL);
 *	const struct bcoslog_account_process *process = NULL;
 *
 *	while (bcoslog_next(log, &entry) > 0)
 *		bcoslog_account_entry(account, entry);
 *	bcoslog_account_settle(account);
 *	while ((process = bcoslog_account_next_process(account, process)))
 *		printf("%u: %llu ns\n", process->id, process->time);
 *	bcoslog_account_free(account);
 *
 * The account says what the log says, and no more.  Where the log states a
 * loss, where its reader was overtaken, or where a class was off, time is
 * unknown: it is neither idle nor anybody's, and the sums are a lower bound.
 * Of each CPU, the times of its uses add up to the time that it was online,
 * to the nanosecond.
 *
 * Memory grows with what is alive, not with the length of the log.  Times are
 * nanoseconds since boot.  An account is for one thread at a time.
 */
#ifndef BCOSLOG_ACCOUNT_H
#define BCOSLOG_ACCOUNT_H

#include "bcoslog.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct bcoslog_account;

/* What a CPU is used for. */
enum bcoslog_use {
	BCOSLOG_USE_PROCESS,
	BCOSLOG_USE_KERNEL,	/* process 0: kernel threads, dying groups; with class kernel_time all of the kernel */
	BCOSLOG_USE_IDLE,
	BCOSLOG_USE_UNKNOWN,	/* the log does not say */
	BCOSLOG_USES
};

/**
 * struct bcoslog_work - what using CPUs amounts to by the estimates of their cores (5.5)
 * @instructions: executed, scaled as section 5.5.2 says
 * @joules: taken; of a process its share of what the core takes beyond idling
 * @performance_unknown: ns for which @instructions knows nothing
 * @performance_assumed: ns for which the core's table was too short, and its last entry was taken
 * @power_unknown: ns for which @joules knows nothing
 * @at_least: the core takes as much power as the log can state, or more
 */
struct bcoslog_work {
	double instructions;
	double joules;
	__u64 performance_unknown;
	__u64 performance_assumed;
	__u64 power_unknown;
	bool at_least;
};

/* No process has this ID: the parent is not known. */
#define BCOSLOG_NO_PROCESS 0xFFFFFFFEu

/**
 * struct bcoslog_account_process - an incarnation of a process
 * @id: its ID, which others may have had before and may have again
 * @precision: of @start
 * @serial: number of the incarnation in this account, from 1 on
 * @start: when it began
 * @end: when its name was cancelled, if @ended
 * @status: its termination status (5.2.1), if @ended
 * @born: the log has seen it begin
 * @ended: it has ended
 * @vanished: the log lost sight of it: it ended nobody knows when
 * @at_least: something was lost while it lived
 * @name: the newest, not zero terminated
 * @name_length: of @name
 * @former: the name before that, NULL if there was none
 * @former_length: of @former
 * @renames: how often the name changed, as by an exec
 * @time: on CPUs, summed over CPUs
 * @turns: how often it was given a CPU
 * @longest_off: longest stretch without a CPU, between two turns
 * @longest_off_at: when that one ended
 * @calls: entries of kernel calls
 * @events: generic events
 * @cpus: that it has now
 * @work: what that amounts to
 * @user: for the caller, zero at first
 */
struct bcoslog_account_process {
	__u32 id;
	__u32 precision;
	__u64 serial;
	__u64 start;
	__u64 end;
	__u32 status;
	bool born, ended, vanished, at_least;
	const char *name;
	size_t name_length;
	const char *former;
	size_t former_length;
	__u64 renames;
	__u64 time;
	__u64 turns;
	__u64 longest_off;
	__u64 longest_off_at;
	__u64 calls;
	__u64 events;
	__u32 cpus;
	struct bcoslog_work work;
	void *user;
};

/**
 * struct bcoslog_account_cpu - a CPU since it came online
 * @id: its ID
 * @core: its core's
 * @up: it is online now
 * @start: when it came online last
 * @online: ns for which it was online, in the window
 * @time: of these, ns for each use; they add up to @online
 * @turns: assignments
 * @use: what it is used for now
 * @process: who has it now, NULL if it is idle or unknown
 * @since: when that began, which may lie before the window
 */
struct bcoslog_account_cpu {
	__u32 id;
	__u32 core;
	bool up;
	__u64 start;
	__u64 online;
	__u64 time[BCOSLOG_USES];
	__u64 turns;
	enum bcoslog_use use;
	const struct bcoslog_account_process *process;
	__u64 since;
};

/**
 * struct bcoslog_account_core - a core since its first CPU came online
 * @id: its ID
 * @cpus: of it that are online
 * @busy: of these, not idle
 * @unknown: of these, not known to be either
 * @online: ns for which it had a CPU, in the window
 * @idle: of these, ns for which all its CPUs were idle
 * @capacity: instructions that its CPUs could have executed, all of them busy
 * @work: all that it did and took, its idle power included
 */
struct bcoslog_account_core {
	__u32 id;
	__u32 cpus;
	__u32 busy;
	__u32 unknown;
	__u64 online;
	__u64 idle;
	double capacity;
	struct bcoslog_work work;
};

/**
 * struct bcoslog_latency - from an interrupt of a device to the data that it brings
 * @count: of them
 * @minimum: ns, as all below
 * @median: within 1/16 of the truth, as is @ninety_nine
 * @ninety_nine: 99 of 100 took no longer
 * @maximum: the longest
 * @maximum_at: when that one ended
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
 * struct bcoslog_account_device - an incarnation of a device
 * @id: its ID
 * @precision: of @start
 * @serial: number of the incarnation in this account, from 1 on
 * @start: when it became ready for use
 * @end: when its name was cancelled, if @ended
 * @status: its termination status, if @ended
 * @driver: the process of its driver
 * @ended: its name was cancelled
 * @vanished: the log lost sight of it
 * @at_least: something was lost while it was there
 * @stacked: it passes on to other devices what it transfers, so sums over devices leave it out
 * @name: the newest, not zero terminated
 * @name_length: of @name
 * @input: bytes, as is @output
 * @inputs: transfers, as are @outputs
 * @faults: generic events that tell of an error
 * @interrupts: of it
 * @batched: transfers behind the first one of an interrupt
 * @unprompted: transfers of a device that had no interrupt before
 * @fruitless: interrupts without a transfer until the next one
 * @user: for the caller, zero at first
 */
struct bcoslog_account_device {
	__u32 id;
	__u32 precision;
	__u64 serial;
	__u64 start;
	__u64 end;
	__u32 status;
	__u32 driver;
	bool ended, vanished, at_least, stacked;
	const char *name;
	size_t name_length;
	__u64 input, output;
	__u64 inputs, outputs;
	__u64 faults;
	__u64 interrupts;
	__u64 batched, unprompted, fruitless;
	void *user;
};

/**
 * struct bcoslog_account_totals - of the whole log, or the window
 * @begin: of what the log tells about, in the window
 * @end: the time of its last entry that is not historical, in the window
 * @online: ns of all CPUs
 * @time: of these, for each use
 * @entries: applied
 * @turns: assignments
 * @births: of processes, as are @execs (and renames) and @ends
 * @unnamed: uses of IDs that the log does not name, which are skipped (5.2)
 * @losses: stated ones
 * @overtaken: how often the reader of the log was overtaken
 * @lost: losses of this kind make sums a lower bound: BCOSLOG_LOST_*
 */
struct bcoslog_account_totals {
	__u64 begin, end;
	__u64 online;
	__u64 time[BCOSLOG_USES];
	__u64 entries;
	__u64 turns;
	__u64 births, execs, ends;
	__u64 unnamed;
	__u64 losses;
	__u64 overtaken;
	__u32 lost;
};

#define BCOSLOG_LOST_LIVES		(1u << 0)	/* births, execs and deaths */
#define BCOSLOG_LOST_ASSIGNMENTS	(1u << 1)
#define BCOSLOG_LOST_INTERRUPTS		(1u << 2)
#define BCOSLOG_LOST_TRANSFERS		(1u << 3)
#define BCOSLOG_LOST_EVENTS		(1u << 4)	/* generic ones */
#define BCOSLOG_LOST_CALLS		(1u << 5)
#define BCOSLOG_LOST_DEVICES		(1u << 6)	/* that come and go */

/**
 * struct bcoslog_interval - a stretch for which a CPU had one use, clipped to the window
 * @begin: of the stretch
 * @end: of it; may equal @begin
 * @cpu: which one
 * @core: it is of
 * @use: what for
 * @process: whose, NULL if it is idle or unknown
 */
struct bcoslog_interval {
	__u64 begin, end;
	__u32 cpu;
	__u32 core;
	enum bcoslog_use use;
	const struct bcoslog_account_process *process;
};

/**
 * struct bcoslog_segment - a stretch for which nothing about a core changed, clipped to the window
 * @begin: of the stretch
 * @end: of it
 * @core: which one
 * @cpus: of it that are online
 * @busy: of these, not idle
 * @performance_known: @performance and @capacity say something
 * @power_known: @power says something
 * @at_least: it takes @power or more
 * @performance: instructions in 125 us, of all its busy CPUs together
 * @capacity: the same if all its CPUs were busy
 * @power: in 2 mW
 */
struct bcoslog_segment {
	__u64 begin, end;
	__u32 core;
	__u32 cpus, busy;
	bool performance_known, power_known, at_least;
	__u64 performance, capacity;
	__u32 power;
};

/**
 * struct bcoslog_account_options - how an account is kept, and who hears of it meanwhile
 * @since: begin of the window; what was before is known, but not counted
 * @until: its end; 0: none
 * @context: for the functions below, each of which may be NULL
 * @interval: a CPU had one use; called when the next one begins, in order of the ends
 * @segment: likewise, of a core
 * @off: a process was without a CPU from @begin to @end, and has @cpu now
 * @process_ended: its totals are complete; it is forgotten after the call
 * @device_ended: likewise
 * @transfer: a device transferred @bytes at @time
 * @interrupt: a device had an interrupt at @time
 * @unknown: from @begin to @end the log does not tell of what @lost says, BCOSLOG_LOST_*
 */
struct bcoslog_account_options {
	__u64 since, until;
	void *context;
	void (*interval)(void *context, const struct bcoslog_interval *interval);
	void (*segment)(void *context, const struct bcoslog_segment *segment);
	void (*off)(void *context, const struct bcoslog_account_process *process, __u64 begin, __u64 end, __u32 cpu);
	void (*process_ended)(void *context, const struct bcoslog_account_process *process);
	void (*device_ended)(void *context, const struct bcoslog_account_device *device);
	void (*transfer)(void *context, const struct bcoslog_account_device *device, bool output, __u64 time,
			 __u32 bytes);
	void (*interrupt)(void *context, const struct bcoslog_account_device *device, __u64 time);
	void (*unknown)(void *context, __u32 lost, __u64 begin, __u64 end);
};

/**
 * bcoslog_account_new() - an empty account
 * @options: copied; NULL: the whole log, and nobody hears of it
 *
 * Return: NULL if there is no memory.
 */
struct bcoslog_account *bcoslog_account_new(const struct bcoslog_account_options *options);
void bcoslog_account_free(struct bcoslog_account *account);

/**
 * bcoslog_account_entry() - the next entry of the log
 * @account: the account
 * @entry: well-formed
 *
 * Return: 0 or -ENOMEM, also when names would take more than 1 GiB.
 */
int bcoslog_account_entry(struct bcoslog_account *account, const struct bcos_entry *entry);

/**
 * bcoslog_account_batch() - the next entries of the log
 * @account: the account
 * @batch: as bcoslog_batch() gives it
 *
 * Return: as bcoslog_account_entry().
 */
int bcoslog_account_batch(struct bcoslog_account *account, const struct bcoslog_batch *batch);

/**
 * bcoslog_account_settle() - count what still goes on, up to the last entry
 * @account: the account
 *
 * The log may go on afterwards, and so may the account.
 */
void bcoslog_account_settle(struct bcoslog_account *account);

/**
 * bcoslog_account_end() - the log ends here
 * @account: the account
 *
 * Settles, and gives each CPU's last interval and each core's last segment.
 */
void bcoslog_account_end(struct bcoslog_account *account);

/* As of the last bcoslog_account_settle(). */
const struct bcoslog_account_totals *bcoslog_account_totals(const struct bcoslog_account *account);

/*
 * What is alive, as of the last bcoslog_account_settle(): NULL begins, and NULL ends. The order is that in which they
 * were first seen. Each is valid until the next entry is applied.
 */
const struct bcoslog_account_process *bcoslog_account_next_process(const struct bcoslog_account *account,
								  const struct bcoslog_account_process *after);
const struct bcoslog_account_device *bcoslog_account_next_device(const struct bcoslog_account *account,
								 const struct bcoslog_account_device *after);
const struct bcoslog_account_cpu *bcoslog_account_next_cpu(const struct bcoslog_account *account,
							   const struct bcoslog_account_cpu *after);
const struct bcoslog_account_core *bcoslog_account_next_core(const struct bcoslog_account *account,
							     const struct bcoslog_account_core *after);

/* The one that has this ID now, or NULL. */
const struct bcoslog_account_process *bcoslog_account_process(const struct bcoslog_account *account, __u32 id);
const struct bcoslog_account_device *bcoslog_account_device(const struct bcoslog_account *account, __u32 id);

/* What the caller keeps with a process or device while it lives: its @user from now on. */
void bcoslog_account_set_user(const struct bcoslog_account_process *process, void *user);
void bcoslog_account_set_device_user(const struct bcoslog_account_device *device, void *user);

/**
 * bcoslog_account_latency() - from the interrupts of a device to its data
 * @device: of an account
 * @latency: out: all zero where there was none
 */
void bcoslog_account_latency(const struct bcoslog_account_device *device, struct bcoslog_latency *latency);

/**
 * bcoslog_account_latency_forget() - count a device's latencies anew from here on
 * @device: as the account gives it
 *
 * This serves whoever shows a log by intervals.
 */
void bcoslog_account_latency_forget(const struct bcoslog_account_device *device);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
