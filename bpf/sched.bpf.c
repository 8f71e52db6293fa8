// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Assignments of CPUs, a process's last switch, and on request states of threads: the counterpart
 * of module/capture/probes/sched.c and state.c.
 */
#include "core/capture/hook.h"
#include "task.h"

struct bcos_bpf_state {
	struct bcos_raw raw;
	struct bcos_raw_thread thread;
};

static __always_inline void put_state(struct task_struct *task, enum bcos_task_state state)
{
	struct bcos_bpf_state record = {
		.raw = {
			.kind = BCOS_RAW_STATE,
			.units = 2,
			.aux = state,
			.id = bcos_task_state_process(task, state),
		},
		.thread = { .id = task->pid },
	};

	if (bcos_task_is_user(task) && bcos_task_inside(task))
		bcos_put(&record, sizeof(record));
}

/*
 * Where the tracepoint lacks the state, the task may have been woken meanwhile, but death is final.
 */
static __always_inline unsigned int state_of(unsigned long long *context, struct task_struct *prev)
{
	return bcos_config.switch_has_state ? (unsigned int)context[3] : prev->__state;
}

/*
 * Is @next inside a system call, and so about to continue in the kernel? See
 * module/capture/probes/kernel_time.c.
 */
static __always_inline bool is_in_call(struct task_struct *next)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(next);

	if (!bcos_task_is_user(next))
		return false;
#ifdef __TARGET_ARCH_x86
	return (int)BPF_CORE_READ(regs, orig_ax) != -1;
#elif defined(__TARGET_ARCH_arm64)
	return BPF_CORE_READ(regs, syscallno) != -1;
#else
	return false;
#endif
}

/*
 * Records the death of a group: no thread of it is left, and this one is switched out for the last
 * time. Several threads may find that. The task no longer knows its PID namespace, but the log
 * ignores the death of a process that it does not know.
 */
static __always_inline void put_death(struct bcos_bpf_cpu *cpu, struct task_struct *task)
{
	struct {
		struct bcos_raw raw;
		struct bcos_raw_life life;
	} record = {
		.raw = { .kind = BCOS_RAW_DEAD, .units = 2, .id = task->tgid },
		.life = { .tag = bcos_task_tag(task), .status = bcos_task_status(task) },
	};

	bcos_put(&record, sizeof(record));
	/*
	 * The log now shows the CPU with the kernel, so the next switch must be recorded in any
	 * case.
	 */
	cpu->current_id = BCOS_PROCESS_NONE;
}

/*
 * Returns a number that no other live task has. A PID is none: at an exec it may pass to another
 * thread.
 */
static __always_inline u32 mark_of(struct task_struct *task)
{
	return (unsigned long)task->stack >> 12;
}

/*
 * Some kernels run no program at the switches of some tasks, and count that nowhere. But the task
 * that leaves a CPU is the one that the switch before gave it to, or there was one in between.
 */
static __always_inline void look_at_prev(struct bcos_bpf_cpu *cpu, u32 number,
					 struct task_struct *prev, struct task_struct *next)
{
	u32 running = cpu->running;

	cpu->running = mark_of(next);
	if (running && running != mark_of(prev))
		bcos_assign_as(cpu, number, BCOS_BPF_UNSEEN, bcos_task_process(prev));
}

static __always_inline void switched(struct task_struct *prev, struct task_struct *next,
				     unsigned int state)
{
	u32 number, id = bcos_task_process(next);
	struct bcos_bpf_cpu *cpu = bcos_this_cpu(&number);

	if (!cpu)
		return;
	look_at_prev(cpu, number, prev, next);
	if (bcos_task_is_over(prev, state))
		put_death(cpu, prev);
	if (id != cpu->current_id)
		bcos_assign(cpu, number, id);
	if (bcos_config.classes & BCOS_CLASS_KERNEL_TIME &&
	    cpu->current_id != BCOS_PROCESS_KERNEL && is_in_call(next))
		bcos_assign(cpu, number, BCOS_PROCESS_KERNEL);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(bcos_on_sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	unsigned int state = state_of(ctx, prev);

	/* A preempted task stays runnable, whatever its state says. */
	if (bcos_config.classes & BCOS_CLASS_STATE && state && !preempt)
		put_state(prev, bcos_task_state_of(state));
	if (bcos_config.classes & BCOS_CLASSES_SWITCHES)
		switched(prev, next, state);
	return 0;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(bcos_on_sched_wakeup, struct task_struct *task)
{
	put_state(task, BCOS_TASK_WOKEN);
	return 0;
}
