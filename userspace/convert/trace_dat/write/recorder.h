/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An export to trace.dat, as the files of this folder share it. */
#ifndef TRACE_DAT_RECORDER_H
#define TRACE_DAT_RECORDER_H

#include "../../convert.h"
#include "draft.h"
#include "points.h"
#include "state/table.h"

/* trace-cmd reads no more CPUs. Events of others are left out, and counted. */
#define RECORDER_CPUS 8192u
/* The memory for threads is bounded: others have no name in the file's list, only in their records. */
#define RECORDER_TASKS (1u << 20)

/* A thread that was seen. */
struct task {
	struct node node;
	u32 cpu;		/* that it had last */
	char name[COMM];
};

struct recorder {
	struct draft draft;
	struct switches *switches;
	struct table tasks;
	u32 *running;		/* thread of each CPU */
	u32 home;		/* the CPU that was assigned last */
	u64 left_out;
};

/* ---- tasks.c ---------------------------------------------------------------------- */

/* Returns a thread, or NULL if it was not seen. */
struct task *recorder_task(const struct recorder *recorder, u32 thread);
/* A thread is seen: it has this name. Returns it, or NULL if there is no memory for it. */
struct task *recorder_name(struct recorder *recorder, u32 thread, const char *name, size_t length);
/* A name, cut at the end of a character, with zeros after it. */
void recorder_comm(char *comm, const char *name, size_t length);
/* Lines of a thread and its name. Returns 0 or -ENOMEM. */
int recorder_print_tasks(const struct recorder *recorder, FILE *to);

/* ---- records.c -------------------------------------------------------------------- */

void recorder_put_switch(void *context, const struct switches_place *place, const struct switch_fields *fields);
/* Writes an entry that is no assignment, by the state from before it. */
void recorder_put_entry(struct recorder *recorder, const struct bcos_entry *entry);

#endif
