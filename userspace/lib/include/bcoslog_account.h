/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The account of a log: for how long each process had each CPU, how many bytes
 * each device transferred, and the performance and power of each core.  One pass
 * over any log gives intervals when they end, and totals at any moment.
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
 * The account adds no guesses to the log.  Where the log states a loss, where the
 * ring overwrote entries before they were read, or where a class was not recorded,
 * time is unknown: it counts neither as idle nor for a process, and the sums are a
 * lower bound.  The times of the four uses of a CPU add up, to the nanosecond, to
 * the time for which it was online.
 *
 * The memory of an account grows with the number of living processes and devices,
 * not with the length of the log.  All times are nanoseconds since boot.  Only one
 * thread at a time may use an account.
 */
#ifndef BCOSLOG_ACCOUNT_H
#define BCOSLOG_ACCOUNT_H

#include "bcoslog.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct bcoslog_account;

/**
 * enum bcoslog_use - the use of a CPU
 * @BCOSLOG_USE_PROCESS: it executes a process
 * @BCOSLOG_USE_KERNEL: it executes process 0: kernel threads and dying processes; with the class kernel_time also
 *	the system calls and interrupts of all processes
 * @BCOSLOG_USE_IDLE: it is idle
 * @BCOSLOG_USE_UNKNOWN: the log does not say what it does
 * @BCOSLOG_USES: number of the uses
 */
enum bcoslog_use {
	BCOSLOG_USE_PROCESS,
	BCOSLOG_USE_KERNEL,
	BCOSLOG_USE_IDLE,
	BCOSLOG_USE_UNKNOWN,
	BCOSLOG_USES
};

/**
 * struct bcoslog_work - instructions and energy, by the estimates of the cores (5.5)
 * @instructions: instructions executed, scaled as section 5.5.2 defines
 * @joules: energy; for a process, its share of the energy that the core uses in addition to its idle power
 * @performance_unknown: ns that @instructions does not include, because the performance is unknown
 * @performance_assumed: ns for which the table of the core was too short, so that its last element was used
 * @power_unknown: ns that @joules does not include, because the power is unknown
 * @at_least: the power reached the greatest value that an entry can hold, so @joules is a lower bound
 */
struct bcoslog_work {
	double instructions;
	double joules;
	__u64 performance_unknown;
	__u64 performance_assumed;
	__u64 power_unknown;
	bool at_least;
};

/* The ID in place of an unknown process; no process has it. */
#define BCOSLOG_NO_PROCESS 0xFFFFFFFEu

/**
 * struct bcoslog_account_process - a process, from the birth to the end of one owner of its ID
 * @id: its ID; other processes may have it before and after
 * @precision: precision of @start (4.4), ns
 * @serial: number of this process in the account, counted from 1; unlike @id it is unique
 * @start: when the process began
 * @end: when its name was cancelled; valid if @ended
 * @status: its termination status (5.2.1); valid if @ended
 * @born: the log contains its beginning
 * @ended: it has ended
 * @vanished: it ended at an unknown time, where entries were overwritten before they were read
 * @at_least: assignments of the window were lost while it lived, so the sums are a lower bound
 * @name: its newest name, which no zero byte terminates
 * @name_length: length of @name in bytes
 * @former: its name before @name; NULL if it had no other name
 * @former_length: length of @former in bytes
 * @renames: number of changes of the name, for example by exec
 * @time: CPU time in ns, summed over CPUs
 * @turns: number of assignments of a CPU to the process
 * @longest_off: the longest time for which it certainly had no CPU between two assignments, ns
 * @longest_off_at: when the longest time without a CPU ended
 * @calls: number of kernel API entries
 * @events: number of generic events
 * @cpus: number of CPUs that execute the process now
 * @lost: the kinds of events of the window that were lost while it lived, BCOSLOG_LOST_*
 * @work: its instructions and energy
 * @user: a pointer of the caller's; NULL at first
 * @end_lost: it has not ended as far as the log tells, but may have: ends were lost after the log named it last
 * @has_parent: the log tells of its parent (class who)
 * @parent: ID of the process that it was born of; valid if @has_parent
 * @cgroup_cpu: @cgroup is of version 1's hierarchy of the controller cpu, and else of version 2
 * @cgroup_cut: @cgroup lacks its beginning
 * @cgroup: the path of the control group that it is in, or was in when it ended; NULL if that is unknown
 * @has_user: @uid is valid
 * @uid: user ID as which it executed a program last, or else as which its parent had done so when it was born
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
	__u32 lost;
	struct bcoslog_work work;
	void *user;
	bool end_lost, has_parent, cgroup_cpu, cgroup_cut;
	__u32 parent;
	const char *cgroup;
	bool has_user;
	__u32 uid;
};

/**
 * struct bcoslog_account_cpu - a CPU that is or was online
 * @id: its ID
 * @core: ID of its core
 * @up: it is online now
 * @lost: assignments of the window were lost, so @turns is a lower bound
 * @start: when it last came online
 * @online: ns for which it was online in the window
 * @time: ns of @online for each use; they add up to @online
 * @turns: number of assignments
 * @use: its present use
 * @process: the process that it executes now; NULL if it is idle or its use is unknown
 * @since: when the present use began; this may lie before the window
 */
struct bcoslog_account_cpu {
	__u32 id;
	__u32 core;
	bool up, lost;
	__u64 start;
	__u64 online;
	__u64 time[BCOSLOG_USES];
	__u64 turns;
	enum bcoslog_use use;
	const struct bcoslog_account_process *process;
	__u64 since;
};

/**
 * struct bcoslog_account_core - a core that is or was online
 * @id: its ID
 * @cpus: number of its CPUs that are online
 * @busy: number of online CPUs that execute a process or the kernel
 * @unknown: number of online CPUs whose use is unknown
 * @online: ns in the window for which at least one of its CPUs was online
 * @idle: ns of @online for which all its CPUs were idle
 * @capacity: number of instructions that its CPUs could have executed if all had been busy
 * @work: its instructions and energy, including its idle power
 * @possible: number of instructions that it may have executed beyond those of @work, in the time of their
 *	@performance_unknown, if @boundless is 0
 * @least_joules: energy that it used at least beyond that of @work, in the time of its @power_unknown
 * @boundless: ns of @performance_unknown for which no estimate of the core limits its performance
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
	double possible, least_joules;
	__u64 boundless;
};

/**
 * struct bcoslog_account_device - a device, from the beginning to the end of one owner of its ID
 * @id: its ID; other devices may have it before and after
 * @precision: precision of @start (4.4), ns
 * @serial: number of this device in the account, counted from 1; unlike @id it is unique
 * @start: when it became ready for use
 * @end: when its name was cancelled; valid if @ended
 * @status: its termination status (5.2.1); valid if @ended
 * @driver: ID of the process that is its driver
 * @ended: its name was cancelled
 * @vanished: it ended at an unknown time, where entries were overwritten before they were read
 * @at_least: events of the window were lost while it existed, so the sums are a lower bound
 * @lost: the kinds of these events, BCOSLOG_LOST_*: bytes and transfers are exact unless transfers were lost, and
 *	@interrupts unless interrupts were
 * @stacked: it passes its transfers on to other devices, so sums over all devices exclude it
 * @name: its newest name, which no zero byte terminates
 * @name_length: length of @name in bytes
 * @input: bytes of input
 * @output: bytes of output
 * @inputs: number of input transfers
 * @outputs: number of output transfers
 * @faults: number of generic events that report an error
 * @interrupts: number of interrupts
 * @batched: number of transfers that follow another transfer after the same interrupt
 * @unprompted: number of transfers before the first interrupt, or after one that may have been lost; without those
 *	that came while the class irq was off
 * @fruitless: number of interrupts after which no transfer came before the next interrupt or the end of the device
 * @user: a pointer of the caller's; NULL at first
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
	__u32 lost;
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
 * struct bcoslog_account_totals - totals of the log, or of the window
 * @begin: when the part of the window that the log covers begins
 * @end: when that part ends: the time of the last normal entry, or the end of the window if that is earlier
 * @online: ns for which CPUs were online, summed over CPUs
 * @time: ns of @online for each use
 * @entries: number of entries applied, including those outside the window
 * @turns: number of assignments
 * @births: number of processes that began
 * @execs: number of execs and other changes of a process' name
 * @ends: number of processes that ended
 * @unnamed: number of entries that were skipped because the log does not name their process or device (5.2)
 * @losses: number of entries that state a loss, including those outside the window
 * @overtaken: number of notices that entries were overwritten unread
 * @lost: the kinds of events of the window that were lost, BCOSLOG_LOST_*; sums of these are a lower bound
 * @cgroups: number of events that tell the control group of a process, including those outside the window
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
	__u64 cgroups;
};

/* The kinds of events that can be lost. */
#define BCOSLOG_LOST_LIVES		(1u << 0)	/* births, execs and deaths of processes */
#define BCOSLOG_LOST_ASSIGNMENTS	(1u << 1)
#define BCOSLOG_LOST_INTERRUPTS		(1u << 2)
#define BCOSLOG_LOST_TRANSFERS		(1u << 3)
#define BCOSLOG_LOST_EVENTS		(1u << 4)	/* generic events */
#define BCOSLOG_LOST_CALLS		(1u << 5)
#define BCOSLOG_LOST_DEVICES		(1u << 6)	/* names and ends of devices */
#define BCOSLOG_LOST_STATES		(1u << 7)	/* states of threads */
#define BCOSLOG_LOST_REQUESTS		(1u << 8)	/* of disks */

/**
 * struct bcoslog_interval - an interval during which the use of a CPU did not change, clipped to the window
 * @begin: when it began
 * @end: when it ended; this may equal @begin
 * @cpu: ID of the CPU
 * @core: ID of its core
 * @use: the use of the CPU
 * @process: the process that the CPU executed; NULL if it was idle or its use is unknown
 */
struct bcoslog_interval {
	__u64 begin, end;
	__u32 cpu;
	__u32 core;
	enum bcoslog_use use;
	const struct bcoslog_account_process *process;
};

/**
 * struct bcoslog_segment - an interval during which nothing changed about a core, clipped to the window
 * @begin: when it began
 * @end: when it ended
 * @core: ID of the core
 * @cpus: number of its CPUs that were online
 * @busy: number of these CPUs that executed a process or the kernel
 * @performance_known: @performance is valid
 * @power_known: @power is valid
 * @at_least: @power is a lower bound
 * @performance: instructions in 125 us of all busy CPUs of the core together
 * @capacity: instructions in 125 us if all its CPUs were busy; 0 if the core does not state it
 * @power: power in units of 2 mW
 * @possible: the greatest possible performance, like @performance; 0 if @performance_known, or if no estimate limits it
 * @least_power: the least possible power in units of 2 mW; 0 if @power_known, or if the core states no power
 */
struct bcoslog_segment {
	__u64 begin, end;
	__u32 core;
	__u32 cpus, busy;
	bool performance_known, power_known, at_least;
	__u64 performance, capacity;
	__u32 power;
	__u32 least_power;
	__u64 possible;
};

/**
 * struct bcoslog_account_options - the window of an account, and functions that it calls during the pass
 * @since: when the window begins; earlier entries are applied, but not counted
 * @until: when the window ends; 0 for the end of the log
 * @context: first argument of the functions below, each of which may be NULL
 * @interval: called when an interval of a CPU has ended; the calls are in the order in which the intervals end
 * @segment: called when a segment of a core has ended; the calls are in the order in which the segments end
 * @off: called when a process that had no CPU from @begin to @end has been assigned @cpu; not if entries that were
 *	lost may tell that it ran in between
 * @process_ended: called when a process has ended; its totals are complete, and the account frees it after the call
 * @device_ended: called when a device has ended; its totals are complete, and the account frees it after the call
 * @transfer: called for each transfer of a device
 * @interrupt: called for each interrupt of a device
 * @unknown: called for each interval from @begin to @end for which events of the kinds @lost (BCOSLOG_LOST_*) are
 *	lost or were not recorded
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
 * bcoslog_account_new() - create an empty account
 * @options: the options, which the account copies; NULL for the whole log and no functions
 *
 * Return: the account; NULL if there is no memory.
 */
struct bcoslog_account *bcoslog_account_new(const struct bcoslog_account_options *options);

/* Free an account.  NULL is ignored. */
void bcoslog_account_free(struct bcoslog_account *account);

/**
 * bcoslog_account_entry() - apply the next entry of the log
 * @account: the account
 * @entry: a well-formed entry
 *
 * Return: 0, or -ENOMEM if there is no memory or the names need more than 1 GiB.
 */
int bcoslog_account_entry(struct bcoslog_account *account, const struct bcos_entry *entry);

/**
 * bcoslog_account_batch() - apply the next entries of the log
 * @account: the account
 * @batch: a batch from bcoslog_batch()
 *
 * Return: as bcoslog_account_entry().
 */
int bcoslog_account_batch(struct bcoslog_account *account, const struct bcoslog_batch *batch);

/**
 * bcoslog_account_settle() - add the intervals that have not ended, up to the last entry, to the totals
 * @account: the account
 *
 * More entries may be applied afterwards.
 */
void bcoslog_account_settle(struct bcoslog_account *account);

/**
 * bcoslog_account_end() - end the account at the end of the log
 * @account: the account
 *
 * The function settles the account, and reports the last interval of each CPU and the last segment of each core.
 */
void bcoslog_account_end(struct bcoslog_account *account);

/* Return: the totals at the last bcoslog_account_settle(). */
const struct bcoslog_account_totals *bcoslog_account_totals(const struct bcoslog_account *account);

/*
 * Iterate over the living processes, the existing devices, the CPUs or the cores, in the order in which the log first
 * names them.  Their sums are those of the last bcoslog_account_settle().
 * Return: the object after @after, or the first one if @after is NULL; NULL after the last one.  It is valid until the
 * next entry is applied.
 */
const struct bcoslog_account_process *bcoslog_account_next_process(const struct bcoslog_account *account,
								  const struct bcoslog_account_process *after);
const struct bcoslog_account_device *bcoslog_account_next_device(const struct bcoslog_account *account,
								 const struct bcoslog_account_device *after);
const struct bcoslog_account_cpu *bcoslog_account_next_cpu(const struct bcoslog_account *account,
							   const struct bcoslog_account_cpu *after);
const struct bcoslog_account_core *bcoslog_account_next_core(const struct bcoslog_account *account,
							     const struct bcoslog_account_core *after);

/* Return: the process or device that has this ID now; NULL if there is none. */
const struct bcoslog_account_process *bcoslog_account_process(const struct bcoslog_account *account, __u32 id);
const struct bcoslog_account_device *bcoslog_account_device(const struct bcoslog_account *account, __u32 id);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
