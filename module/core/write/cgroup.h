/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Writes in which control groups processes are: when a record tells it, and again after each group
 * of historical entries. The log writer asks the host for those that it does not know.
 */
#ifndef BCOS_CORE_WRITE_CGROUP_H
#define BCOS_CORE_WRITE_CGROUP_H

#include "log.h"

/*
 * Writes, at the log's time, that the process is in the control group with this path. @flags are
 * BCOS_RAW_CGROUP_*.
 */
void bcos_cgroup_tell(struct bcos_log *log, const struct bcos_process *process, const char *path,
		      u32 length, u16 flags);

/* Writes, at the log's time, in which control group the process is, unless that is unknown. */
void bcos_cgroup_put(struct bcos_log *log, const struct bcos_process *process);

/* Asks the host for the groups of processes whose group is unknown, of some thousands at a time. */
void bcos_cgroups_ask(struct bcos_log *log);

/*
 * Does so between two groups, at most once a second, if the group of a process has become unknown;
 * and writes what the host says. Returns whether it asked: the log may want a group then. Context:
 * between two passes.
 */
bool bcos_cgroups_learn(struct bcos_log *log);

/*
 * Writes the groups of all processes that the log has named since @start, in up to @room bytes;
 * first of those that ran most recently.
 */
void bcos_cgroups_write(struct bcos_log *log, u64 start, u64 room);

#endif
