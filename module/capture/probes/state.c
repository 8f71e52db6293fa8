// SPDX-License-Identifier: GPL-2.0-only
/* Idle states of CPUs and states of threads, on request. */
#include <linux/sched.h>
#include <trace/events/power.h>
#include <trace/events/sched.h>

#include "probes.h"

/* On wake-up the state is PWR_EVENT_EXIT, which is all ones like BCOS_RAW_AWAKE. */
notrace void bcos_on_cpu_idle(void *data, unsigned int state, unsigned int cpu)
{
	bcos_put_one_anywhere(BCOS_RAW_IDLE, 0, state);
}

static notrace void bcos_put_task_state(const struct task_struct *task, enum bcos_task_state state)
{
	u32 id = bcos_task_state_process(task, state);

	if (bcos_task_is_user(task))
		bcos_put_short_anywhere(2, bcos_stage_head(BCOS_RAW_STATE, 2, state, id), task->pid,
					0, 0);
}

notrace void bcos_on_switch_state(void *data, bool preempt, struct task_struct *prev,
				  struct task_struct *next, unsigned int state)
{
	/* A preempted task stays runnable, whatever its state says. */
	if (!preempt && state)
		bcos_put_task_state(prev, bcos_task_state_of(state));
}

notrace void bcos_on_sched_wakeup(void *data, struct task_struct *task)
{
	bcos_put_task_state(task, BCOS_TASK_WOKEN);
}

static void __maybe_unused bcos_check_prototypes(void)
{
	check_trace_callback_type_cpu_idle(bcos_on_cpu_idle);
	check_trace_callback_type_sched_switch(bcos_on_switch_state);
	check_trace_callback_type_sched_wakeup(bcos_on_sched_wakeup);
}
