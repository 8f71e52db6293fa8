/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Assignments, and states of threads, as the tracepoints by which perf sched knows them. */
#ifndef PERF_SWITCHES_H
#define PERF_SWITCHES_H

#include "sinks.h"
#include "tracing.h"
#include "bcoslog.h"

struct switches;

extern const struct perf_point switches_point;

/* Returns NULL if there is no memory. */
struct switches *switches_new(const struct switches_sinks *sinks, void *context);
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
