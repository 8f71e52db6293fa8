/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Watches the control groups of this machine that have a quota of CPU time, or whose processes stall, for the recorder: no
 * event of the kernel tells of that. They are looked for every few seconds, and read once a second.
 */
#ifndef BCOSLOG_RECORD_QUOTAS_H
#define BCOSLOG_RECORD_QUOTAS_H

#include "entry/pressure.h"

struct quotas;

/* Called with what a group did since it was read before. */
typedef void (*quotas_put)(void *context, const struct pressure *pressure);

/*
 * Finds the hierarchies of control groups. The variable BCOSLOG_CGROUP may name a folder in the place of that of version 2.
 * Return: NULL if this machine has none, or no memory.
 */
struct quotas *quotas_open(quotas_put put, void *context);
/* Reads the groups, if a second has passed since they were read. @now: ns since boot. */
void quotas_read(struct quotas *quotas, u64 now);
/* Return: how many groups are left out now: there are too many, or too many of them have a quota or stall. */
size_t quotas_left_out(const struct quotas *quotas);
/* Return: the time between two reads, in ns: a second while groups are watched, and longer while none has a quota or stalls. */
u64 quotas_interval(const struct quotas *quotas);
void quotas_close(struct quotas *quotas);

#endif
