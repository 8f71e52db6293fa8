// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records births, names and deaths of processes: the counterpart of module/capture/probes/life.c.
 */
#include "task.h"

/* From include/uapi/asm-generic; the architectures that this is built for have no others. */
#define SIGCHLD		17
#define SIGCONT		18
#define SIGSTOP		19
#define SIGTSTP		20
#define SIGTTIN		21
#define SIGTTOU		22
#define SIGURG		23
#define SIGWINCH	28
#define SI_USER		0
#define SI_KERNEL	0x80
#define SI_TIMER	-2
#define SI_MESGQ	-3
#define SI_ASYNCIO	-4
#define SI_SIGIO	-5
#define SI_DETHREAD	-7
#define SI_ASYNCNL	-60

#include "core/capture/hook.h"
#include "core/capture/signal.h"

/* Newer kernels lack this bit. On these, the rename by an exec has a record of its own. */
struct task_struct___exec {
	unsigned int in_execve: 1;
} __attribute__((preserve_access_index));

#define DELIVERED	0	/* TRACE_SIGNAL_DELIVERED */

static __always_inline void put_named(u8 kind, u16 aux, u32 status, struct task_struct *task)
{
	struct bcos_bpf_life record = {
		.raw = { .kind = kind, .units = 3, .aux = aux, .id = task->tgid },
		.life = { .tag = bcos_task_tag(task), .status = status },
	};

	bpf_probe_read_kernel_str(record.name, sizeof(record.name), task->comm);
	bcos_put(&record, sizeof(record));
}

/* Is this a thread whose name the log tells, beside that of its process? */
static __always_inline bool has_own_name(struct task_struct *task)
{
	return bcos_config.classes & BCOS_CLASS_STATE && bcos_task_is_follower(task) &&
	       bcos_task_inside(task);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(bcos_on_sched_process_fork, struct task_struct *parent, struct task_struct *child)
{
	u32 id = BCOS_PROCESS_KERNEL;
	u16 aux = 0;

	/* A new thread has the name of the one that makes it. */
	if (has_own_name(child))
		put_named(BCOS_RAW_THREAD, 0, child->pid, child);
	if (!bcos_task_is_leader(child) || !bcos_task_inside(child))
		return 0;
	if (bcos_config.classes & BCOS_CLASS_WHO) {
		aux = BCOS_RAW_PARENT;
		/* With CLONE_PARENT the parent is not the caller of fork(). */
		id = bcos_task_actor(child->real_parent);
	}
	/* A user-mode helper is born by a kernel thread and has no mm until its exec. */
	put_named(child->mm ? BCOS_RAW_BIRTH : BCOS_RAW_HELPER, aux, id, child);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(bcos_on_sched_process_exec, struct task_struct *task)
{
	if (bcos_task_inside(task))
		put_named(BCOS_RAW_EXEC, 0, 0, task);
	return 0;
}

static __always_inline bool is_in_exec(struct task_struct *task)
{
	struct task_struct___exec *bits = (void *)task;

	if (!bpf_core_field_exists(bits->in_execve))
		return false;
	return BPF_CORE_READ_BITFIELD_PROBED(bits, in_execve);
}

/* The tracepoint precedes the change of comm. */
SEC("tp_btf/task_rename")
int BPF_PROG(bcos_on_task_rename, struct task_struct *task, const char *name)
{
	struct bcos_bpf_life record = {
		.raw = { .kind = BCOS_RAW_RENAME, .units = 3, .id = task->tgid }
	};

	if (has_own_name(task)) {
		record.raw.kind = BCOS_RAW_THREAD;
		record.life.status = task->pid;
	} else if (!bcos_task_is_leader(task) || !bcos_task_inside(task)) {
		return 0;
	}
	/* An exec has a record of its own, and a thread that execs becomes the leader. */
	if (task == bpf_get_current_task_btf() && is_in_exec(task))
		return 0;
	record.life.tag = bcos_task_tag(task);
	bpf_probe_read_kernel_str(record.name, sizeof(record.name), name);
	bcos_put(&record, sizeof(record));
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(bcos_on_sched_process_exit, struct task_struct *task)
{
	struct {
		struct bcos_raw raw;
		struct bcos_raw_life life;
	} record = {
		.raw = { .kind = BCOS_RAW_EXIT, .units = 2, .id = task->tgid },
		.life = { .tag = bcos_task_tag(task) },
	};

	if (!bcos_task_is_user(task) || !bcos_task_dying(task) || !bcos_task_inside(task))
		return 0;
	/* While switches are not recorded, no DEAD follows. */
	if (!(bcos_config.classes & BCOS_CLASSES_SWITCHES))
		record.raw.aux = BCOS_RAW_FINAL;
	record.life.status = bcos_task_status(task);
	bcos_put(&record, sizeof(record));
	return 0;
}

static __always_inline void put_signal_of(u16 aux, int code, struct task_struct *task)
{
	struct task_struct *sender = (void *)bpf_get_current_task();
	struct {
		struct bcos_raw raw;
		struct bcos_raw_life life;
		struct bcos_raw_sender sender;
	} record = {
		.raw = {
			.kind = BCOS_RAW_SIGNAL,
			.units = 3,
			.aux = aux,
			.id = BPF_CORE_READ(task, tgid),
		},
		.life = { .tag = bcos_task_tag(task), .status = code },
		.sender = { .tag = bcos_task_tag(sender), .user = (u32)bpf_get_current_uid_gid() },
	};

	if (bcos_flags_are_user(BPF_CORE_READ(sender, flags)) && bcos_task_inside(sender))
		record.sender.id = BPF_CORE_READ(sender, tgid);
	bcos_put(&record, sizeof(record));
}

/* This is a raw tracepoint, since two values of the second argument are no pointers. */
SEC("raw_tp/signal_generate")
int bcos_on_signal_generate(struct bpf_raw_tracepoint_args *context)
{
	u32 signal = (u32)context->args[0] & 0x7F;
	const struct kernel_siginfo *info = (void *)context->args[1];
	struct task_struct *task = (void *)context->args[2];
	unsigned long about = context->args[1];
	int code = 0;
	u16 aux;

	if ((int)context->args[4] != DELIVERED ||
	    !bcos_flags_are_user(BPF_CORE_READ(task, flags)) || !bcos_signal_may_kill(signal) ||
	    !bcos_task_inside(task))
		return 0;
	if (about > BCOS_SIGNAL_KERNEL)
		code = BPF_CORE_READ(info, si_code);
	aux = signal;
	if (bcos_signal_is_from_user(about, code, task == (void *)bpf_get_current_task()))
		aux |= BCOS_RAW_USER;
	if (bcos_config.classes & BCOS_CLASS_WHO)
		put_signal_of(aux, bcos_signal_code(about, code), task);
	else
		bcos_put_here(BCOS_RAW_SIGNAL, aux, BPF_CORE_READ(task, tgid));
	return 0;
}

/* The argument is the task that the OOM killer chose, or on older kernels its PID. */
SEC("raw_tp/mark_victim")
int bcos_on_mark_victim(struct bpf_raw_tracepoint_args *context)
{
	struct bcos_raw record = { .kind = BCOS_RAW_VICTIM, .units = 1 };
	struct task_struct *task = (void *)context->args[0];

	record.id = bcos_config.victim_is_task ? BPF_CORE_READ(task, tgid) : (u32)context->args[0];
	bcos_put(&record, sizeof(record));
	return 0;
}
