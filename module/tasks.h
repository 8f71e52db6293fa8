/* SPDX-License-Identifier: GPL-2.0-only */
/* What a task is to the log, and the walk of all of them. */
#ifndef BCOS_TASKS_H
#define BCOS_TASKS_H

#include <linux/atomic.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "core/log.h"

/* Has the last thread of its group begun to exit? */
static __always_inline bool bcos_task_dying(const struct task_struct *task)
{
	return !atomic_read(&task->signal->live);
}

/* Others may be changing: of those that are looked at one never changes, and one is only set. */
static __always_inline unsigned int bcos_task_flags(const struct task_struct *task)
{
	return data_race(READ_ONCE(task->flags));
}

/*
 * The process that a CPU runs with @task: its thread group, the kernel or
 * idle.  Never by mm: kernel threads borrow one, and the dead have none.
 */
static __always_inline u32 bcos_task_process(const struct task_struct *task)
{
	unsigned int flags = bcos_task_flags(task);

	if (unlikely(flags & (PF_KTHREAD | PF_EXITING))) {
		if (flags & PF_KTHREAD)
			return task->pid ? BCOS_PROCESS_KERNEL : BCOS_PROCESS_IDLE;
		if (bcos_task_dying(task))
			return BCOS_PROCESS_KERNEL;
	}
	return task->tgid;
}

/* Tells incarnations of an ID apart. */
static __always_inline u32 bcos_task_tag(const struct task_struct *task)
{
	return (unsigned long)task->signal >> 6;
}

/**
 * bcos_tasks_walk() - all live processes
 * @seen: out: an array as of bcos_memory_alloc(@count * sizeof(**@seen))
 * @count: out: how many
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int bcos_tasks_walk(struct bcos_seen **seen, u32 *count);

#endif
