// SPDX-License-Identifier: GPL-2.0-only
/* Records assignments of CPUs to processes, and a process's last switch. */
#include <linux/mm_types.h>
#include <trace/events/sched.h>

#include "probes.h"

/*
 * Stages the death of a group: the group has no thread left, and @task is switched out for the last
 * time. Several threads may find this. The EXIT of the last thread may still follow, and the ID may
 * be born again before this record.
 */
static noinline notrace void bcos_stage_death(struct bcos_stage *stage,
					      const struct task_struct *task)
{
	bcos_put_short(stage, 2, bcos_stage_head(BCOS_RAW_DEAD, 2, 0, task->tgid),
		       bcos_stage_life(bcos_task_tag(task), task->signal->group_exit_code), 0, 0);
	/*
	 * The log now assigns the CPU to the kernel, so the next switch must be recorded in any
	 * case.
	 */
	stage->current_id = BCOS_PROCESS_NONE;
}

notrace void bcos_on_sched_switch(void *data, bool preempt, struct task_struct *prev,
				  struct task_struct *next, unsigned int prev_state)
{
	struct bcos_stage *stage = this_cpu_ptr(&bcos_stages);
	u32 id = bcos_task_process(next);

	if (bcos_task_is_over(prev, prev_state))
		bcos_stage_death(stage, prev);
	if (id != stage->current_id)
		bcos_stage_assignment(stage, id);
}

void bcos_restate_assignment(void *unused)
{
	bcos_stage_assignment(this_cpu_ptr(&bcos_stages), bcos_task_process(current));
}

static void __maybe_unused bcos_check_prototypes(void)
{
	check_trace_callback_type_sched_switch(bcos_on_sched_switch);
}
