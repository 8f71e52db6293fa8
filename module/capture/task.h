/* SPDX-License-Identifier: GPL-2.0-only */
/* How the log sees a task, by the rules of core/capture/task.h; and the walk of the task list. */
#ifndef BCOS_TASKS_H
#define BCOS_TASKS_H

#include <linux/atomic.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "core/write/log.h"

/*
 * True while switches are not recorded. Then no DEAD follows an EXIT, so the EXIT is marked as
 * final.
 */
extern bool bcos_exit_is_final;

/* True while the class state is on, which tells the names of threads, too. */
extern bool bcos_threads_have_names;

/* Has the last thread of the task's group begun to exit? */
static __always_inline bool bcos_task_dying(const struct task_struct *task)
{
	return !atomic_read(&task->signal->live);
}

static __always_inline unsigned int bcos_task_flags(const struct task_struct *task)
{
	/*
	 * Other flags may change meanwhile. Callers test two of them: PF_KTHREAD never changes
	 * and PF_EXITING is only ever set.
	 */
	return data_race(READ_ONCE(task->flags));
}

/* The module shows the processes of all PID namespaces. */
static __always_inline bool bcos_task_inside(const struct task_struct *task)
{
	return true;
}

#include "core/capture/task.h"

/* Returns the tag that tells incarnations of an ID apart. */
static __always_inline u32 bcos_task_tag(const struct task_struct *task)
{
	return bcos_task_tag_of((unsigned long)task->signal);
}

/**
 * bcos_tasks_walk() - list all processes, with those that are dying or dead and not yet reaped
 * @seen: out: an array, for bcos_memory_free() with a size of @count * sizeof(**@seen)
 * @count: out: number of processes, and of their threads if those have names
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int bcos_tasks_walk(struct bcos_seen **seen, u32 *count);

#endif
