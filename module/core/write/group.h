/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes groups of historical entries (6.1). A log begins with one. */
#ifndef BCOS_CORE_GROUP_H
#define BCOS_CORE_GROUP_H

#include "emit.h"

/* Writes a group of historical entries (6.1). */
void bcos_log_group(struct bcos_log *log);

/* Writes a group if the current zone has none yet (6.1). */
static __always_inline void bcos_log_settle(struct bcos_log *log)
{
	if (unlikely(bcos_ring_wants_group(&log->ring)) && log->begun)
		bcos_log_group(log);
}

/* Begins the log. */
void bcos_log_begin(struct bcos_log *log);

/* Begins the log if everything before its beginning has been applied by @time. */
static __always_inline void bcos_log_begin_if_due(struct bcos_log *log, u64 time)
{
	if (unlikely(!log->begun) && time >= log->begin)
		bcos_log_begin(log);
}

/*
 * Returns the size in bytes of the smallest ring for @cpus CPUs, in which the entries that a group
 * always has take at most a quarter of a zone.
 */
u64 bcos_log_ring_min(u32 cpus);

/*
 * Returns the size in bytes of a ring in which a complete group would take at most a quarter of a
 * zone.
 */
u64 bcos_log_ring_advice(const struct bcos_log *log);

#endif
