// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records kernel calls, and on request the time that they take: the counterpart of
 * module/capture/probes/syscall.c and kernel_time.c.
 */
#include "thread.h"

static __always_inline void call_ended(struct task_struct *task, long id)
{
	u16 number = bcos_task_call(id);

	if ((bcos_config.calls_of && bcos_config.calls_of != (u32)task->tgid) ||
	    !bcos_task_inside(task))
		return;
	if (bcos_thread_call_is_compat(task, id))
		number |= BCOS_RAW_COMPAT;
	bcos_put_here(BCOS_RAW_API, number, task->tgid);
}

SEC("tp_btf/sys_enter")
int BPF_PROG(bcos_on_sys_enter, struct pt_regs *regs, long id)
{
	u32 number;
	struct bcos_bpf_cpu *cpu;

	if (bcos_config.classes & BCOS_CLASS_API)
		call_ended(bpf_get_current_task_btf(), id);
	if (!(bcos_config.classes & BCOS_CLASS_KERNEL_TIME))
		return 0;
	cpu = bcos_this_cpu(&number);
	if (cpu && cpu->current_id != BCOS_PROCESS_KERNEL)
		bcos_assign(cpu, number, BCOS_PROCESS_KERNEL);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(bcos_on_sys_exit)
{
	u32 number, id = bcos_task_process(bpf_get_current_task_btf());
	struct bcos_bpf_cpu *cpu = bcos_this_cpu(&number);

	if (cpu && cpu->current_id != id)
		bcos_assign(cpu, number, id);
	return 0;
}
