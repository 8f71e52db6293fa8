// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The walk of the task list: as the module's tasks.c. */
#include "task.h"

/* The process that walks: in a PID namespace it has another ID of its own. */
u32 bcos_walker;

/* Its PID namespace. */
u64 bcos_space;
u32 bcos_level;

SEC("iter/task")
int bcos_walk(struct bpf_iter__task *context)
{
	struct seq_file *file = context->meta->seq;
	struct task_struct *task = context->task;
	const struct pid *walker;
	struct bcos_seen seen;

	if (!context->meta->seq_num) {
		walker = BPF_CORE_READ(bpf_get_current_task_btf(), group_leader, thread_pid);
		bcos_walker = bpf_get_current_pid_tgid() >> 32;
		bcos_level = BPF_CORE_READ(walker, level);
		bcos_space = bcos_pid_space(walker, bcos_level);
	}
	if (!task || task->pid != task->tgid || task->flags & PF_KTHREAD || bcos_task_dying(task))
		return 0;
	/* With what is between its fields, which is written, too. */
	__builtin_memset(&seen, 0, sizeof(seen));
	seen.id = task->tgid;
	seen.tag = bcos_task_tag(task);
	seen.start = task->start_boottime;
	/*
	 * A user-mode helper before its exec has no mm yet. A leader that exited
	 * before its threads has none any more, but was marked as exiting before.
	 */
	seen.hidden = !task->mm && !(task->flags & PF_EXITING);
	bpf_probe_read_kernel_str(seen.name, sizeof(seen.name), task->comm);
	bpf_seq_write(file, &seen, sizeof(seen));
	return 0;
}
