/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The account's own items.  Each begins with its node, and has what the
 * caller sees of it in @public.
 *
 * Time moves only with entries that are not historical: account->now.  A
 * historical entry has no place in time, so what it brings about a CPU waits
 * in the CPU until the next entry that has one (cpu_settle_history()).
 */
#ifndef BCOSLOG_ACCOUNT_INTERNAL_H
#define BCOSLOG_ACCOUNT_INTERNAL_H

#include "bcoslog_account.h"
#include "state/table.h"

/* What no real machine comes near, and a hostile stream cannot pass. */
#define ACCOUNT_MEMORY_MAX ((u64)1 << 30)

#define ACCOUNT_NAME_INLINE 24

__extension__ typedef unsigned __int128 u128;

/* Sums of a core since it was first seen, in the window; what a CPU did in between is their difference. */
struct work {
	u128 performance;		/* instructions in 125 us, times ns */
	u128 energy;			/* 2 mW, times ns */
	u64 performance_unknown, performance_assumed;	/* ns */
	u64 power_unknown, power_least;			/* ns */
};

/* The order in which items were first seen. */
struct order {
	struct order *previous, *next;
};

struct account_name {
	char *text;			/* small, or allocated */
	u32 length, room;
	char small[ACCOUNT_NAME_INLINE];
};

struct process {
	struct node node;
	struct order order;
	struct bcoslog_account_process public;
	struct account_name name, former;
	struct work work;
	u64 off_since;			/* when it had a CPU last; valid if @ran */
	u64 losses;			/* account->cpu_losses when it was first seen */
	bool ran;
	bool gap;			/* not stated again since the reader was overtaken */
};

/* Log-linear: 16 steps for each power of two of ns. */
#define LATENCY_STEPS 16
#define LATENCY_BUCKETS (60 * LATENCY_STEPS + LATENCY_STEPS)

struct latencies {
	u64 count, minimum, maximum, maximum_at;
	u32 bucket[LATENCY_BUCKETS];
};

enum prompt {
	PROMPT_NONE,			/* there was no interrupt yet, or none is recorded */
	PROMPT_WAITS,			/* an interrupt, and no data yet */
	PROMPT_SERVED,
};

struct device {
	struct node node;
	struct order order;
	struct bcoslog_account_device public;
	struct account_name name;
	struct latencies *latencies;	/* NULL: none yet */
	enum prompt prompt;
	u64 prompted;			/* time of the newest interrupt */
	u64 split_time;			/* of a transfer that goes on in the next entry */
	u16 split_type;			/* 0: none does */
	u64 losses;			/* account->device_losses when it was first seen */
	u64 interrupt_losses;		/* account->interrupt_losses at @prompted */
	bool gap;
};

struct core {
	struct node node;
	struct order order;
	struct bcoslog_account_core public;
	struct work sums;		/* what a CPU that is busy gets: its share alone */
	struct work all;		/* of the core as a whole */
	u128 capacity;
	u64 from;			/* sums are complete up to here */
	u64 segment_from;		/* nothing changed since */
	u32 idle_power, power_difference;
	u32 *performance;
	u32 performances;
};

struct cpu {
	struct node node;
	struct order order;
	struct bcoslog_account_cpu public;
	struct core *core;
	struct process *process;	/* who has it; NULL: nobody, or unknown */
	u64 from;			/* charged up to here */
	u64 began;			/* this use, as far as the account has seen */
	u64 online_from;		/* counted as online up to here */
	struct work at;			/* the core's sums then */
	bool gap;			/* not stated again since the reader was overtaken */
	bool waits;			/* came by history, and has no time yet */
	bool stated;			/* history says what it runs ... */
	u32 stated_process;		/* ... namely this */
	u64 stated_since;
};

struct bcoslog_account {
	struct bcoslog_account_options options;
	struct bcoslog_account_totals totals;
	struct table processes, devices, cpus, cores;
	struct order process_order, device_order, cpu_order, core_order;
	u64 now;			/* time of the last entry that was not historical */
	bool begun;			/* there was one */
	bool gap;			/* the reader was overtaken, and no group came since */
	bool history;			/* the last entry was historical, and a CPU may wait */
	u64 gap_since;
	u32 unknown_cpus;		/* that are online, and nobody knows what they do */
	u64 blind_until;		/* before this, a process may have run unseen */
	u64 cpu_losses, device_losses, interrupt_losses;	/* numbers of the newest */
	u64 mask_since[32];		/* of each class that is off: since when */
	u32 off;			/* classes that are off */
	u64 serial;
	u64 memory;
};

#define item_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

/* A moment of the log, clipped to the window. */
static inline u64 account_clip(const struct bcoslog_account *account, u64 time)
{
	if (time < account->options.since)
		return account->options.since;
	return time < account->options.until ? time : account->options.until;
}

/* Nanoseconds from @from to @until that lie in the window. */
static inline u64 account_span(const struct bcoslog_account *account, u64 from, u64 until)
{
	return account_clip(account, until) - account_clip(account, from);
}

/* Is this moment in the window, whose end is not? */
static inline bool account_counts(const struct bcoslog_account *account, u64 time)
{
	return time >= account->options.since && time < account->options.until;
}

/* ---- account.c -------------------------------------------------------------------- */

/* A zeroed item of its own ID, at the end of @order.  Return: NULL if there is no memory. */
void *account_add(struct bcoslog_account *account, struct table *table, u32 id, size_t size, struct order *list,
		  size_t order);
/* It leaves the table, and its memory is given back. */
void account_remove(struct bcoslog_account *account, struct table *table, void *item, size_t size, size_t order);
/* Return: 0 or -ENOMEM. */
int account_set_name(struct bcoslog_account *account, struct account_name *name, const char *text, size_t length);
void account_free_name(struct bcoslog_account *account, struct account_name *name);

/* ---- process.c -------------------------------------------------------------------- */

/* Return: 0 or -ENOMEM. */
int account_process_named(struct bcoslog_account *account, const struct bcos_entry *entry);
void account_process_cancelled(struct bcoslog_account *account, const struct bcos_entry *entry);
/* It has one CPU more, since the account's time. */
void account_process_on(struct bcoslog_account *account, struct process *process, u32 cpu);
void account_process_off(struct bcoslog_account *account, struct process *process);
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
/* From now on nobody knows what it does.  @cpu: NULL: all of them. */
void account_cpu_forget(struct bcoslog_account *account, struct cpu *cpu);
/* Nobody has the CPUs of a process that ends. */
void account_cpus_leave(struct bcoslog_account *account, const struct process *process);
void account_cpus_gap(struct bcoslog_account *account);
/* What history brought takes effect now. */
void account_cpus_settle_history(struct bcoslog_account *account);
void account_cpus_charge(struct bcoslog_account *account);
void account_cpus_end(struct bcoslog_account *account);

/* ---- core.c ----------------------------------------------------------------------- */

/* Return: 0 or -ENOMEM. */
int account_core_online(struct bcoslog_account *account, const struct bcos_entry *entry);
/* Found, or made for a CPU whose core the log has not named.  Return: NULL if there is no memory. */
struct core *account_core_find(struct bcoslog_account *account, u32 id);
/* Its sums up to the account's time; before anything about it changes. */
void account_core_advance(struct bcoslog_account *account, struct core *core);
/* The segment ends here; before anything about it changes. */
void account_core_cut(struct bcoslog_account *account, struct core *core);
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

/* What a statement of a loss (BCOS_EVENT_LOSS) says is missing: BCOSLOG_LOST_*. */
u32 account_loss_kinds(const char *text, size_t length);
/* Which classes are on behind an entry that says that they changed (BCOS_EVENT_MASK).  Return: false: it says nothing. */
bool account_loss_mask(const char *text, size_t length, u32 *mask);
void account_loss_stated(struct bcoslog_account *account, const struct bcos_entry *entry);
void account_loss_mask_changed(struct bcoslog_account *account, const struct bcos_entry *entry);
void account_loss_overtaken(struct bcoslog_account *account, const struct bcos_entry *entry);
/* The log ends: so does what it does not tell of. */
void account_loss_end(struct bcoslog_account *account);

#endif
