// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The walk of the task list: as the module's tasks.c. */
#include "task.h"

/* A line of what user space reads; as struct bcos_seen has it. */
SEC("iter/task")
int bcos_walk(struct bpf_iter__task *context)
{
	struct seq_file *file = context->meta->seq;
	struct task_struct *task = context->task;
	struct bcos_bpf_walked walked = {};

	if (!task || task->pid != task->tgid || task->flags & PF_KTHREAD || bcos_task_dying(task))
		return 0;
	walked.id = task->tgid;
	walked.tag = bcos_task_tag(task);
	walked.start = task->start_boottime;
	/*
	 * A user-mode helper before its exec has no mm yet. A leader that exited
	 * before its threads has none any more, but was marked as exiting before.
	 */
	walked.hidden = !task->mm && !(task->flags & PF_EXITING);
	bpf_probe_read_kernel_str(walked.name, sizeof(walked.name), task->comm);
	bpf_seq_write(file, &walked, sizeof(walked));
	return 0;
}
