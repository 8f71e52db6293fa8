// SPDX-License-Identifier: GPL-2.0-only
/*
 * Births, names and deaths of processes.  Interrupts may be on in all of
 * these tracepoints, and threads that are not leaders pass through them too.
 */
#include <linux/binfmts.h>
#include <linux/oom.h>
#include <linux/signal.h>
#include <trace/events/oom.h>
#include <trace/events/sched.h>
#include <trace/events/signal.h>
#include <trace/events/task.h>

#include "probes.h"

/* What follows the first unit of a life-cycle record. */
union bcos_life_tail {
	struct {
		struct bcos_raw_life life;
		char name[BCOS_RAW_NAME];
	};
	struct bcos_unit unit[2];
};

static_assert(sizeof_field(struct task_struct, comm) == BCOS_RAW_NAME);

static __always_inline void bcos_put_life(enum bcos_raw_kind kind, const struct task_struct *task,
					  union bcos_life_tail *tail, u64 start)
{
	struct bcos_raw raw = { .kind = kind, .units = 3, .id = task->tgid };

	tail->life = (struct bcos_raw_life){ .tag = bcos_task_tag(task), .start = start };
	bcos_put_anywhere(&raw, tail->unit);
}

/* With the name that it has: all of it, which is cheaper than to look where it ends. */
static __always_inline void bcos_put_named(enum bcos_raw_kind kind, const struct task_struct *task, u64 start)
{
	union bcos_life_tail tail;

	memcpy(tail.name, task->comm, sizeof(tail.name));
	tail.name[sizeof(tail.name) - 1] = 0;
	bcos_put_life(kind, task, &tail, start);
}

notrace void bcos_on_sched_process_fork(void *data, struct task_struct *parent,
					struct task_struct *child)
{
	if (child->pid != child->tgid || bcos_task_flags(child) & PF_KTHREAD)
		return;
	/* A user-mode helper, born by a kernel thread: it has no mm until its exec. */
	bcos_put_named(child->mm ? BCOS_RAW_BIRTH : BCOS_RAW_HELPER, child, child->start_boottime);
}

notrace void bcos_on_sched_process_exec(void *data, struct task_struct *task, pid_t old_pid,
					struct linux_binprm *bprm)
{
	bcos_put_named(BCOS_RAW_EXEC, task, 0);
}

/* Called before comm changes. */
notrace void bcos_on_task_rename(void *data, struct task_struct *task, const char *name)
{
	union bcos_life_tail tail = {};
	size_t i;

	if (task != task->group_leader || bcos_task_flags(task) & PF_KTHREAD)
		return;
	/* An exec is a record of its own. */
	if (task == current && bcos_in_exec(task))
		return;
	for (i = 0; i < sizeof(tail.name) - 1 && name[i]; i++)
		tail.name[i] = name[i];
	bcos_put_life(BCOS_RAW_RENAME, task, &tail, 0);
}

static notrace void bcos_process_exit(const struct task_struct *task)
{
	struct bcos_raw raw = { .kind = BCOS_RAW_EXIT, .units = 2, .id = task->tgid };
	union bcos_life_tail tail = {};

	if (bcos_task_flags(task) & PF_KTHREAD || !bcos_task_dying(task))
		return;
	if (READ_ONCE(bcos_exit_is_final))
		raw.aux = BCOS_RAW_FINAL;
	tail.life.tag = bcos_task_tag(task);
	tail.life.status = task->signal->group_exit_code;
	bcos_put_anywhere(&raw, tail.unit);
}

static notrace void bcos_on_exit(void *data, struct task_struct *task)
{
	bcos_process_exit(task);
}

/* From 6.15 on. */
static notrace void bcos_on_exit_group_dead(void *data, struct task_struct *task, bool group_dead)
{
	bcos_process_exit(task);
}

/*
 * Without information: to another it is in the name of whoever runs here (cgroup.kill,
 * PR_SET_PDEATHSIG); to itself it is what a call of its own brought about (SIGPIPE, SIGXFSZ).
 */
static bool bcos_from_user(const struct kernel_siginfo *info, const struct task_struct *task)
{
	if (info == SEND_SIG_NOINFO)
		return task != current;
	if (info == SEND_SIG_PRIV || info->si_code > 0)
		return false;
	switch (info->si_code) {
	case SI_TIMER:
	case SI_MESGQ:
	case SI_ASYNCIO:
	case SI_SIGIO:
	case SI_ASYNCNL:
	case SI_DETHREAD:
		return false;
	default:
		return true;
	}
}

/* What may become the reason of a death. */
notrace void bcos_on_signal_generate(void *data, int signal, struct kernel_siginfo *info,
				     struct task_struct *task, int group, int result)
{
	if (result != TRACE_SIGNAL_DELIVERED || bcos_task_flags(task) & PF_KTHREAD ||
	    sig_kernel_ignore(signal) || sig_kernel_stop(signal))
		return;
	bcos_put_plain(BCOS_RAW_SIGNAL, signal | (bcos_from_user(info, task) ? BCOS_RAW_USER : 0),
		       task->tgid);
}

static notrace void bcos_on_victim(void *data, struct task_struct *task, uid_t uid)
{
	bcos_put_plain(BCOS_RAW_VICTIM, 0, task->tgid);
}

/* Up to 6.8, less what was carried back. */
static notrace void bcos_on_victim_pid(void *data, int pid)
{
	bcos_put_plain(BCOS_RAW_VICTIM, 0, pid);
}

#define BCOS_EXIT_PROBE										\
	BCOS_CHOOSE_PROBE(sched_process_exit, bcos_on_exit, bcos_on_exit_group_dead,		\
			  struct task_struct *)
#define BCOS_VICTIM_PROBE									\
	BCOS_CHOOSE_PROBE(mark_victim, bcos_on_victim_pid, bcos_on_victim, int)

void *const bcos_on_sched_process_exit = BCOS_EXIT_PROBE;
void *const bcos_on_mark_victim = BCOS_VICTIM_PROBE;

static void __maybe_unused bcos_check_prototypes(void)
{
	check_trace_callback_type_sched_process_fork(bcos_on_sched_process_fork);
	check_trace_callback_type_sched_process_exec(bcos_on_sched_process_exec);
	check_trace_callback_type_sched_process_exit(BCOS_EXIT_PROBE);
	check_trace_callback_type_task_rename(bcos_on_task_rename);
	check_trace_callback_type_signal_generate(bcos_on_signal_generate);
	check_trace_callback_type_mark_victim(BCOS_VICTIM_PROBE);
}
