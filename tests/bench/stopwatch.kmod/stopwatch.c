// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the probes of other modules at the tracepoints that a process passes in its life: one probe before them
 * starts the watch, and one after them stops it. The difference between lives with and without probes would not show
 * this cost, since the cost of a life varies by more.
 *
 * The watch is for one CPU.  /sys/module/stopwatch/parameters/spent is the sum in cycles of the time stamp counter, or
 * of the counter of cycles of arm64's performance monitor. A number that is written there becomes the new sum.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#ifdef CONFIG_X86
#include <asm/msr.h>
#endif

static unsigned long spent;
module_param(spent, ulong, 0644);
MODULE_PARM_DESC(spent, "Cycles between the first and the last probe, since it was set");

static u64 started;

static struct point {
	const char *name;
	struct tracepoint *tracepoint;
	bool first, last;
} points[] = {
	{ "sched_process_fork" }, { "sched_process_exec" }, { "sched_process_exit" }, { "sched_switch" },
	{ "signal_generate" },	  { "task_rename" },
};

#ifdef CONFIG_X86

static void start_cycles(void)
{
}

static notrace u64 read_cycles(void)
{
	return rdtsc();
}

#elif defined(CONFIG_ARM64)

/* Starts the counter of cycles. The kernel uses it only while somebody counts cycles by perf. */
static void start_cycles(void)
{
	write_sysreg(read_sysreg(pmcr_el0) | 1, pmcr_el0);
	write_sysreg(BIT(31), pmcntenset_el0);
}

static notrace u64 read_cycles(void)
{
	isb();
	return read_sysreg(pmccntr_el0);
}

#else
#error "stopwatch knows no counter of cycles here"
#endif

/* The arguments of the tracepoints do not matter. */
static notrace void start_watch(void *data)
{
	started = read_cycles();
}

static notrace void stop_watch(void *data)
{
	WRITE_ONCE(spent, spent + read_cycles() - started);
}

static void find_point(struct tracepoint *tracepoint, void *data)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(points); i++)
		if (!strcmp(points[i].name, tracepoint->name))
			points[i].tracepoint = tracepoint;
}

static void unhook_points(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(points); i++) {
		if (points[i].last)
			tracepoint_probe_unregister(points[i].tracepoint, stop_watch, NULL);
		if (points[i].first)
			tracepoint_probe_unregister(points[i].tracepoint, start_watch, NULL);
	}
	tracepoint_synchronize_unregister();
}

static int hook_point(struct point *point)
{
	int error;

	if (!point->tracepoint)
		return -ENOENT;
	error = tracepoint_probe_register_prio(point->tracepoint, start_watch, NULL, INT_MAX);
	point->first = !error;
	if (error)
		return error;
	error = tracepoint_probe_register_prio(point->tracepoint, stop_watch, NULL, INT_MIN);
	point->last = !error;
	return error;
}

static int __init stopwatch_init(void)
{
	int error = 0;
	size_t i;

	start_cycles();
	for_each_kernel_tracepoint(find_point, NULL);
	for (i = 0; i < ARRAY_SIZE(points) && !error; i++)
		error = hook_point(&points[i]);
	if (error)
		unhook_points();
	return error;
}

static void __exit stopwatch_exit(void)
{
	unhook_points();
}

module_init(stopwatch_init);
module_exit(stopwatch_exit);
MODULE_DESCRIPTION("What probes take at the tracepoints of processes");
MODULE_LICENSE("GPL");
