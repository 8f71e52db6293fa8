/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rules by which the log sees a task. Probes and BPF programs include this, so both engines decide
 * alike (module/DESIGN.md, 2.1).
 *
 * The includer provides struct task_struct, the flags PF_* and states TASK_* of the kernel, and:
 * - bcos_task_flags(task): the task's flags
 * - bcos_task_dying(task): whether the last thread of the task's group has begun to exit
 * - bcos_task_inside(task): whether the log shows the task's process, or the kernel in its place
 */
#ifndef BCOS_CORE_TASK_H
#define BCOS_CORE_TASK_H

#include "core/raw/raw.h"
#include "handled.h"

/* Is a task with these flags a thread of a user process? */
static __always_inline bool bcos_flags_are_user(unsigned int flags)
{
	return !(flags & PF_KTHREAD);
}

/* Is this a thread of a user process? */
static __always_inline bool bcos_task_is_user(const struct task_struct *task)
{
	return bcos_flags_are_user(bcos_task_flags(task));
}

/* Is this the leader of a user process, whose birth and name are those of the process? */
static __always_inline bool bcos_task_is_leader(const struct task_struct *task)
{
	return task->pid == task->tgid && bcos_task_is_user(task);
}

/* Is this a thread of a user process that is not the leader, so that its name is its own? */
static __always_inline bool bcos_task_is_follower(const struct task_struct *task)
{
	return task->pid != task->tgid && bcos_task_is_user(task);
}

/*
 * Returns the process of a CPU that runs @task: its thread group, the kernel or idle. task->mm
 * cannot decide this: kernel threads borrow one, and dead tasks have none.
 */
static __always_inline u32 bcos_task_process(const struct task_struct *task)
{
	unsigned int flags = bcos_task_flags(task);

	if (unlikely(flags & (PF_KTHREAD | PF_EXITING))) {
		if (!bcos_flags_are_user(flags))
			return task->pid ? BCOS_PROCESS_KERNEL : BCOS_PROCESS_IDLE;
		if (bcos_task_dying(task))
			return BCOS_PROCESS_KERNEL;
	}
	return bcos_task_inside(task) ? (u32)task->tgid : BCOS_PROCESS_KERNEL;
}

/* Returns the process of a task that acts: a parent, or the sender of a signal. */
static __always_inline u32 bcos_task_actor(const struct task_struct *task)
{
	return bcos_task_is_user(task) && bcos_task_inside(task) ? (u32)task->tgid :
								   BCOS_PROCESS_KERNEL;
}

/*
 * Is this the last switch of a user process? Then the process has no thread left, and @task, which
 * the CPU switches from in @state, never runs again. Several threads of a group may find this.
 */
static __always_inline bool bcos_task_is_over(const struct task_struct *task, unsigned int state)
{
	return unlikely(state & TASK_DEAD) && bcos_task_is_user(task) && bcos_task_dying(task);
}

/*
 * Is the task a user-mode helper before its exec? A helper has no mm then. A leader that exited
 * before its other threads has none either, but has PF_EXITING. The flags must be read after the
 * mm, since a task sets PF_EXITING before it gives up its mm.
 */
static __always_inline bool bcos_task_is_helper(bool has_mm, unsigned int flags)
{
	return !has_mm && !(flags & PF_EXITING);
}

/* Returns the tag that tells incarnations of an ID apart, from the address of task->signal. */
static __always_inline u32 bcos_task_tag_of(unsigned long signal)
{
	return (u32)(signal >> 6);
}

/*
 * Returns the process that a change of state belongs to: the kernel, if the last thread of the
 * group has begun to exit, except for the death of a thread. Then all threads of the group have the
 * flag, which is at hand, and the count of threads is in another structure.
 */
static __always_inline u32 bcos_task_state_process(const struct task_struct *task,
						   enum bcos_task_state state)
{
	return state != BCOS_TASK_DEAD && unlikely(bcos_task_flags(task) & PF_EXITING) &&
	       bcos_task_dying(task) ? BCOS_PROCESS_KERNEL : (u32)task->tgid;
}

/*
 * Sets who woke @thread: the task @by, which the CPU runs, or an interrupt. Returns the bits for
 * the aux of the wake-up's record.
 */
static __always_inline u16 bcos_task_waker(struct bcos_raw_thread *thread,
					   const struct task_struct *by, enum bcos_context context,
					   const struct bcos_handled *handled)
{
	if (context != BCOS_IN_TASK && context != BCOS_IN_EITHER) {
		thread->waker = handled->line - 1;
		return BCOS_RAW_WAKER(bcos_interrupt_kind(context, handled));
	}
	thread->waker = bcos_task_actor(by);
	thread->waker_thread = (u32)by->pid;
	return BCOS_RAW_WAKER(context == BCOS_IN_TASK ? BCOS_WAKER_THREAD : BCOS_WAKER_EITHER);
}

#endif
