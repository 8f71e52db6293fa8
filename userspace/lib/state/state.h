/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The structure of a state, for the files of the state and of the check. */
#ifndef BCOSLOG_STATE_INTERNAL_H
#define BCOSLOG_STATE_INTERNAL_H

#include "core/format/entry.h"

#include "bcoslog.h"
#include "name.h"
#include "table.h"

/*
 * Each item begins with its node.  A serial number distinguishes the successive
 * owners of an ID, so that a reference to an ended owner does not count for the next
 * owner; no owner has the number 0.  Only the check uses @group, the number of the
 * newest group that states the item.
 */
struct process {
	struct node node;
	u32 group;
	u64 serial;
	struct cpu *cpu;	/* the first of the CPUs that execute it, linked by @next; NULL if none does */
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
	struct process *process;	/* the process that it executes; NULL if the log does not name it */
	u32 since_precision;	/* precision of public.since */
	struct cpu *next, **link;	/* the next CPU of @process, and the pointer that points to this CPU */
	struct cpu *next_known, **known_link;	/* likewise of all CPUs whose assignment is known */
	struct bcoslog_cpu public;
};

/* The kinds of statements. A statement replaces the earlier statement of its kind. */
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
	struct table threads;	/* names of threads: thread_name.h */
	u32 assigned;		/* number of CPUs whose assignment is known */
	struct cpu *known_cpus;	/* these CPUs */
	u64 serial;		/* newest serial number */
	u64 memory;		/* size of items and names in bytes */
	struct statement statements[STATEMENTS];
	struct bcoslog_wall wall;
	u32 mask;		/* the classes that are on, if the log states them */
	bool has_wall, has_mask;
};

/* ---- statement.c: the entry may be of any type ------------------------------------ */

enum bcoslog_news statement_compare(const struct bcoslog_state *state, const struct bcos_entry *entry);
void statement_apply(struct bcoslog_state *state, const struct bcos_entry *entry);

/* ---- topology.c: entries about cores and CPUs ----------------------------- */

/* Return: 0 or -ENOMEM. */
int core_online(struct bcoslog_state *state, const struct bcos_entry *entry);
void core_offline(struct bcoslog_state *state, u32 id);
/* Return: 0 or -ENOMEM. */
int cpu_online(struct bcoslog_state *state, const struct bcos_entry *entry);
void cpu_offline(struct bcoslog_state *state, u32 id);
void cpu_assign(struct bcoslog_state *state, const struct bcos_entry *entry);
/* As cpu_assign(), for a caller that has looked up the items; @process is NULL if the log does not name it. */
void cpu_run(struct bcoslog_state *state, struct cpu *cpu, struct process *process,
	     const struct bcos_entry *entry);
/* End the assignments of @process, because it ends. */
void cpu_leave(struct process *process);
/* Forget all assignments, because they are no longer recorded. */
void cpus_forget(struct bcoslog_state *state);

#endif
