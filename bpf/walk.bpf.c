// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Walks the task list: the counterpart of module/capture/task.c. */
#include "task.h"

/*
 * ID of the process that walks, in the initial PID namespace. In the process's own namespace the ID
 * may differ.
 */
u32 bcos_walker;

/* The walker's PID namespace and its level. */
u64 bcos_space;
u32 bcos_level;

/* Lists a thread that is no leader, if the log tells the names of threads. */
static __always_inline void see_thread(struct seq_file *file, struct task_struct *task)
{
	struct bcos_seen seen;

	if (!(bcos_config.classes & BCOS_CLASS_STATE) || !bcos_task_is_follower(task) ||
	    task->flags & PF_EXITING)
		return;
	__builtin_memset(&seen, 0, sizeof(seen));
	seen.id = task->tgid;
	seen.tag = bcos_task_tag(task);
	seen.thread = task->pid;
	bpf_probe_read_kernel_str(seen.name, sizeof(seen.name), task->comm);
	bpf_seq_write(file, &seen, sizeof(seen));
}

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
	if (!task)
		return 0;
	if (!bcos_task_is_leader(task)) {
		see_thread(file, task);
		return 0;
	}
	/* This also clears the padding, which is written to the list, too. */
	__builtin_memset(&seen, 0, sizeof(seen));
	seen.id = task->tgid;
	seen.tag = bcos_task_tag(task);
	seen.start = task->start_boottime;
	seen.dying = bcos_task_dying(task);
	seen.status = seen.dying ? bcos_task_status(task) : 0;
	seen.hidden = bcos_task_is_helper(task->mm, task->flags);
	bpf_probe_read_kernel_str(seen.name, sizeof(seen.name), task->comm);
	bpf_seq_write(file, &seen, sizeof(seen));
	return 0;
}
