// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records assignments of CPUs, a process's last switch, and on request states of threads: the
 * counterpart of module/capture/probes/sched.c and state.c.
 */
#include "core/capture/hook.h"
#include "thread.h"

/* From include/linux/preempt.h; these numbers never change. */
#define NMI_MASK	0x00F00000
#define HARDIRQ_MASK	0x000F0000
#define SOFTIRQ_OFFSET	0x00000100

/*
 * x86 counts interrupts in a variable of its own, and from Linux 6.2 to 6.14 in this structure.
 * This file is compiled once for each of the two: if a kernel lacks a variable, libbpf looks for it
 * in all modules, and that requires CAP_SYS_ADMIN.
 */
#ifdef BCOS_COUNT_IS_HOT
struct pcpu_hot___count {
	int preempt_count;
} __attribute__((preserve_access_index));

extern struct pcpu_hot___count pcpu_hot __ksym __weak;
#elif defined(__TARGET_ARCH_x86)
extern int __preempt_count __ksym __weak;
#endif

/*
 * Where the kernel's symbols do not tell the address of that variable, the run queue of the CPU
 * does: it is another variable of the CPU, and the kernel's types tell the distance between them.
 * The current task is on the queue of its CPU.
 */
struct rq___number {
	int cpu;
} __attribute__((preserve_access_index));

struct cfs_rq___queue {
	struct rq___number *rq;
} __attribute__((preserve_access_index));

struct sched_entity___queue {
	struct cfs_rq___queue *cfs_rq;
} __attribute__((preserve_access_index));

struct task_struct___queue {
	struct sched_entity___queue se;
} __attribute__((preserve_access_index));

/* Real-time kernels count softirqs here. */
struct task_struct___softirq {
	int softirq_disable_cnt;
} __attribute__((preserve_access_index));

struct bcos_bpf_state {
	struct bcos_raw raw;
	struct bcos_raw_thread thread;
};

static __always_inline bool is_told(struct task_struct *task)
{
	return bcos_task_is_user(task) && bcos_task_inside(task);
}

/* Completes and stages a record, whose thread is filled in already. */
static __always_inline void put_state(struct task_struct *task, u16 aux,
				      struct bcos_bpf_state *record)
{
	record->raw.kind = BCOS_RAW_STATE;
	record->raw.units = 2;
	record->raw.aux = aux;
	record->raw.id = bcos_task_state_process(task, BCOS_RAW_STATE_OF(aux));
	bcos_put(record, sizeof(*record));
}

static __always_inline void put_runs(struct task_struct *task)
{
	struct bcos_bpf_state record = { .thread = { .id = task->pid, .priority = task->prio } };

	if (is_told(task))
		put_state(task, BCOS_TASK_RUNS, &record);
}

/*
 * Returns the state in which @prev leaves the CPU. If the tracepoint lacks the state, it is read
 * now: the task may have been woken meanwhile, but death is final.
 */
static __always_inline unsigned int state_of(unsigned long long *context, struct task_struct *prev)
{
	return bcos_config.switch_has_state ? (unsigned int)context[3] : prev->__state;
}

/*
 * Is @next inside a system call, so that it continues in the kernel? See
 * module/capture/probes/kernel_time.c.
 */
static __always_inline bool is_in_call(struct task_struct *next)
{
	return bcos_task_is_user(next) && bcos_thread_call(next) != -1;
}

/*
 * Records the death of a group: the group has no thread left, and @task is switched out for the
 * last time. Several threads may find this. The task no longer knows its PID namespace, but the log
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
	 * The log now assigns the CPU to the kernel, so the next switch must be recorded in any
	 * case.
	 */
	cpu->current_id = BCOS_PROCESS_NONE;
}

/*
 * Returns a number that no other live task has, made of the address of its stack. A PID does not
 * serve: at an exec it may pass to another thread.
 */
static __always_inline u32 mark_of(struct task_struct *task)
{
	return (unsigned long)task->stack >> 12;
}

/*
 * Some kernels run no program at the switches of some tasks, and count that nowhere. But if @prev
 * is not the task that the last switch gave the CPU to, at least one switch was not seen, and the
 * CPU is assigned to the process of @prev.
 */
static __always_inline void look_at_prev(struct bcos_bpf_cpu *cpu, u32 number,
					 struct task_struct *prev, struct task_struct *next)
{
	u32 running = cpu->running;

	cpu->running = mark_of(next);
	if (running && running != mark_of(prev))
		bcos_assign_as(cpu, number, BCOS_BPF_UNSEEN, bcos_task_process(prev));
}

static __always_inline void task_switched(struct task_struct *prev, struct task_struct *next,
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

static __always_inline void put_states(bool preempt, struct task_struct *prev,
				       struct task_struct *next, unsigned int state)
{
	struct bcos_bpf_state record = { .thread.id = prev->pid };
	u16 aux;

	if (is_told(prev)) {
		aux = bcos_thread_leaves(&record.thread, prev, preempt, state);
		if (aux != BCOS_TASK_RUNS)
			put_state(prev, aux, &record);
	}
	put_runs(next);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(bcos_on_sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	unsigned int state = state_of(ctx, prev);

	/* The records of both threads precede the assignment of the CPU, if the process changes. */
	if (bcos_config.classes & BCOS_CLASS_STATE)
		put_states(preempt, prev, next, state);
	if (bcos_config.classes & BCOS_CLASSES_SWITCHES)
		task_switched(prev, next, state);
	return 0;
}

/* User space runs this program on each CPU in turn. */
SEC("raw_tp/sched_switch")
int bcos_restate(void *unused)
{
	u32 number;
	struct bcos_bpf_cpu *cpu = bcos_this_cpu(&number);
	struct task_struct *task = bpf_get_current_task_btf();

	if (bcos_config.classes & BCOS_CLASS_STATE)
		put_runs(task);
	if (cpu)
		bcos_assign(cpu, number, bcos_task_process(task));
	return 0;
}

/* Returns what the CPU does, by its count of interrupts. */
static __always_inline enum bcos_context context_of(struct task_struct *task, int count)
{
	struct task_struct___softirq *counted = (void *)task;

	if (bpf_core_field_exists(counted->softirq_disable_cnt))
		count |= counted->softirq_disable_cnt & SOFTIRQ_OFFSET;
	if (count & (NMI_MASK | HARDIRQ_MASK))
		return BCOS_IN_HARD;
	return count & SOFTIRQ_OFFSET ? BCOS_IN_SOFT : BCOS_IN_TASK;
}

/*
 * Returns what the CPU does, if its count of interrupts cannot be read. An idle task wakes nobody,
 * so if the CPU is idle, it is an interrupt.
 */
static __always_inline enum bcos_context context_without_count(struct task_struct *task)
{
	enum bcos_context context = context_of(task, 0);

	if (context == BCOS_IN_TASK)
		context = task->pid ? BCOS_IN_EITHER : BCOS_IN_INTERRUPT;
	return context;
}

static __always_inline int put_woken(struct task_struct *task, struct task_struct *by,
				     enum bcos_context context)
{
	struct bcos_bpf_state record = { .thread.id = task->pid };
	struct bcos_bpf_cpu *cpu;
	u32 number;
	u16 waker;

	if (!is_told(task))
		return 0;
	cpu = bcos_this_cpu(&number);
	if (!cpu)
		return 0;
	waker = bcos_task_waker(&record.thread, by, context, &cpu->handled);
	put_state(task, BCOS_TASK_WOKEN | waker, &record);
	return 0;
}

/* User space loads the one of the next three programs that fits the kernel. */
SEC("tp_btf/sched_waking")
int BPF_PROG(bcos_on_sched_waking, struct task_struct *task)
{
	struct task_struct *by = bpf_get_current_task_btf();

#ifdef __TARGET_ARCH_arm64
	return put_woken(task, by, context_of(by, by->thread_info.preempt.count));
#else
	return put_woken(task, by, context_without_count(by));
#endif
}

SEC("tp_btf/sched_waking")
int BPF_PROG(bcos_on_sched_waking_counted, struct task_struct *task)
{
	struct task_struct *by = bpf_get_current_task_btf();
	int count = 0;

#ifdef BCOS_COUNT_IS_HOT
	count = ((struct pcpu_hot___count *)bpf_this_cpu_ptr(&pcpu_hot))->preempt_count;
#elif defined(__TARGET_ARCH_x86)
	count = *(int *)bpf_this_cpu_ptr(&__preempt_count);
#endif
	return put_woken(task, by, context_of(by, count));
}

/*
 * Finds the address of the count of interrupts of this CPU. Returns 0 unless two values that are
 * known show that the distances are right: the number of the run queue, and the current task, which
 * is a variable of the CPU, too.
 */
static __always_inline u64 find_count(u32 number, struct task_struct *task)
{
	u64 queue = (u64)BPF_CORE_READ((struct task_struct___queue *)task, se.cfs_rq, rq);
	u64 current = 0;

	if (!queue || BPF_CORE_READ((struct rq___number *)queue, cpu) != (int)number)
		return 0;
	bpf_probe_read_kernel(&current, sizeof(current),
			      (void *)(queue + bcos_config.current_distance));
	return current == bpf_get_current_task() ? queue + bcos_config.count_distance : 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(bcos_on_sched_waking_found, struct task_struct *task)
{
	struct task_struct *by = bpf_get_current_task_btf();
	enum bcos_context context = context_without_count(by), found = context;
	struct bcos_bpf_cpu *cpu;
	int count = 0;
	u32 number;

	if (context == BCOS_IN_SOFT || !is_told(task))
		return put_woken(task, by, context);
	cpu = bcos_this_cpu(&number);
	if (cpu && !cpu->count_at)
		cpu->count_at = find_count(number, by);
	if (cpu && cpu->count_at &&
	    !bpf_probe_read_kernel(&count, sizeof(count), (void *)cpu->count_at))
		found = context_of(by, count);
	/* What an idle CPU does for others outside of its interrupts stays an interrupt. */
	if (found != BCOS_IN_TASK || context == BCOS_IN_EITHER)
		context = found;
	return put_woken(task, by, context);
}

/* A new thread is started by the thread that made it. */
SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(bcos_on_sched_wakeup_new, struct task_struct *task)
{
	return put_woken(task, bpf_get_current_task_btf(), BCOS_IN_TASK);
}

/* A thread that is not the leader takes the ID of the leader when it execs, so its old ID ends. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(bcos_on_exec_state, struct task_struct *task, pid_t old_pid)
{
	struct bcos_bpf_state record = { .thread.id = old_pid };

	if (old_pid == task->pid || !is_told(task))
		return 0;
	put_state(task, BCOS_TASK_DEAD, &record);
	put_runs(task);
	return 0;
}
