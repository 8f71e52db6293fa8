/* SPDX-License-Identifier: GPL-2.0-only */
/* How the log sees a thread, by the rules of core/capture/thread.h. */
#ifndef BCOS_THREAD_H
#define BCOS_THREAD_H

#include <linux/audit.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/syscall.h>

#include "compat.h"
#include "task.h"

static __always_inline long bcos_thread_call(struct task_struct *task)
{
	return syscall_get_nr(task, task_pt_regs(task));
}

static __always_inline bool bcos_thread_call_is_compat(struct task_struct *task, long number)
{
#ifdef __X32_SYSCALL_BIT
	if (number & __X32_SYSCALL_BIT)
		return true;
#endif
	return !(syscall_get_arch(task) & __AUDIT_ARCH_64BIT);
}

static __always_inline bool bcos_thread_waits_for_io(const struct task_struct *task)
{
	return task->in_iowait;
}

static __always_inline bool bcos_thread_is_frozen(const struct task_struct *task)
{
#ifdef CONFIG_CGROUPS
	return task->frozen;
#else
	return false;
#endif
}

static __always_inline bool bcos_thread_is_held_back(const struct task_struct *task)
{
	return bcos_task_is_throttled(task);
}

#include "core/capture/thread.h"

#endif
