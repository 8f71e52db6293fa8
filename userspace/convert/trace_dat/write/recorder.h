/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The data and functions that the files of an export to trace.dat share. */
#ifndef TRACE_DAT_RECORDER_H
#define TRACE_DAT_RECORDER_H

#include "../../convert.h"
#include "draft.h"
#include "points.h"
#include "state/table.h"

/* trace-cmd reads at most this many CPUs. Switches of other CPUs are left out and counted. */
#define RECORDER_CPUS 8192u
/* Memory for threads is bounded. Further threads have their names in records only, and not in the list of names. */
#define RECORDER_TASKS (1u << 20)

/* A thread that the log has named or assigned. */
struct task {
	struct node node;
	u32 cpu;		/* the CPU that it had last */
	char name[COMM];
};

struct recorder {
	struct draft draft;
	struct switches *switches;
	struct table tasks;
	u32 *running;		/* the thread that each CPU runs */
	u32 home;		/* the CPU that was assigned last */
	u64 left_out;
};

/* ---- tasks.c ---------------------------------------------------------------------- */

/* Returns a thread, or NULL if it is not in the table. */
struct task *recorder_task(const struct recorder *recorder, u32 thread);
/* Sets the name of a thread, which is added if it is new. Returns the thread, or NULL if there is no memory. */
struct task *recorder_name(struct recorder *recorder, u32 thread, const char *name, size_t length);
/* Copies a name, cut after a whole character, and fills the rest with zeros. */
void recorder_comm(char *comm, const char *name, size_t length);
/* Prints a line with number and name of each thread. Returns 0 or -ENOMEM. */
int recorder_print_tasks(const struct recorder *recorder, FILE *to);

/* ---- records.c -------------------------------------------------------------------- */

void recorder_put_switch(void *context, const struct switches_place *place, const struct switch_fields *fields);
/* Writes the record of an entry that is no assignment. switches_state() has to be the state before the entry. */
void recorder_put_entry(struct recorder *recorder, const struct bcos_entry *entry);

#endif
