// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bystander: two probes at each tracepoint that bcos_evlog uses, which do nothing. While a tracepoint has two
 * probes, the kernel adds and removes a third one without a change to its code. Some emulators do not survive for long
 * that code is replaced under load (scripts/lib/stale-code.sh).
 */
#include <linux/module.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#define PROBES 2

static struct {
	const char *name;
	struct tracepoint *point;
	int registered;
} points[] = {
	{ "sched_switch" }, { "sched_process_fork" }, { "sched_process_exec" }, { "sched_process_exit" },
	{ "task_rename" }, { "signal_generate" }, { "mark_victim" }, { "irq_handler_entry" },
};

/* The other arguments of a probe are in registers, where they may stay. */
static notrace void stand_by(void *data)
{
}

static void find_point(struct tracepoint *point, void *data)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(points); i++)
		if (!strcmp(points[i].name, point->name))
			points[i].point = point;
}

/* The two probes of a tracepoint differ by their data. */
static void *data_of_probe(int number)
{
	return &points[number];
}

static void leave_module(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(points); i++)
		while (points[i].registered)
			tracepoint_probe_unregister(points[i].point, stand_by, data_of_probe(--points[i].registered));
	tracepoint_synchronize_unregister();
}

static int __init bystander_init(void)
{
	int i, error;

	for_each_kernel_tracepoint(find_point, NULL);
	for (i = 0; i < ARRAY_SIZE(points); i++) {
		error = points[i].point ? 0 : -ENOENT;
		while (!error && points[i].registered < PROBES) {
			error = tracepoint_probe_register(points[i].point, stand_by,
							  data_of_probe(points[i].registered));
			points[i].registered += !error;
		}
		if (error) {
			leave_module();
			return error;
		}
	}
	return 0;
}

static void __exit bystander_exit(void)
{
	leave_module();
}

module_init(bystander_init);
module_exit(bystander_exit);
MODULE_DESCRIPTION("Probes of somebody else, for the tests of bcos_evlog");
MODULE_LICENSE("GPL");
