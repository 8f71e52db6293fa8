// SPDX-License-Identifier: GPL-2.0-only
/*
 * On request, a CPU belongs to the kernel while it executes a system call or an interrupt (5.10).
 *
 * Exceptions are not recorded, so page faults count for the process.
 */
#include <asm/syscall.h>
#include <linux/interrupt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <trace/events/irq.h>
#include <trace/events/sched.h>
#include <trace/events/syscalls.h>

#include "core/capture/action.h"
#include "probes.h"

/* The process of this CPU when the interrupt came. */
static DEFINE_PER_CPU(u32, bcos_interrupted) = BCOS_PROCESS_NONE;

/* Assigns this CPU to @id. Interrupts must be off. */
static notrace void bcos_assign(u32 id)
{
	struct bcos_stage *stage = this_cpu_ptr(&bcos_stages);

	if (stage->current_id != id)
		bcos_stage_assignment(stage, id);
}

notrace void bcos_on_kernel_enter(void *data, struct pt_regs *regs, long id)
{
	unsigned long flags;

	local_irq_save(flags);
	bcos_assign(BCOS_PROCESS_KERNEL);
	local_irq_restore(flags);
}

notrace void bcos_on_kernel_exit(void *data, struct pt_regs *regs, long result)
{
	unsigned long flags;

	local_irq_save(flags);
	bcos_assign(bcos_task_process(current));
	local_irq_restore(flags);
}

/*
 * Runs after the probe that assigns the CPU to @next, since @next may continue inside a system
 * call.
 */
notrace void bcos_on_switch_into_kernel(void *data, bool preempt, struct task_struct *prev,
					struct task_struct *next, unsigned int state)
{
	if (bcos_task_is_user(next) && syscall_get_nr(next, task_pt_regs(next)) != -1)
		bcos_assign(BCOS_PROCESS_KERNEL);
}

notrace void bcos_on_interrupt_enter(void *data, int irq, struct irqaction *action)
{
	u32 id = this_cpu_ptr(&bcos_stages)->current_id;

	if (bcos_action_is_of_cpu(action->flags))
		return;
	this_cpu_write(bcos_interrupted, id);
	if (id != BCOS_PROCESS_NONE)
		bcos_assign(BCOS_PROCESS_KERNEL);
}

notrace void bcos_on_interrupt_exit(void *data, int irq, struct irqaction *action, int result)
{
	u32 id = this_cpu_read(bcos_interrupted);

	/* The process is looked up anew, since its last thread may have exited meanwhile. */
	if (id != BCOS_PROCESS_NONE && id != BCOS_PROCESS_KERNEL)
		bcos_assign(bcos_task_process(current));
	this_cpu_write(bcos_interrupted, BCOS_PROCESS_NONE);
}

static void __maybe_unused bcos_check_prototypes(void)
{
	check_trace_callback_type_sys_enter(bcos_on_kernel_enter);
	check_trace_callback_type_sys_exit(bcos_on_kernel_exit);
	check_trace_callback_type_sched_switch(bcos_on_switch_into_kernel);
	check_trace_callback_type_irq_handler_entry(bcos_on_interrupt_enter);
	check_trace_callback_type_irq_handler_exit(bcos_on_interrupt_exit);
}
