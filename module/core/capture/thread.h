/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rules by which the log sees a thread that leaves its CPU (module/DESIGN.md, 2.9). Both engines
 * include this, after core/capture/task.h, and decide alike.
 *
 * The includer provides, beside what core/capture/task.h asks for:
 * - bcos_thread_call(task): the number of the system call that a thread of user space is in, or -1
 * - bcos_thread_call_is_compat(task, number): whether that is a call of another ABI
 * - bcos_thread_waits_for_io(task): its flag in_iowait
 * - bcos_thread_is_frozen(task): whether it counts as frozen in its control group
 * - bcos_thread_is_held_back(task): whether its control group has used its quota
 */
#ifndef BCOS_CORE_THREAD_H
#define BCOS_CORE_THREAD_H

#include "core/raw/raw.h"

/* Returns the number of a kernel call as a record holds it. */
static __always_inline u16 bcos_task_call(long number)
{
	return number >= 0 && number < BCOS_RAW_NO_NUMBER ? (u16)number : BCOS_RAW_NO_NUMBER;
}

/* Returns the state of a task that a CPU switches from in @state, which is not 0. */
static __always_inline enum bcos_task_state bcos_thread_state(const struct task_struct *task,
							      unsigned int state)
{
	if (state & TASK_DEAD)
		return BCOS_TASK_DEAD;
	if (state & __TASK_TRACED)
		return BCOS_TASK_TRACED;
	if (state & __TASK_STOPPED)
		return BCOS_TASK_STOPPED;
	if (state & TASK_FROZEN)
		return BCOS_TASK_FROZEN;
	if (!(state & TASK_INTERRUPTIBLE))
		return BCOS_TASK_BLOCKED_HARD;
	/* The flag alone says less: a thread that waits for the exec of its vfork has it, too. */
	return bcos_thread_is_frozen(task) ? BCOS_TASK_FROZEN : BCOS_TASK_BLOCKED;
}

/*
 * Sets where a thread is that leaves its CPU. Returns the bits for the aux of the record. The
 * registers that a worker has for user space say nothing, since it never goes there.
 */
static __always_inline u16 bcos_thread_place(struct bcos_raw_thread *thread,
					     struct task_struct *task)
{
	unsigned int flags = bcos_task_flags(task);
	long number;

	if (flags & (PF_EXITING | PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER))
		return BCOS_RAW_PLACE(flags & PF_EXITING ? BCOS_PLACE_EXIT : BCOS_PLACE_UNKNOWN);
	number = bcos_thread_call(task);
	if (number == -1)
		return BCOS_RAW_PLACE(BCOS_PLACE_OUTSIDE);
	thread->call = bcos_task_call(number);
	if (bcos_thread_call_is_compat(task, number))
		thread->call |= BCOS_RAW_COMPAT;
	return BCOS_RAW_PLACE(BCOS_PLACE_CALL);
}

/*
 * Says how a thread leaves its CPU: @preempt and @state are those of the tracepoint. Returns the
 * aux of the record, or BCOS_TASK_RUNS if the thread can go on, of which there is no record. A
 * preempted thread can, whatever its state says, unless its control group has used its quota.
 */
static __always_inline u16 bcos_thread_leaves(struct bcos_raw_thread *thread,
					      struct task_struct *task, bool preempt,
					      unsigned int state)
{
	u16 aux;

	if (preempt || !state)
		return bcos_thread_is_held_back(task) ? BCOS_TASK_HELD_BACK : BCOS_TASK_RUNS;
	aux = bcos_thread_state(task, state) | bcos_thread_place(thread, task);
	return bcos_thread_waits_for_io(task) ? aux | BCOS_RAW_FOR_IO : aux;
}

#endif
