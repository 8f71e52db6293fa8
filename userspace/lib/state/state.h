/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The state of a log, as state.c keeps it and the check judges by it. */
#ifndef BCOSLOG_STATE_H
#define BCOSLOG_STATE_H

#include "core/format/entry.h"

#include "bcoslog.h"
#include "table.h"

/* What no real machine comes near, and a hostile stream cannot pass. */
#define STATE_MEMORY_MAX ((u64)1 << 30)

/* Most names are comm: at most 15 bytes. */
#define NAME_INLINE 24

struct name {
	char *text;		/* small, or allocated */
	u32 length, room;
	char small[NAME_INLINE];
};

/*
 * Each item begins with its node.  A serial number tells incarnations of an
 * ID apart, so that what refers to a past one does not count for the next;
 * 0 is no incarnation.  @group is the check's: in which group it was stated.
 */
struct process {
	struct node node;
	u32 group;
	u64 serial;
	struct cpu *cpu;	/* first of those that are assigned to it */
	struct bcoslog_process public;
	struct name name;
};

struct device {
	struct node node;
	u32 group;
	u64 driver_serial;
	struct bcoslog_device public;
	struct name name;
};

struct core {
	struct node node;
	u32 group;
	u64 serial;
	struct bcoslog_core public;
	u32 *performance;
};

struct cpu {
	struct node node;
	u32 group, assign_group;
	u64 core_serial;
	struct process *process;	/* it is assigned to, NULL if that is not named */
	u32 since_precision;	/* of public.since */
	struct cpu *next, **link;	/* others of this process; what points here */
	struct bcoslog_cpu public;
};

/* What a log states of itself; each kind replaces the one before it. */
enum {
	STATEMENT_MASK,
	STATEMENT_CLOCK,
	STATEMENT_BOOT,
	STATEMENT_HOST,
	STATEMENT_KERNEL,
	STATEMENT_VERSION,
	STATEMENT_NONE,
	STATEMENTS = STATEMENT_NONE + 1
};

struct statement {
	bool known;
	u32 length;
	char text[256];
};

struct bcoslog_state {
	struct table processes, devices, cores, cpus;
	u32 assigned;		/* CPUs of which it is known what they run */
	u64 serial;		/* newest given */
	u64 memory;		/* bytes of items and names */
	struct statement statements[STATEMENTS];
	struct bcoslog_wall wall;
	bool has_wall;
};

/* ---- state.c -------------------------------------------------------------- */

/* A zeroed item of its own ID in a table.  Return: NULL if there is no memory. */
void *item_add(struct bcoslog_state *state, struct table *table, u32 id, size_t size);
/* One that is in no table any more. */
void item_free(struct bcoslog_state *state, void *item, size_t size);

/* ---- statement.c: also of entries that are no statements --------------------- */

enum bcoslog_news statement_compare(const struct bcoslog_state *state, const struct bcos_entry *entry);
void statement_apply(struct bcoslog_state *state, const struct bcos_entry *entry);

/* ---- topology.c: what an entry says of a core or CPU ---------------------- */

/* Return: 0 or -ENOMEM. */
int core_online(struct bcoslog_state *state, const struct bcos_entry *entry);
void core_offline(struct bcoslog_state *state, u32 id);
/* Return: 0 or -ENOMEM. */
int cpu_online(struct bcoslog_state *state, const struct bcos_entry *entry);
void cpu_offline(struct bcoslog_state *state, u32 id);
void cpu_assign(struct bcoslog_state *state, const struct bcos_entry *entry);
/* The same for who has looked them up; @process: NULL if it is not named. */
void cpu_run(struct bcoslog_state *state, struct cpu *cpu, struct process *process,
	     const struct bcos_entry *entry);
/* What is assigned to @process is no longer counted: it ends. */
void cpu_leave(struct process *process);
/* What all of them run is not recorded any more. */
void cpus_forget(struct bcoslog_state *state);

#endif
