/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The probes translate tracepoints to raw records. They depend on neither the ring nor the model.
 */
#ifndef BCOS_PROBES_H
#define BCOS_PROBES_H

#include <linux/blk_types.h>
#include <linux/interrupt.h>
#include <linux/types.h>

#include "capture/staging.h"
#include "capture/task.h"
#include "compat.h"

struct net_device;
struct pt_regs;
struct request;
struct sk_buff;
struct kernel_siginfo;
struct linux_binprm;

/**
 * bcos_probes_up() - register the probes that are always on, and those of some classes
 * @classes: a subset of BCOS_CLASS_SUPPORTED
 *
 * Context: module load; may sleep.
 * Return: 0; -ENOENT after a message that names a tracepoint that this kernel lacks; an error of
 *   the registration. After an error nothing is registered.
 */
int bcos_probes_up(u32 classes);

/* Unregisters all probes. The caller must then wait until none is running. */
void bcos_probes_down(void);

/*
 * Registers the probes of classes. If switches were not recorded before, stages each CPU's
 * assignment. May sleep.
 */
int bcos_probes_on(u32 classes);

/* Unregisters the probes of classes, and waits until none of them is running. May sleep. */
void bcos_probes_off(u32 classes);

/* Stages which process each CPU runs, if switches are recorded. May sleep. */
void bcos_probes_restate(void);

/* Stages which thread each CPU runs, if states of threads are recorded. May sleep. */
void bcos_probes_restate_threads(void);

/* Assigns this CPU to process @id. Interrupts must be off. */
static __always_inline void bcos_stage_assignment(struct bcos_stage *stage, u32 id)
{
	/*
	 * current_id is set even if the record is lost: core/raw/stage.h keeps the newest lost
	 * assignment.
	 */
	stage->current_id = id;
	if (unlikely(!bcos_put_one(stage, bcos_stage_word(BCOS_RAW_SWITCH, 0, id))))
		stage->current_id = BCOS_PROCESS_NONE;
}

/* Stages which process this CPU runs, for on_each_cpu(). Interrupts must be off. */
void bcos_restate_assignment(void *unused);

/* Set while the classes "who" and "exec" are on. */
extern bool bcos_who_on, bcos_exec_on;

/* sched.c */
void bcos_on_sched_switch(void *data, bool preempt, struct task_struct *prev,
			  struct task_struct *next, unsigned int prev_state);

/* irq.c */
void bcos_on_irq_handler_entry(void *data, int irq, struct irqaction *action);

/* block.c */
void bcos_on_block_rq_complete(void *data, struct request *request, blk_status_t error,
			       unsigned int bytes);

struct bio;
void bcos_on_request_end(void *data, struct request *request, blk_status_t error,
			 unsigned int bytes);
void bcos_on_block_rq_issue(void *data, struct request *request);
/* Where the kernel has block_io_start, that is used, and else block_getrq. */
void bcos_on_block_io_start(void *data, struct request *request);
void bcos_on_block_getrq(void *data, struct bio *bio);

/* net.c */
void bcos_on_net_dev_xmit(void *data, struct sk_buff *skb, int result, struct net_device *device,
			  unsigned int length);
/* The probe of all tracepoints of received packets. */
void bcos_on_packet(void *data, const struct sk_buff *skb);

/* core.c */
struct cpufreq_policy;
void bcos_on_cpu_frequency_limits(void *data, struct cpufreq_policy *policy);
/* bcos_core_up() and bcos_core_down() register and unregister for machine checks. */
int bcos_core_up(void);
void bcos_core_down(void);

/* syscall.c */
void bcos_on_sys_enter(void *data, struct pt_regs *regs, long id);

/* kernel_time.c */
void bcos_on_kernel_enter(void *data, struct pt_regs *regs, long id);
void bcos_on_kernel_exit(void *data, struct pt_regs *regs, long result);
void bcos_on_switch_into_kernel(void *data, bool preempt, struct task_struct *prev,
				struct task_struct *next, unsigned int state);
void bcos_on_interrupt_enter(void *data, int irq, struct irqaction *action);
void bcos_on_interrupt_exit(void *data, int irq, struct irqaction *action, int result);

/* state.c */
void bcos_on_cpu_idle(void *data, unsigned int state, unsigned int cpu);
void bcos_on_switch_state(void *data, bool preempt, struct task_struct *prev,
			  struct task_struct *next, unsigned int state);
void bcos_on_sched_waking(void *data, struct task_struct *task);
void bcos_on_exec_state(void *data, struct task_struct *task, pid_t old_pid,
			struct linux_binprm *bprm);
void bcos_on_line_enter(void *data, int irq, struct irqaction *action);
void bcos_on_line_exit(void *data, int irq, struct irqaction *action, int result);
void bcos_on_softirq_enter(void *data, unsigned int number);
void bcos_on_softirq_exit(void *data, unsigned int number);
void bcos_on_timer_enter(void *data, struct hrtimer *timer, ktime_t *now);
void bcos_on_timer_exit(void *data, struct hrtimer *timer);
/* Stages which thread this CPU runs, for on_each_cpu(). */
void bcos_restate_thread(void *unused);

/* life.c */
void bcos_on_sched_process_fork(void *data, struct task_struct *parent, struct task_struct *child);
void bcos_on_fork_thread(void *data, struct task_struct *parent, struct task_struct *child);
void bcos_on_sched_process_exec(void *data, struct task_struct *task, pid_t old_pid,
				struct linux_binprm *bprm);
void bcos_on_task_rename(void *data, struct task_struct *task, const char *name);
void bcos_on_rename_thread(void *data, struct task_struct *task, const char *name);
void bcos_on_signal_generate(void *data, int signal, struct kernel_siginfo *info,
			     struct task_struct *task, int group, int result);
/* cgroup.c: the group of @child, whose birth has just been staged, unless it is its parent's. */
void bcos_put_birth_cgroup(const struct task_struct *child);
void bcos_on_cgroup_attach_task(void *data, struct cgroup *group, const char *path,
				struct task_struct *task, bool threadgroup);
/* program.c: stages the program that @task, the current task, runs since its exec. */
void bcos_put_program(const struct task_struct *task, const struct linux_binprm *bprm);
/* The prototypes depend on the kernel version, so life.c chooses these probes. */
extern void *const bcos_on_sched_process_exit;
extern void *const bcos_on_mark_victim;

#endif
