// SPDX-License-Identifier: GPL-2.0-only
/* Records idle states of CPUs and states of threads, on request. */
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <trace/events/irq.h>
#include <trace/events/power.h>
#include <trace/events/sched.h>
#include <trace/events/timer.h>

#include "core/capture/action.h"
#include "capture/thread.h"
#include "probes.h"

/* On wake-up the state is PWR_EVENT_EXIT, which is all ones like BCOS_RAW_AWAKE. */
notrace void bcos_on_cpu_idle(void *data, unsigned int state, unsigned int cpu)
{
	bcos_put_one_anywhere(BCOS_RAW_IDLE, 0, state);
}

/* Stages the state of a thread, as two words after the first unit. Context: interrupts off. */
static __always_inline void bcos_put_task_state(const struct task_struct *task, u16 aux,
						const struct bcos_raw_thread *thread)
{
	u32 process = bcos_task_state_process(task, BCOS_RAW_STATE_OF(aux));
	struct bcos_unit unit;

	BUILD_BUG_ON(sizeof(unit) != sizeof(*thread));
	memcpy(&unit, thread, sizeof(unit));
	bcos_put_short(this_cpu_ptr(&bcos_stages), 2,
		       bcos_stage_head(BCOS_RAW_STATE, 2, aux, process), unit.word[0], 0,
		       unit.word[1]);
}

static __always_inline void bcos_put_runs(const struct task_struct *task)
{
	struct bcos_raw_thread thread = { .id = task->pid, .priority = task->prio };

	if (bcos_task_is_user(task))
		bcos_put_task_state(task, BCOS_TASK_RUNS, &thread);
}

/* The records of both threads precede the assignment of the CPU, if the process changes. */
notrace void bcos_on_switch_state(void *data, bool preempt, struct task_struct *prev,
				  struct task_struct *next, unsigned int state)
{
	struct bcos_raw_thread thread = { .id = prev->pid };
	u16 aux;

	if (bcos_task_is_user(prev)) {
		aux = bcos_thread_leaves(&thread, prev, preempt, state);
		if (aux != BCOS_TASK_RUNS)
			bcos_put_task_state(prev, aux, &thread);
	}
	bcos_put_runs(next);
}

/* What this CPU handles. */
static DEFINE_PER_CPU(struct bcos_handled, bcos_handled);

void bcos_restate_thread(void *unused)
{
	/*
	 * The end of what this CPU handled may have come before the probe for ends was there,
	 * or while the class was off. A timer's function that this interrupts loses its kind.
	 */
	this_cpu_write(bcos_handled.line, 0);
	this_cpu_write(bcos_handled.timer, 0);
	bcos_put_runs(current);
}

/* ---- what this CPU handles ------------------------------------------------------------ */

notrace void bcos_on_line_enter(void *data, int irq, struct irqaction *action)
{
	if (!bcos_action_is_of_cpu(action->flags))
		this_cpu_write(bcos_handled.line, (u32)irq + 1);
}

notrace void bcos_on_line_exit(void *data, int irq, struct irqaction *action, int result)
{
	this_cpu_write(bcos_handled.line, 0);
}

notrace void bcos_on_softirq_enter(void *data, unsigned int number)
{
	this_cpu_write(bcos_handled.softirq, (u16)(number + 1));
}

notrace void bcos_on_softirq_exit(void *data, unsigned int number)
{
	this_cpu_write(bcos_handled.softirq, 0);
}

notrace void bcos_on_timer_enter(void *data, struct hrtimer *timer, ktime_t *now)
{
	this_cpu_write(bcos_handled.timer, 1);
}

notrace void bcos_on_timer_exit(void *data, struct hrtimer *timer)
{
	this_cpu_write(bcos_handled.timer, 0);
}

static __always_inline enum bcos_context bcos_context_now(void)
{
	if (in_task())
		return BCOS_IN_TASK;
	return in_hardirq() ? BCOS_IN_HARD : BCOS_IN_SOFT;
}

/* ---- wake-ups -------------------------------------------------------------------------- */

/* The probe of wake-ups, and of new threads, which another thread starts. */
notrace void bcos_on_sched_waking(void *data, struct task_struct *task)
{
	struct bcos_raw_thread thread = { .id = task->pid };
	unsigned long flags;
	u16 by;

	if (!bcos_task_is_user(task))
		return;
	by = bcos_task_waker(&thread, current, bcos_context_now(), raw_cpu_ptr(&bcos_handled));
	/* Interrupts are on if a thread wakes itself. */
	local_irq_save(flags);
	bcos_put_task_state(task, BCOS_TASK_WOKEN | by, &thread);
	local_irq_restore(flags);
}

/* A thread that is not the leader takes the ID of the leader when it execs, so its old ID ends. */
notrace void bcos_on_exec_state(void *data, struct task_struct *task, pid_t old_pid,
				struct linux_binprm *bprm)
{
	struct bcos_raw_thread thread = { .id = old_pid };
	unsigned long flags;

	if (old_pid == task->pid || !bcos_task_is_user(task))
		return;
	local_irq_save(flags);
	bcos_put_task_state(task, BCOS_TASK_DEAD, &thread);
	bcos_put_runs(task);
	local_irq_restore(flags);
}

static void __maybe_unused bcos_check_prototypes(void)
{
	check_trace_callback_type_cpu_idle(bcos_on_cpu_idle);
	check_trace_callback_type_sched_switch(bcos_on_switch_state);
	check_trace_callback_type_sched_process_exec(bcos_on_exec_state);
	check_trace_callback_type_sched_waking(bcos_on_sched_waking);
	check_trace_callback_type_sched_wakeup_new(bcos_on_sched_waking);
	check_trace_callback_type_irq_handler_entry(bcos_on_line_enter);
	check_trace_callback_type_irq_handler_exit(bcos_on_line_exit);
	check_trace_callback_type_softirq_entry(bcos_on_softirq_enter);
	check_trace_callback_type_softirq_exit(bcos_on_softirq_exit);
	check_trace_callback_type_hrtimer_expire_entry(bcos_on_timer_enter);
	check_trace_callback_type_hrtimer_expire_exit(bcos_on_timer_exit);
}
