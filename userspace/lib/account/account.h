/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The items of the account.  Each item begins with its node, and contains in
 * @public the structure that the caller sees.
 *
 * Only normal entries advance the time, account->now, because the time of a
 * historical entry lies in the past.  Therefore a CPU keeps what a historical entry
 * says about the CPU until the next normal entry (account_cpus_settle_history()).
 */
#ifndef BCOSLOG_ACCOUNT_INTERNAL_H
#define BCOSLOG_ACCOUNT_INTERNAL_H

#include "account/latency.h"
#include "report.h"
#include "state/chain.h"
#include "state/name.h"
#include "state/table.h"

/* The number of former names of a process or device that the account keeps: the newest ones. */
#define ACCOUNT_FORMER 8

__extension__ typedef unsigned __int128 u128;

/* Sums of a core in the window up to some time. The work of a CPU in an interval is the difference of two such sums. */
struct work {
	u128 performance;		/* instructions in 125 us, times ns */
	u128 energy;			/* 2 mW, times ns */
	u64 performance_unknown, performance_assumed;	/* ns */
	u64 power_unknown, power_least;			/* ns */
};

/* A link in a list of items, which are in the order in which the log first names them. */
struct order {
	struct order *previous, *next;
};

/* The former names of a process or device, each once. */
struct formers {
	struct name *of;		/* a ring of ACCOUNT_FORMER names; NULL if there was no other name */
	u32 count, newest;		/* number of names in @of, and index of the one that was kept last */
};

struct process {
	struct node node;
	struct order order;
	struct bcoslog_account_process public;
	struct name name;
	struct formers formers;
	struct work work;
	struct order running;		/* the CPUs that execute it */
	struct order threads;
	u32 thread_count;		/* number of @threads */
	u32 asleep;			/* number of @threads that are asleep; valid if @asleep_losses is up to date */
	u64 asleep_losses;		/* account->state_losses when @asleep was set */
	u64 off_since;			/* when it last lost a CPU; valid if @ran */
	u64 seen;			/* when the log first named it */
	u64 alive;			/* when the log last stated or named it, or had an entry of it */
	u128 blind;			/* account->blind at that time */
	struct bcoslog_bounds bounds;
	struct cgroup *cgroup;		/* NULL: unknown; so it is unless @cgroup_round is that of the account */
	u64 cgroup_round;
	u64 cgroup_until;		/* a child that begins before this may be in another group */
	u64 cgroup_end;			/* after this the group is unknown, since moves were lost; UINT64_MAX: never */
	u64 off_unseen;			/* account->unseen up to then, or up to when it woke */
	struct bcoslog_stretch longest;
	bool ran;			/* it had a CPU and lost it */
	bool left_unseen;		/* it lost it in the sense that the use of the CPU became unknown */
	bool gap;			/* the log has not stated it again since the reader was overtaken */
};

/* A thread ends with its process at the latest. The fields that each new state changes lie before the large @public. */
struct thread {
	struct node node;
	struct process *process;
	struct cpu *on;			/* the CPU whose @thread or @next_thread it is; NULL if there is none */
	bool in_turn;			/* the CPU @on executes it, and the CPU's time is its time */
	struct bcoslog_thread_turn turn;	/* the present turn, or the turn that begins */
	u32 state;			/* the state that the log named last; BCOS_STATES if unknown */
	u64 off_since;			/* when its last turn ended; 0 if unknown */
	u64 waits_since;		/* since when it waits for a CPU; 0 if it does not wait */
	bool preempted;			/* it waits because it was preempted */
	bool surmised;			/* the wait follows from a wake-up before it blocked; a later one replaces it */
	bool early;			/* a wake-up came during its present turn */
	bool asleep;			/* it is blocked, and has not been woken; valid if @asleep_losses is up to date */
	u64 asleep_losses;		/* account->state_losses when @asleep was set */
	bool left_unseen;		/* a loss ended its last turn */
	u64 off_unseen, wait_unseen;	/* account->thread_unseen up to @off_since, or up to when it woke; up to @waits_since */
	struct bcoslog_before before;	/* what came before @turn */
	u64 unsure_waits, unsure_longest;
	struct bcoslog_waker waker;	/* the waker of the newest wake-up that counts */
	u64 losses;			/* account->thread_losses_counted when the log first named it */
	u64 seen;			/* account->thread_losses when the log named it last */
	struct order order;		/* its link in @threads of its process */
	struct bcoslog_account_thread public;
};

struct latencies {
	u64 count, minimum, maximum, maximum_at;
	u32 precision;			/* the greatest precision of their interrupts and transfers, ns */
	u32 bucket[LATENCY_BUCKETS];
};

/* The relation of the next transfer of a device to the device's newest interrupt. */
enum prompt {
	PROMPT_NONE,			/* there was no interrupt, or an interrupt may have been lost */
	PROMPT_WAITS,			/* no transfer has followed the newest interrupt */
	PROMPT_SERVED,			/* a transfer has followed the newest interrupt */
};

struct device {
	struct node node;
	struct order order;
	struct bcoslog_account_device public;
	struct name name;
	struct formers formers;
	struct latencies *latencies;	/* NULL before the first interrupt */
	enum prompt prompt;
	u64 prompted;			/* time of the newest interrupt */
	u32 prompt_precision;		/* its precision, ns */
	u64 split_time;			/* time of a transfer that the next entry may continue */
	u16 split_type;			/* type of the entries of that transfer; 0 if there is none */
	u64 seen;			/* when the log first named it */
	bool gap;			/* the log has not stated it again since the reader was overtaken */
};

struct core {
	struct node node;
	struct order order;
	struct bcoslog_account_core public;
	struct work sums;		/* the share of one busy CPU in the work of the core */
	struct work all;		/* the work of the whole core */
	u128 capacity;			/* instructions in 125 us if all CPUs were busy, times ns */
	u128 possible;			/* the most instructions in 125 us while they are unknown, times ns */
	u128 least_energy;		/* the least power in 2 mW while it is unknown, times ns */
	u64 from;			/* the sums are complete up to this time */
	u64 segment_from;		/* when the present segment began */
	u32 idle_power, power_difference;
	bool has_performance, has_power;	/* they are known */
	u32 *performance;
	u64 *greatest;			/* element n: the performance of at most n + 1 busy CPUs together; 0 if nothing limits it */
	u32 performances;
};

struct cpu {
	struct node node;
	struct order order;
	struct bcoslog_account_cpu public;
	struct link to_lose, to_miss, to_settle, to_detach;	/* its links in the chains of the account */
	struct core *core;
	struct process *process;	/* the process that it executes; NULL if none or unknown */
	struct order running;		/* its link in @running of that process */
	struct thread *thread;		/* the thread that it executes, or executed last before another process */
	struct thread *next_thread;	/* the thread whose turn begins with the assignment of the thread's process */
	u64 thread_from;		/* times of threads are counted up to this time */
	u64 thread_blind;		/* before this time, states of threads were lost */
	u64 from;			/* the use of the CPU is counted up to this time */
	u64 began;			/* when the account first saw the present use */
	u64 online_from;		/* the time online is counted up to this time */
	struct work at;			/* core->sums at @from */
	bool lost;			/* its use is unknown because assignments were lost or not recorded */
	u64 lost_until;			/* up to this time no assignment tells its use, because others were lost */
	u64 stale_until;		/* up to this time no group does, because it may repeat an older assignment */
	bool gap;			/* the log has not stated it again since the reader was overtaken */
	bool waits;			/* a historical entry brings it online, and no normal entry has followed */
	bool stated;			/* a historical entry has assigned it, and no normal entry has followed */
	u32 stated_process;		/* the process in that historical entry */
	u64 stated_since;		/* the time of that historical entry */
};

/* The number of kinds BCOSLOG_LOST_*. */
#define LOST_KINDS 9

/* The greatest values of a busy CPU of any core; 0: unknown. */
struct limits {
	u32 performance;		/* instructions in 125 us */
	u32 power;			/* 2 mW, beyond the idle power */
};

/* A loss that the log states later than it begins. */
struct coming {
	struct bcoslog_loss loss;	/* without its texts */
	u32 cpu;
	bool wakes;			/* wake-ups of threads may be lost */
};

/*
 * The time for which something may have happened unseen: while one of several causes lasts, and up to a known time. It
 * is known up to @at.
 */
struct unseen {
	u64 sum, before;		/* ns up to @at, but not after the window; and ns of these before the window */
	u64 at, until;
	u32 open;			/* number of causes that last */
};

struct bcoslog_account {
	struct bcoslog_account_options options;
	struct bcoslog_account_totals totals;
	struct bcoslog_thread_sinks threads;
	bool has_threads;
	bool calls;			/* the log shows that the class kernel_time is on */
	bool no_who;			/* the log shows that the class who is off */
	u64 cgroup_round;		/* goes up whenever the control groups of all processes become unknown */
	bool no_calls;			/* the log shows that the class kernel_time is off */
	struct table processes, devices, cpus, cores, thread_table;
	struct table thread_names;	/* lib/state/thread_name.h */
	struct order process_order, device_order, cpu_order, core_order;
	struct chain to_lose;		/* online CPUs, but for those with @lost */
	struct chain to_miss;		/* online CPUs, but for those with @gap */
	struct chain to_settle;		/* CPUs with @gap, @waits or @stated */
	struct chain to_detach;		/* CPUs with @thread or @next_thread */
	u64 now;			/* time of the last normal entry */
	bool begun;			/* there has been a normal entry */
	bool gap;			/* entries were overwritten unread, and no group has followed */
	bool history;			/* a historical entry has changed @waits, @stated or @gap of a CPU */
	u64 gap_since;			/* when @gap became true */
	u64 gap_stated;			/* the newest notice that entries were overwritten */
	u32 unknown_cpus;		/* number of online CPUs whose use is unknown */
	/* For each kind, by its bit: the losses that concern the window ended before this time; 0: there was none. */
	u64 lost_until[LOST_KINDS];
	u64 ends_lost;			/* just after the last loss of ends of processes, also before the window; 0: none */
	u64 interrupts_until;		/* likewise of interrupts, also outside the window */
	u32 open;			/* kinds of losses whose end the log does not tell, as bits */
	u64 open_since[LOST_KINDS];	/* when they began */
	u64 open_until;			/* they last up to this time, and then to the next group */
	u128 blind;			/* ns of the window, summed over CPUs, for which the use of a CPU was unknown */
	struct limits limits;		/* of all cores; 0 if that of a core is unknown now */
	struct limits greatest;		/* that any core had so far */
	u32 without_performance, without_power;	/* number of cores of which they are unknown now */
	u64 unbounded;			/* before this time, a process may have run on a CPU that the log does not know */
	struct coming *coming;		/* losses that were announced and have not begun, in the order of their begins */
	size_t comings, coming_room;
	u64 announced;			/* number of late losses that were announced and not stated yet */
	struct unseen unseen;		/* when processes may have run unseen */
	struct unseen thread_unseen;	/* when threads may have run unseen */
	void (*stretch)(void *context, const struct bcoslog_stretch *stretch);
	void *stretch_context;
	u32 lost_cpus;			/* number of CPUs with @lost */
	u64 thread_losses;		/* number of losses of states of threads, also outside the window */
	u64 thread_blind;		/* before this time, states of threads of all CPUs were lost */
	u64 state_losses;		/* number of losses in which wake-ups of threads may be lost, too */
	bool states_off;		/* the class state is off */
	u64 thread_losses_counted;	/* number of losses of states of threads in the window */
	u64 mask_since[32];		/* for each class in @off, the time at which the class went off */
	u32 off;			/* classes that are off and make sums uncertain, as bits */
	u64 serial;			/* serial number of the newest process or device */
	u64 memory;			/* size of items and names in bytes */
};

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

/* Return: true if the time is in the window.  The end of the window does not belong to it. */
static inline bool account_counts(const struct bcoslog_account *account, u64 time)
{
	return time >= account->options.since && time < account->options.until;
}

/* ---- item.c ----------------------------------------------------------------------- */

/*
 * Add a zeroed item with a new ID to @table, and to the end of @list. @order is the offset of the item's link.
 * Return: the item; NULL if there is no memory.
 */
void *account_add(struct bcoslog_account *account, struct table *table, u32 id, size_t size, struct order *list,
		  size_t order);
/* Remove an item from its table and list, and free it. */
void account_remove(struct bcoslog_account *account, struct table *table, void *item, size_t size, size_t order);

static inline void order_init(struct order *list)
{
	list->previous = list->next = list;
}

static inline void order_add(struct order *list, struct order *link)
{
	link->previous = list->previous;
	link->next = list;
	list->previous->next = link;
	list->previous = link;
}

static inline void order_remove(struct order *link)
{
	link->previous->next = link->next;
	link->next->previous = link->previous;
}

/* ---- former.c --------------------------------------------------------------------- */

/* Keep a name unless it is kept already.  Return: 0 or -ENOMEM; @kept receives the kept name unless it is NULL. */
int formers_keep(struct bcoslog_account *account, struct formers *formers, const struct name *name,
		 const struct name **kept);
/* Return: name number @index, and its @length. Number 0 is the one that was kept last. NULL if there are not so many. */
const char *formers_get(const struct formers *formers, size_t index, size_t *length);
/* Free the names, and take their memory from *@memory. */
void formers_free(struct formers *formers, u64 *memory);

/* ---- cgroup.c ---------------------------------------------------------------------- */

/* Note the control group that an event BCOS_EVENT_CGROUP of the process tells.  Return: 0 or -ENOMEM. */
int account_cgroup_told(struct bcoslog_account *account, struct process *process, const struct bcos_entry *entry);
/* A new process, the parent of which has just been told, begins in the group that its parent is in for certain. */
void account_cgroup_inherit(struct bcoslog_account *account, struct process *child);
/* Moves may be lost: the groups of all processes are unknown. */
void account_cgroups_forget(struct bcoslog_account *account);
/* Forget the group of one process, and take its memory from *@memory. */
void account_cgroup_leave(struct process *process, u64 *memory);
void account_cgroup_show(const struct bcoslog_account *account, struct process *process);

/* ---- process.c -------------------------------------------------------------------- */

/* Note the parent that an event BCOS_EVENT_PARENT of the process tells. */
void account_process_parent(struct bcoslog_account *account, struct process *process, const struct bcos_entry *entry);
/* Note the user that an event BCOS_EVENT_EXEC of the process tells. */
void account_process_executes(struct process *process, const struct bcos_entry *entry);
/* Return: 0 or -ENOMEM. */
int account_process_named(struct bcoslog_account *account, const struct bcos_entry *entry);
void account_process_cancelled(struct bcoslog_account *account, const struct bcos_entry *entry);
/* Note that the reader was overtaken: processes that the log does not state again have ended. */
void account_processes_gap(struct bcoslog_account *account);
void account_process_release(struct node *node);
/* The functions with the names ..._show() bring the structures that the caller sees up to date. */
void account_work_show(const struct work *work, struct bcoslog_work *shown);
/* Compute the greatest instructions and joules of a process, of whose time @unknown ns of CPUs are unknown. */
void account_work_bounds(const struct limits *limits, const struct bcoslog_work *work, u64 unknown,
			 struct bcoslog_bounds *bounds);
void account_processes_show(struct bcoslog_account *account);

/* ---- cpu.c ------------------------------------------------------------------------ */

/* Return: 0 or -ENOMEM. */
int account_cpu_online(struct bcoslog_account *account, const struct bcos_entry *entry);
void account_cpu_offline(struct bcoslog_account *account, u32 id);
void account_cpu_assigned(struct bcoslog_account *account, const struct bcos_entry *entry);
void account_cpu_stated(struct bcoslog_account *account, const struct bcos_entry *entry);
/* Make the use of @cpu, or of all CPUs if @cpu is NULL, unknown from now on, because assignments were lost. */
void account_cpu_lose(struct bcoslog_account *account, struct cpu *cpu);
/* Make the use of each CPU that executes @process unknown, because the process ends. */
void account_cpus_leave(struct bcoslog_account *account, const struct process *process);
void account_cpus_gap(struct bcoslog_account *account);
/* Apply at the present time what historical entries have said about CPUs. */
void account_cpus_settle_history(struct bcoslog_account *account);
/* Count the uses of all CPUs up to the present time. */
void account_cpus_charge(struct bcoslog_account *account);
/* Report the last interval of each CPU, because the log ends. */
void account_cpus_end(struct bcoslog_account *account);

/* ---- thread.c --------------------------------------------------------------------- */

/* Take the name that an entry gives a thread of @process.  Return: 0 or -ENOMEM. */
int account_thread_named(struct bcoslog_account *account, struct process *process, const struct bcos_entry *entry);

/* The functions up to account_threads_lost() are called only if account->has_threads. */

/* Apply an event about the state of a thread of @process.  Return: 0 or -ENOMEM. */
int account_thread_state(struct bcoslog_account *account, struct process *process, const struct bcos_entry *entry);
/* Count the time of the thread of a CPU up to @until. */
void account_thread_charge(struct bcoslog_account *account, struct cpu *cpu, u64 until);
/*
 * End the turn of the thread of a CPU, because the process of the CPU changes; @to_kernel if it changes to the kernel.
 * The caller has counted the time of the thread up to now.
 */
void account_thread_leaves(struct bcoslog_account *account, struct cpu *cpu, bool to_kernel);
/* Begin the turn of a thread of the process that a CPU now executes. */
void account_thread_comes(struct bcoslog_account *account, struct cpu *cpu);
/*
 * Note that states of threads are lost from now to @until on @cpu, or on all CPUs if @cpu is NULL. @counts is true if
 * this loss concerns the window.
 */
void account_threads_lost(struct bcoslog_account *account, struct cpu *cpu, u64 until, bool counts);
/* Note that the class state went off or on: while it is off, threads run unseen. */
void account_threads_recorded(struct bcoslog_account *account, bool recorded);
/* End the threads of a process, because the process ends. */
void account_threads_end(struct bcoslog_account *account, struct process *process);
/* End the turns of all threads, because the log ends. */
void account_threads_finish(struct bcoslog_account *account);
void account_threads_show(struct bcoslog_account *account, struct process *process);

/* ---- stretch.c -------------------------------------------------------------------- */

/* Bring @unseen up to the present time.  Return: its sum. */
u64 account_unseen_sum(const struct bcoslog_account *account, struct unseen *unseen);
/* Add @by, 1 or -1, to the number of causes that last from now on. */
void account_unseen_open(const struct bcoslog_account *account, struct unseen *unseen, int by);
/* Note that something may happen unseen from now to @until. */
void account_unseen_until(const struct bcoslog_account *account, struct unseen *unseen, u64 until);
/* Note a loss that ended before now and was not announced. Stretches that began in it have too much unknown time. */
void account_unseen_late(struct bcoslog_account *account, u64 begin, u64 end);
/* Add @by to the number of online CPUs whose use is unknown, while which processes and threads may run unseen. */
void account_unknown_cpus(struct bcoslog_account *account, int by);
/*
 * Note that one CPU more or less executes the process from the account's time on. @unseen: it may still do so, but the
 * use of the CPU is unknown.
 */
void account_process_on(struct bcoslog_account *account, struct process *process, u32 cpu);
void account_process_off(struct bcoslog_account *account, struct process *process, bool unseen);
/* Note that a thread has blocked, and sleeps until it is woken, or that this is not known any more. */
void account_thread_sleeps(struct bcoslog_account *account, struct thread *thread, bool asleep);
/* Note a wake-up of a thread. If it was asleep, neither it nor, if all its threads were, its process ran meanwhile. */
void account_thread_wakes(struct bcoslog_account *account, struct thread *thread);

/* ---- core.c ----------------------------------------------------------------------- */

/* Return: 0 or -ENOMEM. */
int account_core_online(struct bcoslog_account *account, const struct bcos_entry *entry);
/* Find a core, or add one for a CPU whose core the log has not named.  Return: NULL if there is no memory. */
struct core *account_core_find(struct bcoslog_account *account, u32 id);
/* Complete the sums of a core up to the account's time. The caller does so before it changes the core. */
void account_core_advance(struct bcoslog_account *account, struct core *core);
/* Report the present segment of a core up to the account's time. */
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
		  BCOSLOG_LOST_EVENTS | BCOSLOG_LOST_CALLS | BCOSLOG_LOST_DEVICES | BCOSLOG_LOST_STATES | \
		  BCOSLOG_LOST_REQUESTS)

/* Return: the kinds of events that are lost while the class with this number is off. */
u32 account_loss_of_class(u32 class);
/* Return: true if a part of the interval lies in the window. An interval may have no length. */
bool account_loss_concerns(const struct bcoslog_account *account, u64 begin, u64 end);
/* Count a loss of events of these kinds if it concerns the window. */
void account_loss_note(struct bcoslog_account *account, u32 kinds, u64 begin, u64 end);
/* Report the part of an interval that lies in the window, because events of these kinds are lost in the interval. */
void account_loss_tell(struct bcoslog_account *account, u32 kinds, u64 begin, u64 end);
/* Note the loss from account->gap_since to now: the group after the place where the reader was overtaken has ended. */
void account_loss_restated(struct bcoslog_account *account);
/* Count the losses that have not ended, as far as they lie in the window. */
void account_loss_settle(struct bcoslog_account *account);
/* Return: the kinds of events of the window that were lost after the time @seen, or are being lost. */
u32 account_lost_since(const struct bcoslog_account *account, u64 seen);
/* Note that a group has begun: it ends the losses whose end the log does not tell. */
void account_loss_group(struct bcoslog_account *account);
/* End the unknown intervals, because the log ends. */
void account_loss_end(struct bcoslog_account *account);

/* ---- gap.c ------------------------------------------------------------------------ */

/* Apply an event BCOS_EVENT_LOSS. */
void account_gap_stated(struct bcoslog_account *account, const struct bcos_entry *entry);
/* Begin the announced losses that begin at @time or before, at the present time. */
void account_gap_begin(struct bcoslog_account *account, u64 time);
/* Apply an event BCOS_EVENT_MASK. */
void account_gap_mask_changed(struct bcoslog_account *account, const struct bcos_entry *entry);
/* Apply an event BCOS_EVENT_MISSED. */
void account_gap_overtaken(struct bcoslog_account *account, const struct bcos_entry *entry);

#endif
