/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a task is to the log: as module/tasks.h. */
#ifndef BCOS_BPF_TASK_H
#define BCOS_BPF_TASK_H

#include "stage.h"

/* include/linux/sched.h; the numbers never changed. */
#define PF_EXITING	0x00000004
#define PF_KTHREAD	0x00200000

/* Has the last thread of its group begun to exit? */
static __always_inline bool bcos_task_dying(struct task_struct *task)
{
	return !task->signal->live.counter;
}

/* The process that a CPU runs with @task: its thread group, the kernel or idle. */
static __always_inline u32 bcos_task_process(struct task_struct *task)
{
	if (task->flags & (PF_KTHREAD | PF_EXITING)) {
		if (task->flags & PF_KTHREAD)
			return task->pid ? BCOS_PROCESS_KERNEL : BCOS_PROCESS_IDLE;
		if (bcos_task_dying(task))
			return BCOS_PROCESS_KERNEL;
	}
	return task->tgid;
}

/* Tells incarnations of an ID apart.  Read as a number: nobody may reckon with an address that has a type. */
static __always_inline u32 bcos_task_tag(struct task_struct *task)
{
	return (unsigned long)BPF_CORE_READ(task, signal) >> 6;
}

/* What follows the first unit of a record about a life, with a name. */
struct bcos_bpf_life {
	struct bcos_raw raw;
	struct bcos_raw_life life;
	char name[BCOS_RAW_NAME];
};

#endif
