// SPDX-License-Identifier: GPL-2.0-only
/*
 * A witness for the tests, which writes down in plain arrays, without ever overwriting a record, what a correct log
 * must contain. It shares no line with bcos_evlog: it has its own probes, its own clock readings, and its own idea of
 * who runs.
 *
 *	echo start | stop | reset > /proc/witness
 *	cat /proc/witness		records, one CPU after another, each CPU's in order
 *
 * A record of kind WITNESS_FULL says that an array was too small, so that the records are worth nothing.
 */
#include <linux/module.h>
#include <linux/cpu.h>
#include <linux/interrupt.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/timekeeping.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <trace/events/irq.h>
#include <trace/events/sched.h>

#include "witness.h"

static unsigned int records = 1u << 18;
module_param(records, uint, 0444);
MODULE_PARM_DESC(records, "Room for so many records on each CPU");

struct testimony {
	struct witness_record *record;
	u32 count;
	u32 refused;
	u32 runs;		/* what this CPU runs, WITNESS_NOBODY before the first switch */
};

static DEFINE_PER_CPU(struct testimony, testimonies);
static struct proc_dir_entry *entry;
static bool on;

/* Adds a record. Interrupts are off. */
static notrace void write_down(u16 kind, u32 id)
{
	struct testimony *testimony = this_cpu_ptr(&testimonies);
	struct witness_record *record;

	if (!READ_ONCE(on))
		return;
	if (testimony->count == records) {
		testimony->refused++;
		return;
	}
	record = &testimony->record[testimony->count];
	record->time = ktime_get_boot_fast_ns();
	record->id = id;
	record->kind = kind;
	record->cpu = smp_processor_id();
	smp_store_release(&testimony->count, testimony->count + 1);
}

static notrace bool is_dying(const struct task_struct *task)
{
	return task->flags & PF_EXITING && !atomic_read(&task->signal->live);
}

static notrace u32 process_of(const struct task_struct *task)
{
	if (is_idle_task(task))
		return WITNESS_IDLE;
	return task->flags & PF_KTHREAD || is_dying(task) ? WITNESS_KERNEL : task->tgid;
}

static notrace void on_switch(void *data, bool preempt, struct task_struct *previous, struct task_struct *next,
			      unsigned int state)
{
	struct testimony *testimony = this_cpu_ptr(&testimonies);
	u32 process = process_of(next);

	if (testimony->runs != process)
		write_down(WITNESS_RUNS, process);
	else if (state & TASK_DEAD && is_dying(previous) && !(previous->flags & PF_KTHREAD))
		write_down(WITNESS_AGAIN, process);
	testimony->runs = process;
}

static notrace void on_interrupt(void *data, int irq, struct irqaction *action)
{
	unsigned long flags;

	/* The log does not record interrupts of the CPU itself. */
	if (action->flags & IRQF_PERCPU)
		return;
	local_irq_save(flags);
	write_down(WITNESS_INTERRUPT, irq);
	local_irq_restore(flags);
}

static notrace void on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	unsigned long flags;

	if (!thread_group_leader(child) || child->flags & PF_KTHREAD)
		return;
	local_irq_save(flags);
	write_down(WITNESS_BIRTH, child->tgid);
	local_irq_restore(flags);
}

/*
 * From about 6.14 on the tracepoint tells whether the group is dead. On older kernels several threads may look like the
 * last.
 */
static notrace void on_exit(void *data, struct task_struct *task)
{
	unsigned long flags;

	if (task->flags & PF_KTHREAD || !is_dying(task))
		return;
	local_irq_save(flags);
	write_down(WITNESS_DEATH, task->tgid);
	local_irq_restore(flags);
}

static struct {
	const char *name;
	void *probe;
	struct tracepoint *point;
	bool registered;
} points[] = {
	{ "sched_switch", on_switch },
	{ "irq_handler_entry", on_interrupt },
	{ "sched_process_fork", on_fork },
	{ "sched_process_exit", on_exit },
};

static void find_point(struct tracepoint *point, void *data)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(points); i++)
		if (!strcmp(points[i].name, point->name))
			points[i].point = point;
}

static void reset_testimony(void)
{
	struct testimony *testimony;
	int cpu;

	for_each_possible_cpu(cpu) {
		testimony = per_cpu_ptr(&testimonies, cpu);
		testimony->count = testimony->refused = 0;
		testimony->runs = WITNESS_NOBODY;
	}
}

static ssize_t witness_write(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	char word[8] = "";

	if (size >= sizeof(word) || copy_from_user(word, from, size))
		return -EINVAL;
	if (sysfs_streq(word, "start")) {
		WRITE_ONCE(on, true);
	} else if (sysfs_streq(word, "stop")) {
		WRITE_ONCE(on, false);
		tracepoint_synchronize_unregister();
	} else if (sysfs_streq(word, "reset") && !on) {
		reset_testimony();
	} else {
		return -EINVAL;
	}
	return size;
}

/*
 * Returns a record of /proc/witness, which is a file of fixed records while the witness is stopped. A CPU that had no
 * room for some records has one more, which says so.
 */
static bool get_record(loff_t number, struct witness_record *record)
{
	struct testimony *testimony;
	int cpu;

	for_each_possible_cpu(cpu) {
		testimony = per_cpu_ptr(&testimonies, cpu);
		if (number < smp_load_acquire(&testimony->count)) {
			*record = testimony->record[number];
			return true;
		}
		number -= testimony->count;
		if (!testimony->refused)
			continue;
		if (!number--) {
			*record = (struct witness_record){ .id = testimony->refused, .kind = WITNESS_FULL, .cpu = cpu };
			return true;
		}
	}
	return false;
}

static ssize_t witness_read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	struct witness_record record;
	size_t done;

	if (READ_ONCE(on))
		return -EBUSY;
	for (done = 0; done + sizeof(record) <= size; done += sizeof(record)) {
		if (!get_record(*at / sizeof(record), &record))
			break;
		if (copy_to_user(to + done, &record, sizeof(record)))
			return -EFAULT;
		*at += sizeof(record);
	}
	return done;
}

static const struct proc_ops witness_ops = {
	.proc_read = witness_read,
	.proc_write = witness_write,
	.proc_lseek = default_llseek,
};

static void leave_module(void)
{
	int i, cpu;

	proc_remove(entry);
	for (i = 0; i < ARRAY_SIZE(points); i++)
		if (points[i].registered)
			tracepoint_probe_unregister(points[i].point, points[i].probe, NULL);
	tracepoint_synchronize_unregister();
	for_each_possible_cpu(cpu)
		vfree(per_cpu_ptr(&testimonies, cpu)->record);
}

static int __init witness_init(void)
{
	int cpu, i, error = -ENOMEM;

	/* The compiler compares each probe with its tracepoint. */
	check_trace_callback_type_sched_switch(on_switch);
	check_trace_callback_type_irq_handler_entry(on_interrupt);
	check_trace_callback_type_sched_process_fork(on_fork);
	check_trace_callback_type_sched_process_exit(on_exit);
	for_each_possible_cpu(cpu) {
		per_cpu_ptr(&testimonies, cpu)->record = vzalloc(array_size(records, sizeof(struct witness_record)));
		if (!per_cpu_ptr(&testimonies, cpu)->record)
			goto out;
	}
	reset_testimony();
	for_each_kernel_tracepoint(find_point, NULL);
	for (i = 0; i < ARRAY_SIZE(points); i++) {
		error = points[i].point ? tracepoint_probe_register(points[i].point, points[i].probe, NULL) : -ENOENT;
		if (error)
			goto out;
		points[i].registered = true;
	}
	entry = proc_create("witness", 0600, NULL, &witness_ops);
	error = entry ? 0 : -ENOMEM;
out:
	if (error)
		leave_module();
	return error;
}

static void __exit witness_exit(void)
{
	leave_module();
}

module_init(witness_init);
module_exit(witness_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Witness for the tests of bcos_evlog");
