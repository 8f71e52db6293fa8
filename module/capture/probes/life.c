// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records births, names and deaths of processes. Interrupts may be on in all of these tracepoints,
 * and threads other than leaders pass through them, too.
 */
#include <linux/binfmts.h>
#include <linux/cred.h>
#include <linux/oom.h>
#include <linux/rcupdate.h>
#include <linux/signal.h>
#include <linux/uidgid.h>
#include <trace/events/oom.h>
#include <trace/events/sched.h>
#include <trace/events/signal.h>
#include <trace/events/task.h>

#include "core/capture/signal.h"
#include "probes.h"

static_assert(sizeof_field(struct task_struct, comm) == BCOS_RAW_NAME);
static_assert(BCOS_RAW_NAME == 2 * sizeof(u64));

/*
 * Stages a record with a name, of @task's process or thread. Interrupts must be off. @name has
 * BCOS_RAW_NAME bytes: copying them all is cheaper than finding the end. The log writer ignores the
 * last byte.
 */
static __always_inline void bcos_put_named(enum bcos_raw_kind kind, u16 aux, u32 status,
					   const struct task_struct *task, const char *name)
{
	u64 first, second;

	memcpy(&first, name, sizeof(first));
	memcpy(&second, name + sizeof(first), sizeof(second));
	bcos_put_short(this_cpu_ptr(&bcos_stages), 3, bcos_stage_head(kind, 3, aux, task->tgid),
		       bcos_stage_life(bcos_task_tag(task), status), first, second);
}

/*
 * Returns the parent of a new process, which with CLONE_PARENT is not the caller of fork().
 * Interrupts must be off, so that RCU keeps the parent.
 */
static __always_inline u32 bcos_parent_of(const struct task_struct *child)
{
	return bcos_task_actor(rcu_dereference_sched(child->real_parent));
}

notrace void bcos_on_sched_process_fork(void *data, struct task_struct *parent,
					struct task_struct *child)
{
	bool who = READ_ONCE(bcos_who_on);
	unsigned long flags;

	if (!bcos_task_is_leader(child))
		return;
	local_irq_save(flags);
	/* A user-mode helper is born by a kernel thread and has no mm until its exec. */
	bcos_put_named(child->mm ? BCOS_RAW_BIRTH : BCOS_RAW_HELPER, who ? BCOS_RAW_PARENT : 0,
		       who ? bcos_parent_of(child) : 0, child, child->comm);
	local_irq_restore(flags);
	if (who)
		bcos_put_birth_cgroup(child);
}

notrace void bcos_on_sched_process_exec(void *data, struct task_struct *task, pid_t old_pid,
					struct linux_binprm *bprm)
{
	unsigned long flags;

	local_irq_save(flags);
	bcos_put_named(BCOS_RAW_EXEC, 0, 0, task, task->comm);
	local_irq_restore(flags);
	if (READ_ONCE(bcos_exec_on))
		bcos_put_program(task, bprm);
}

/* A new thread has the name of the one that makes it. */
notrace void bcos_on_fork_thread(void *data, struct task_struct *parent, struct task_struct *child)
{
	unsigned long flags;

	if (!bcos_task_is_follower(child))
		return;
	local_irq_save(flags);
	bcos_put_named(BCOS_RAW_THREAD, 0, child->pid, child, child->comm);
	local_irq_restore(flags);
}

/* This is not inlined, since nearly every rename is part of an exec. */
static noinline notrace void bcos_put_rename(enum bcos_raw_kind kind, u32 status,
					     const struct task_struct *task, const char *name)
{
	char comm[BCOS_RAW_NAME] = {};
	unsigned long flags;
	size_t i;

	for (i = 0; i < sizeof(comm) - 1 && name[i]; i++)
		comm[i] = name[i];
	local_irq_save(flags);
	bcos_put_named(kind, 0, status, task, comm);
	local_irq_restore(flags);
}

/* The tracepoint precedes the change of comm. */
notrace void bcos_on_task_rename(void *data, struct task_struct *task, const char *name)
{
	/* An exec has a record of its own. */
	if (task == current && bcos_in_exec(task))
		return;
	if (task == task->group_leader && bcos_task_is_user(task))
		bcos_put_rename(BCOS_RAW_RENAME, 0, task, name);
}

notrace void bcos_on_rename_thread(void *data, struct task_struct *task, const char *name)
{
	/* A thread that execs becomes the leader. */
	if (bcos_task_is_follower(task) && !(task == current && bcos_in_exec(task)))
		bcos_put_rename(BCOS_RAW_THREAD, task->pid, task, name);
}

static __always_inline void bcos_process_exit(const struct task_struct *task)
{
	u16 final = READ_ONCE(bcos_exit_is_final) ? BCOS_RAW_FINAL : 0;

	if (bcos_task_is_user(task) && bcos_task_dying(task))
		bcos_put_short_anywhere(2, bcos_stage_head(BCOS_RAW_EXIT, 2, final, task->tgid),
					bcos_stage_life(bcos_task_tag(task),
							task->signal->group_exit_code),
					0, 0);
}

static notrace void bcos_on_exit(void *data, struct task_struct *task)
{
	bcos_process_exit(task);
}

/* Since Linux 6.15 the tracepoint has another argument. */
static notrace void bcos_on_exit_group_dead(void *data, struct task_struct *task, bool group_dead)
{
	bcos_process_exit(task);
}

static notrace void bcos_put_signal_of(u16 aux, int code, const struct task_struct *task)
{
	bcos_put_short_anywhere(3, bcos_stage_head(BCOS_RAW_SIGNAL, 3, aux, task->tgid),
				bcos_stage_life(bcos_task_tag(task), code),
				(u64)bcos_task_tag(current) << 32 | bcos_task_actor(current),
				from_kuid(&init_user_ns, current_uid()));
}

static noinline notrace void bcos_put_signal(int signal, const struct kernel_siginfo *info,
					     const struct task_struct *task)
{
	unsigned long about = (unsigned long)info;
	int code = about > BCOS_SIGNAL_KERNEL ? info->si_code : 0;
	u16 aux = signal |
		  (bcos_signal_is_from_user(about, code, task == current) ? BCOS_RAW_USER : 0);

	if (READ_ONCE(bcos_who_on))
		bcos_put_signal_of(aux, bcos_signal_code(about, code), task);
	else
		bcos_put_one_anywhere(BCOS_RAW_SIGNAL, aux, task->tgid);
}

/* Records the signals that may cause a death. */
notrace void bcos_on_signal_generate(void *data, int signal, struct kernel_siginfo *info,
				     struct task_struct *task, int group, int result)
{
	if (!bcos_signal_may_kill(signal))
		return;
	if (result == TRACE_SIGNAL_DELIVERED && bcos_task_is_user(task))
		bcos_put_signal(signal, info, task);
}

static notrace void bcos_on_victim(void *data, struct task_struct *task, uid_t uid)
{
	bcos_put_one_anywhere(BCOS_RAW_VICTIM, 0, task->tgid);
}

/* Before Linux 6.9, apart from backports, the tracepoint has only the PID. */
static notrace void bcos_on_victim_pid(void *data, int pid)
{
	bcos_put_one_anywhere(BCOS_RAW_VICTIM, 0, pid);
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
	check_trace_callback_type_sched_process_fork(bcos_on_fork_thread);
	check_trace_callback_type_task_rename(bcos_on_task_rename);
	check_trace_callback_type_task_rename(bcos_on_rename_thread);
	check_trace_callback_type_signal_generate(bcos_on_signal_generate);
	check_trace_callback_type_mark_victim(BCOS_VICTIM_PROBE);
}
