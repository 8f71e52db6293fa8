/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Turns assignments and states of threads into the tracepoints that perf sched uses. */
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

/* Returns the state of the log before the next entry. */
const struct bcoslog_state *switches_state(const struct switches *switches);
/* Returns the number of the thread that stands for a process. */
u32 switches_thread(u32 process);

/* Takes an entry, and passes on the switches and wake-ups that it tells. Returns 0 or -ENOMEM. */
int switches_entry(struct switches *switches, const struct bcos_entry *entry);
/* The log goes on after damage, so nothing that was known has to be true any more. */
void switches_forget(struct switches *switches);
/*
 * The log ends after a loss of the CPU that nothing follows, and nobody knows what the CPU runs, so it switches to
 * "unknown", also from there. Returns 0 or -ENOMEM.
 */
int switches_end_unknown(struct switches *switches, u32 cpu);
/* The log ends, so each CPU switches to idle. */
void switches_end(struct switches *switches);
/* Returns how many assignments were left out because the CPU number is too large. */
u64 switches_left_out(const struct switches *switches);

#endif
