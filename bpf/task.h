/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How the log sees a task, by the rules of core/capture/task.h. */
#ifndef BCOS_BPF_TASK_H
#define BCOS_BPF_TASK_H

#include "stage.h"

/* From include/linux/sched.h; these numbers never change. */
#define PF_EXITING	0x00000004
#define PF_KTHREAD	0x00200000
#define TASK_INTERRUPTIBLE	0x01
#define __TASK_STOPPED		0x04
#define __TASK_TRACED		0x08
#define TASK_DEAD		0x80
/* From include/linux/sched/signal.h. */
#define SIGNAL_GROUP_EXIT	0x00000004

/* The PID namespace of user space, and its level. The walk of the task list sets these. */
extern u64 bcos_space;
extern u32 bcos_level;

static __always_inline unsigned int bcos_task_flags(const struct task_struct *task)
{
	return task->flags;
}

/* Has the last thread of the task's group begun to exit? */
static __always_inline bool bcos_task_dying(const struct task_struct *task)
{
	return !task->signal->live.counter;
}

/* Returns the address of the PID namespace of @pid at @level. */
static __always_inline u64 bcos_pid_space(const struct pid *pid, u32 level)
{
	u64 space = 0;
	u32 at = bpf_core_field_offset(struct pid, numbers) +
		 level * bpf_core_type_size(struct upid) + bpf_core_field_offset(struct upid, ns);

	bpf_probe_read_kernel(&space, sizeof(space), (const char *)pid + at);
	return space;
}

/*
 * Is the task in the PID namespace of user space, or in one below it? This asks the leader, which
 * keeps its PIDs until the last thread of the group is released.
 */
static __always_inline bool bcos_task_inside(const struct task_struct *task)
{
	const struct pid *pid;

	if (!bcos_config.is_inside)
		return true;
	pid = BPF_CORE_READ(task, group_leader, thread_pid);
	return pid && BPF_CORE_READ(pid, level) >= bcos_level &&
	       bcos_pid_space(pid, bcos_level) == bcos_space;
}

#include "core/capture/task.h"

/*
 * Returns the wait(2) status of a group whose last thread exits. Before Linux 6.0 the kernel does
 * not set the code of the group when the threads exit by themselves.
 */
static __always_inline u32 bcos_task_status(struct task_struct *task)
{
	if (task->signal->flags & SIGNAL_GROUP_EXIT)
		return task->signal->group_exit_code;
	return task->group_leader->exit_code;
}

/*
 * Returns the tag that tells incarnations of an ID apart. The address is read as a number, since
 * the verifier forbids arithmetic on typed pointers.
 */
static __always_inline u32 bcos_task_tag(struct task_struct *task)
{
	return bcos_task_tag_of((unsigned long)BPF_CORE_READ(task, signal));
}

/* A record about a life that has a name. */
struct bcos_bpf_life {
	struct bcos_raw raw;
	struct bcos_raw_life life;
	char name[BCOS_RAW_NAME];
};

#endif
