/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How the log sees a thread, by the rules of core/capture/thread.h. */
#ifndef BCOS_BPF_THREAD_H
#define BCOS_BPF_THREAD_H

#include "task.h"

/* From include/linux/sched.h; these numbers never change. */
#define PF_IO_WORKER	0x00000010
#define PF_USER_WORKER	0x00004000
#define TASK_FROZEN	0x8000

#define TS_COMPAT		0x0002		/* x86: thread_info.status */
#define X32_CALL		0x40000000	/* x86: flag in the call's number */
#define TIF_32BIT		22		/* arm64: thread_info.flags */

/* Only the first of these is used on x86, only the second on arm64. */
struct thread_info___status {
	u32 status;
} __attribute__((preserve_access_index));

struct thread_info___flags {
	unsigned long flags;
} __attribute__((preserve_access_index));

/* From Linux 6.18 on a thread says so itself. */
struct task_struct___throttled {
	bool throttled;
} __attribute__((preserve_access_index));

static __always_inline long bcos_thread_call(struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);

#ifdef __TARGET_ARCH_x86
	return (int)regs->orig_ax;
#elif defined(__TARGET_ARCH_arm64)
	return regs->syscallno;
#else
	return -1;
#endif
}

static __always_inline bool bcos_thread_call_is_compat(struct task_struct *task, long number)
{
#ifdef __TARGET_ARCH_x86
	struct thread_info___status *info = (void *)&task->thread_info;

	return info->status & TS_COMPAT || number & X32_CALL;
#elif defined(__TARGET_ARCH_arm64)
	struct thread_info___flags *info = (void *)&task->thread_info;

	return info->flags >> TIF_32BIT & 1;
#else
	return false;
#endif
}

static __always_inline bool bcos_thread_waits_for_io(const struct task_struct *task)
{
	return BPF_CORE_READ_BITFIELD(task, in_iowait);
}

static __always_inline bool bcos_thread_is_frozen(const struct task_struct *task)
{
	return bpf_core_field_exists(task->frozen) && BPF_CORE_READ_BITFIELD(task, frozen);
}

static __always_inline bool bcos_thread_is_held_back(const struct task_struct *task)
{
	const struct task_struct___throttled *held = (const void *)task;

	return bpf_core_field_exists(held->throttled) && held->throttled;
}

#include "core/capture/thread.h"

#endif
