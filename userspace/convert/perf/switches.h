/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Assignments as sched:sched_switch, as which perf sched knows them. */
#ifndef PERF_SWITCHES_H
#define PERF_SWITCHES_H

#include "tracing.h"
#include "bcoslog.h"

/* The kernel, and whoever has a CPU while the log does not say who, are threads, because thread 0 is idle. */
#define SWITCHES_KERNEL 0x7FFFFFFFu
#define SWITCHES_UNKNOWN 0x7FFFFFFEu

/* The fields of sched_switch after the common ones. */
struct switch_fields {
	char prev_comm[16];
	u32 prev_pid, prev_prio;
	u64 prev_state;
	char next_comm[16];
	u32 next_pid, next_prio;
} __attribute__((packed));

/* Takes a switch of a CPU. */
typedef void (*switches_put)(void *context, u32 cpu, u64 time, const struct switch_fields *fields);

struct switches;

extern const struct perf_point switches_point;

/* Returns NULL if there is no memory. */
struct switches *switches_new(switches_put put, void *context);
void switches_free(struct switches *switches);

/* Returns what is known before the next entry. */
const struct bcoslog_state *switches_state(const struct switches *switches);
/* Returns the thread of a process. */
u32 switches_thread(u32 process);

/* Tells what an entry says of who has a CPU. Returns 0 or -ENOMEM. */
int switches_entry(struct switches *switches, const struct bcos_entry *entry);
/* The log goes on after damage: nothing is known any more. */
void switches_forget(struct switches *switches);
/* The log ends: whoever has a CPU leaves it. */
void switches_end(struct switches *switches);
/* Returns how many assignments are left out because there is no such CPU. */
u64 switches_left_out(const struct switches *switches);

#endif
