// SPDX-License-Identifier: GPL-2.0-only
/*
 * The floor of all costs: an empty probe at sched_switch, or one that reads the time and stores 24 bytes, which later
 * records overwrite.
 */
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>
#include <trace/events/sched.h>

#define RECORDS 65536

struct record {
	u64 time;
	u32 previous, next;
	u64 state;
};

static bool store;
module_param(store, bool, 0444);

static DEFINE_PER_CPU(struct record *, records);
static DEFINE_PER_CPU(u64, head);
static struct tracepoint *sched_switch;

static notrace void on_nothing(void *data, bool preempt, struct task_struct *previous, struct task_struct *next,
			       unsigned int state)
{
}

static notrace void on_switch(void *data, bool preempt, struct task_struct *previous, struct task_struct *next,
			      unsigned int state)
{
	struct record *record = this_cpu_read(records) + (this_cpu_inc_return(head) & (RECORDS - 1));

	record->time = ktime_get_mono_fast_ns();
	record->previous = previous->pid;
	record->next = next->pid;
	record->state = state;
}

static void *choose_probe(void)
{
	return store ? (void *)on_switch : (void *)on_nothing;
}

static void find_point(struct tracepoint *point, void *data)
{
	if (!strcmp(point->name, "sched_switch"))
		sched_switch = point;
}

static void free_records(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		vfree(per_cpu(records, cpu));
}

static int __init floor_init(void)
{
	int cpu, error;

	check_trace_callback_type_sched_switch(on_nothing);
	check_trace_callback_type_sched_switch(on_switch);
	for_each_kernel_tracepoint(find_point, NULL);
	if (!sched_switch)
		return -ENOENT;
	for_each_possible_cpu(cpu) {
		per_cpu(records, cpu) = vzalloc(array_size(RECORDS, sizeof(struct record)));
		if (!per_cpu(records, cpu)) {
			free_records();
			return -ENOMEM;
		}
	}
	error = tracepoint_probe_register(sched_switch, choose_probe(), NULL);
	if (error)
		free_records();
	return error;
}

static void __exit floor_exit(void)
{
	tracepoint_probe_unregister(sched_switch, choose_probe(), NULL);
	tracepoint_synchronize_unregister();
	free_records();
}

module_init(floor_init);
module_exit(floor_exit);
MODULE_DESCRIPTION("What no tracer of switches can be cheaper than");
MODULE_LICENSE("GPL");
