/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The items of the account.  Each begins with its node, and contains in @public
 * the structure that the caller sees.
 *
 * Only normal entries advance the time, account->now.  A historical entry has no
 * place in time.  Therefore a CPU keeps what a historical entry says about it until
 * the next normal entry (account_cpus_settle_history()).
 */
#ifndef BCOSLOG_ACCOUNT_INTERNAL_H
#define BCOSLOG_ACCOUNT_INTERNAL_H

#include "bcoslog_threads.h"
#include "state/name.h"
#include "state/table.h"

/* The greatest number of former names of a process that are kept: the newest ones. */
#define ACCOUNT_FORMER 8

__extension__ typedef unsigned __int128 u128;

/* Sums of a core in the window since the log first names it. The work of a CPU is a difference of two of them. */
struct work {
	u128 performance;		/* instructions in 125 us, times ns */
	u128 energy;			/* 2 mW, times ns */
	u64 performance_unknown, performance_assumed;	/* ns */
	u64 power_unknown, power_least;			/* ns */
};

/* The items in the order in which the log first names them. */
struct order {
	struct order *previous, *next;
};

struct process {
	struct node node;
	struct order order;
	struct bcoslog_account_process public;
	struct name name;
	struct name *former;	/* a ring of ACCOUNT_FORMER, in allocated memory; NULL if there was no other name */
	u32 formers, newest_former;	/* how many of them are there, and which was kept last */
	struct work work;
	struct order threads;
	u64 off_since;			/* when it last lost a CPU; valid if @ran */
	u64 losses;			/* account->cpu_losses when the log first named it */
	bool ran;
	bool gap;			/* not stated again since the reader was overtaken */
};

/* A thread ends with its process at the latest. The fields that each state changes are in front of the large @public. */
struct thread {
	struct node node;
	struct process *process;
	struct cpu *on;			/* the CPU of which it is @thread or @next_thread; NULL if there is none */
	bool in_turn;			/* @on executes it, and its time is charged */
	struct bcoslog_thread_turn turn;	/* the present one, or the one that begins */
	u32 state;			/* as the log said it last; BCOS_STATES if unknown */
	u64 off_since;			/* when its last turn ended; 0 if unknown */
	u64 waits_since;		/* it has waited for a CPU since then; 0 if it does not */
	bool preempted;			/* because it was preempted */
	bool surmised;			/* because of a wake-up before it blocked; another one would count instead */
	bool early;			/* woken in its present turn */
	struct bcoslog_waker waker;	/* of the newest wake-up that counts */
	u64 losses;			/* account->thread_losses_counted when the log first named it */
	u64 seen;			/* account->thread_losses when the log named it last */
	struct order order;		/* in that of its process */
	struct bcoslog_account_thread public;
};

/* A log-linear histogram with 16 buckets for each power of two of ns. */
#define LATENCY_STEPS 16
#define LATENCY_BUCKETS (60 * LATENCY_STEPS + LATENCY_STEPS)

struct latencies {
	u64 count, minimum, maximum, maximum_at;
	u32 bucket[LATENCY_BUCKETS];
};

enum prompt {
	PROMPT_NONE,			/* there was no interrupt yet, or interrupts are not recorded */
	PROMPT_WAITS,			/* there was an interrupt, and no transfer since */
	PROMPT_SERVED,
};

struct device {
	struct node node;
	struct order order;
	struct bcoslog_account_device public;
	struct name name;
	struct latencies *latencies;	/* NULL if there are none */
	enum prompt prompt;
	u64 prompted;			/* time of the newest interrupt */
	u64 split_time;			/* time of a transfer that the next entry continues */
	u16 split_type;			/* its type; 0 if there is none */
	u64 losses;			/* account->device_losses when the log first named it */
	u64 interrupt_losses;		/* account->interrupt_losses at @prompted */
	bool gap;
};

struct core {
	struct node node;
	struct order order;
	struct bcoslog_account_core public;
	struct work sums;		/* of each busy CPU: its share */
	struct work all;		/* of the whole core */
	u128 capacity;
	u64 from;			/* the sums are complete up to this time */
	u64 segment_from;		/* when the present segment began */
	u32 idle_power, power_difference;
	u32 *performance;
	u32 performances;
};

struct cpu {
	struct node node;
	struct order order;
	struct bcoslog_account_cpu public;
	struct core *core;
	struct process *process;	/* the process that it executes; NULL if none or unknown */
	struct thread *thread;		/* the thread that ran last when it executed that one's process */
	struct thread *next_thread;	/* the thread that runs once its process is assigned */
	u64 thread_from;		/* times of threads are counted up to this time */
	u64 thread_blind;		/* before this time, states of threads were lost */
	u64 from;			/* its use is counted up to this time */
	u64 began;			/* when the account first saw the present use */
	u64 online_from;		/* it is counted as online up to this time */
	struct work at;			/* the sums of the core at @from */
	bool lost;			/* its use is unknown because assignments were lost or not recorded */
	bool gap;			/* not stated again since the reader was overtaken */
	bool waits;			/* a historical entry named it, and no normal entry has followed */
	bool stated;			/* a historical entry says which process it executes, */
	u32 stated_process;		/* and this is the process */
	u64 stated_since;
};

struct bcoslog_account {
	struct bcoslog_account_options options;
	struct bcoslog_account_totals totals;
	struct bcoslog_thread_sinks threads;
	bool has_threads;
	bool calls;			/* a CPU is the kernel's during system calls (class kernel_time), as far as the log says */
	bool no_calls;			/* the log says that it is not */
	struct table processes, devices, cpus, cores, thread_table;
	struct order process_order, device_order, cpu_order, core_order;
	u64 now;			/* time of the last normal entry */
	bool begun;			/* there has been a normal entry */
	bool gap;			/* entries were overwritten unread, and no group has followed */
	bool history;			/* the last entry was historical, so a CPU may have @waits set */
	u64 gap_since;
	u32 unknown_cpus;		/* number of online CPUs whose use is unknown */
	u64 blind_until;		/* before this time, a process may have run unseen */
	u64 cpu_losses, device_losses;	/* numbers of losses in the window so far */
	u64 interrupt_losses;		/* of all */
	u64 transfers_known;		/* transfers and interrupts before this time may be lost */
	u32 lost_cpus;			/* number of CPUs with @lost */
	u64 thread_losses;		/* numbers of losses of states of threads, of all */
	u64 thread_losses_counted;	/* and in the window */
	u64 mask_since[32];		/* for each class that is off: since when */
	u32 off;			/* classes that are off */
	u64 serial;
	u64 memory;
};

#define item_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

/* Return: a time, clipped to the window. */
static inline u64 account_clip(const struct bcoslog_account *account, u64 time)
{
	if (time < account->options.since)
		return account->options.since;
	return time < account->options.until ? time : account->options.until;
}

/* Return: the ns from @from to @until that lie in the window. */
static inline u64 account_span(const struct bcoslog_account *account, u64 from, u64 until)
{
	return account_clip(account, until) - account_clip(account, from);
}

/* Return: true if the time is in the window, to which its end does not belong. */
static inline bool account_counts(const struct bcoslog_account *account, u64 time)
{
	return time >= account->options.since && time < account->options.until;
}

/* ---- item.c ----------------------------------------------------------------------- */

/* Add a zeroed item with a new ID at the end of @order.  Return: the item; NULL if there is no memory. */
void *account_add(struct bcoslog_account *account, struct table *table, u32 id, size_t size, struct order *list,
		  size_t order);
/* Remove an item from its table, and free it. */
void account_remove(struct bcoslog_account *account, struct table *table, void *item, size_t size, size_t order);

/* ---- process.c -------------------------------------------------------------------- */

/* Return: 0 or -ENOMEM. */
int account_process_named(struct bcoslog_account *account, const struct bcos_entry *entry);
void account_process_cancelled(struct bcoslog_account *account, const struct bcos_entry *entry);
/* The reader was overtaken. */
void account_processes_gap(struct bcoslog_account *account);
void account_process_release(struct node *node);
void account_work_show(const struct work *work, struct bcoslog_work *shown);
void account_processes_show(struct bcoslog_account *account);

/* ---- cpu.c ------------------------------------------------------------------------ */

/* Return: 0 or -ENOMEM. */
int account_cpu_online(struct bcoslog_account *account, const struct bcos_entry *entry);
void account_cpu_offline(struct bcoslog_account *account, u32 id);
void account_cpu_assigned(struct bcoslog_account *account, const struct bcos_entry *entry);
void account_cpu_stated(struct bcoslog_account *account, const struct bcos_entry *entry);
/* Make the use of a CPU unknown from now on, because assignments were lost; of all CPUs if @cpu is NULL. */
void account_cpu_lose(struct bcoslog_account *account, struct cpu *cpu);
/* Take the CPUs of a process away, because it ends. */
void account_cpus_leave(struct bcoslog_account *account, const struct process *process);
void account_cpus_gap(struct bcoslog_account *account);
/* Apply at the present time what historical entries have said about CPUs. */
void account_cpus_settle_history(struct bcoslog_account *account);
void account_cpus_charge(struct bcoslog_account *account);
void account_cpus_end(struct bcoslog_account *account);

/* ---- thread.c --------------------------------------------------------------------- */

/* These are called only if account->has_threads. */
/* Return: 0 or -ENOMEM. */
int account_thread_state(struct bcoslog_account *account, struct process *process, const struct bcos_entry *entry);
/* Count the time of the thread of a CPU up to @until. */
void account_thread_charge(struct bcoslog_account *account, struct cpu *cpu, u64 until);
/* End the turn of the thread of a CPU, whose process is about to change, maybe to the kernel. Its time must be charged. */
void account_thread_leaves(struct bcoslog_account *account, struct cpu *cpu, bool to_kernel);
/* Begin the turn of a thread of the process that a CPU now executes. */
void account_thread_comes(struct bcoslog_account *account, struct cpu *cpu);
/* States of threads are lost from now to @until, on one CPU or (NULL) all of them; @counts: a part of it is in the window. */
void account_threads_lost(struct bcoslog_account *account, struct cpu *cpu, u64 until, bool counts);
/* End the threads of a process that ends. */
void account_threads_end(struct bcoslog_account *account, struct process *process);
/* End the turns of all threads, because the log ends. */
void account_threads_finish(struct bcoslog_account *account);
void account_threads_show(struct bcoslog_account *account, struct process *process);

/* ---- core.c ----------------------------------------------------------------------- */

/* Return: 0 or -ENOMEM. */
int account_core_online(struct bcoslog_account *account, const struct bcos_entry *entry);
/* Find a core, or add one for a CPU whose core the log has not named.  Return: NULL if there is no memory. */
struct core *account_core_find(struct bcoslog_account *account, u32 id);
/* Complete the sums of a core up to the account's time. The caller does so before it changes the core. */
void account_core_advance(struct bcoslog_account *account, struct core *core);
/* Report the present segment of a core, up to the account's time. */
void account_core_tell(struct bcoslog_account *account, const struct core *core);
/* End the present segment of a core. The caller does so before it changes the core. */
static inline void account_core_cut(struct bcoslog_account *account, struct core *core)
{
	if (account->options.segment)
		account_core_tell(account, core);
	core->segment_from = account->now;
}

void account_cores_settle(struct bcoslog_account *account);
void account_cores_end(struct bcoslog_account *account);
void account_core_release(struct node *node);

/* ---- device.c --------------------------------------------------------------------- */

/* Return: 0 or -ENOMEM. */
int account_device_named(struct bcoslog_account *account, const struct bcos_entry *entry);
void account_device_cancelled(struct bcoslog_account *account, const struct bcos_entry *entry);
void account_device_transfer(struct bcoslog_account *account, const struct bcos_entry *entry);
/* Return: 0 or -ENOMEM. */
int account_device_interrupt(struct bcoslog_account *account, const struct bcos_entry *entry);
void account_device_event(struct bcoslog_account *account, const struct bcos_entry *entry);
void account_devices_gap(struct bcoslog_account *account);
void account_devices_show(struct bcoslog_account *account);
void account_device_release(struct node *node);

/* ---- loss.c ----------------------------------------------------------------------- */

#define LOST_ALL (BCOSLOG_LOST_LIVES | BCOSLOG_LOST_ASSIGNMENTS | BCOSLOG_LOST_INTERRUPTS | BCOSLOG_LOST_TRANSFERS | \
		  BCOSLOG_LOST_EVENTS | BCOSLOG_LOST_CALLS | BCOSLOG_LOST_DEVICES)

/* Sums over devices have both. */
#define LOST_TRANSFERS (BCOSLOG_LOST_TRANSFERS | BCOSLOG_LOST_INTERRUPTS)

/* Return: the kinds of events, BCOSLOG_LOST_*, that a statement of a loss (BCOS_EVENT_LOSS) reports. */
u32 account_loss_kinds(const char *text, size_t length);
/* Parse the new classes of a change (BCOS_EVENT_MASK).  Return: false if the text is malformed. */
bool account_loss_mask(const char *text, size_t length, u32 *mask);
/* Return: the kinds of events that are lost while a class is off. */
u32 account_loss_of_class(u32 class);
/* Return: true if some of this interval lies in the window. A loss may have no length. */
bool account_loss_concerns(const struct bcoslog_account *account, u64 begin, u64 end);
/* Count a loss, and report an interval of which events are lost. */
void account_loss_note(struct bcoslog_account *account, u32 kinds, u64 begin, u64 end);
void account_loss_tell(struct bcoslog_account *account, u32 kinds, u64 begin, u64 end);
/* The group after the place at which the reader was overtaken has ended. */
void account_loss_restated(struct bcoslog_account *account);
/* Count the losses that go on, as far as they lie in the window. */
void account_loss_settle(struct bcoslog_account *account);
/* Return: true if assignments, or transfers and interrupts, are lost at this time of the window. */
bool account_loses_assignments(const struct bcoslog_account *account);
bool account_loses_transfers(const struct bcoslog_account *account);
/* End the unknown intervals, because the log ends. */
void account_loss_end(struct bcoslog_account *account);

/* ---- gap.c ------------------------------------------------------------------------ */

/* The log states a loss, or a change of classes; the reader was overtaken. */
void account_gap_stated(struct bcoslog_account *account, const struct bcos_entry *entry);
void account_gap_mask_changed(struct bcoslog_account *account, const struct bcos_entry *entry);
void account_gap_overtaken(struct bcoslog_account *account, const struct bcos_entry *entry);

#endif
