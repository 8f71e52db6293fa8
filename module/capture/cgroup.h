/* SPDX-License-Identifier: GPL-2.0-only */
/* In which control group a task is: bpf/cgroup.bpf.c has the same rules. */
#ifndef BCOS_CAPTURE_CGROUP_H
#define BCOS_CAPTURE_CGROUP_H

#include <linux/cgroup.h>

#include "task.h"

#ifdef CONFIG_CGROUPS
/**
 * bcos_cgroup_of() - return the control group of a task
 * @task: any task
 *
 * That is its group in the default hierarchy. If that is the root and the controller cpu has a
 * hierarchy of version 1, where the task may be anywhere, it is the group there.
 *
 * Context: under RCU.
 */
const struct cgroup *bcos_cgroup_of(const struct task_struct *task);

/**
 * bcos_cgroup_levels() - write the path of a control group, from its end
 * @group: any group
 * @path: out: BCOS_RAW_PATH_MAX bytes, without a zero byte
 * @flags: out: BCOS_RAW_CGROUP_CUT is added if only whole names at the end of the path fit
 *
 * Context: under RCU.
 * Return: the bytes of the path, 0 for the root.
 */
u32 bcos_cgroup_levels(const struct cgroup *group, char *path, u16 *flags);
#endif

/**
 * bcos_cgroup_path() - write the path of a task's control group, from its end
 * @task: any task
 * @path: out: BCOS_RAW_PATH_MAX bytes, without a zero byte
 * @flags: out: BCOS_RAW_CGROUP_CUT is added if only whole names at the end of the path fit, and
 *   BCOS_RAW_CGROUP_CPU if it is of version 1
 *
 * Context: any.
 * Return: the bytes of the path, 0 without control groups.
 */
u32 bcos_cgroup_path(const struct task_struct *task, char *path, u16 *flags);

/**
 * bcos_cgroup_find() - write the path of the control group that a process is in now
 * @id: of the process
 * @tag: of the process
 * @path: out: as for bcos_cgroup_path()
 * @flags: out: as for bcos_cgroup_path()
 *
 * Context: any but interrupts.
 * Return: the bytes of the path; 0 if there is no such process any more.
 */
u32 bcos_cgroup_find(u32 id, u32 tag, char *path, u16 *flags);

#endif
