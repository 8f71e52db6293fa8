// SPDX-License-Identifier: GPL-2.0-only
/* The table of tracepoints, and their registration. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "probes.h"

struct bcos_probe {
	const char *name;
	void *function;
	void *const *chosen;	/* used instead of @function if set */
	u32 class;		/* 0: always recorded */
	int order;		/* priority among the probes of one tracepoint, highest first */
	bool optional;		/* some kernels lack it */
	bool on;
	struct tracepoint *tracepoint;
};

#define BCOS_PROBE(tracepoint, bit) \
	{ .name = #tracepoint, .function = bcos_on_##tracepoint, .class = (bit) }
#define BCOS_PROBE_CHOSEN(tracepoint, bit) \
	{ .name = #tracepoint, .chosen = &bcos_on_##tracepoint, .class = (bit) }
#define BCOS_PROBE_SHARED(tracepoint, probe, bit) \
	{ .name = #tracepoint, .function = (probe), .class = (bit) }
/* These run before or after the other probes of the tracepoint. */
#define BCOS_PROBE_FIRST(tracepoint, probe, bit) \
	{ .name = #tracepoint, .function = (probe), .class = (bit), .order = 1 }
#define BCOS_PROBE_LAST(tracepoint, probe, bit) \
	{ .name = #tracepoint, .function = (probe), .class = (bit), .order = -1 }

/*
 * Probes are registered in this order, and each takes a while. Deaths precede births, so every
 * process whose birth is recorded has its death recorded, too.
 */
static struct bcos_probe bcos_probes[] = {
	BCOS_PROBE(sched_switch, BCOS_CLASSES_SWITCHES),
	BCOS_PROBE_CHOSEN(sched_process_exit, 0),
	BCOS_PROBE_CHOSEN(mark_victim, 0),
	BCOS_PROBE(signal_generate, 0),
	BCOS_PROBE(task_rename, 0),
	BCOS_PROBE(sched_process_exec, 0),
	BCOS_PROBE(sched_process_fork, 0),
#ifdef CONFIG_CPU_FREQ
	{ .name = "cpu_frequency_limits", .function = bcos_on_cpu_frequency_limits, .optional = true },
#endif
	BCOS_PROBE(irq_handler_entry, BCOS_CLASS_IRQ),
	BCOS_PROBE(sys_enter, BCOS_CLASS_API),
	BCOS_PROBE_LAST(sys_enter, bcos_on_kernel_enter, BCOS_CLASS_KERNEL_TIME),
	BCOS_PROBE_SHARED(sys_exit, bcos_on_kernel_exit, BCOS_CLASS_KERNEL_TIME),
	BCOS_PROBE_LAST(sched_switch, bcos_on_switch_into_kernel, BCOS_CLASS_KERNEL_TIME),
	BCOS_PROBE_LAST(irq_handler_entry, bcos_on_interrupt_enter, BCOS_CLASS_KERNEL_TIME),
	BCOS_PROBE_SHARED(irq_handler_exit, bcos_on_interrupt_exit, BCOS_CLASS_KERNEL_TIME),
	BCOS_PROBE(cpu_idle, BCOS_CLASS_IDLE),
	BCOS_PROBE_FIRST(sched_switch, bcos_on_switch_state, BCOS_CLASS_STATE),
	BCOS_PROBE(sched_wakeup, BCOS_CLASS_STATE),
	BCOS_PROBE(block_rq_complete, BCOS_CLASS_IO),
	BCOS_PROBE(net_dev_xmit, BCOS_CLASS_IO),
	BCOS_PROBE_SHARED(napi_gro_frags_entry, bcos_on_packet, BCOS_CLASS_IO),
	BCOS_PROBE_SHARED(napi_gro_receive_entry, bcos_on_packet, BCOS_CLASS_IO),
	BCOS_PROBE_SHARED(netif_receive_skb_entry, bcos_on_packet, BCOS_CLASS_IO),
	BCOS_PROBE_SHARED(netif_receive_skb_list_entry, bcos_on_packet, BCOS_CLASS_IO),
	BCOS_PROBE_SHARED(netif_rx_entry, bcos_on_packet, BCOS_CLASS_IO),
};

static u32 bcos_hooked;		/* classes that are registered */

bool bcos_who_on, bcos_exec_on;

static void bcos_probe_match(struct tracepoint *tracepoint, void *unused)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bcos_probes); i++)
		if (!strcmp(bcos_probes[i].name, tracepoint->name))
			bcos_probes[i].tracepoint = tracepoint;
}

static int bcos_probes_find(void)
{
	size_t i;

	for_each_kernel_tracepoint(bcos_probe_match, NULL);
	for (i = 0; i < ARRAY_SIZE(bcos_probes); i++) {
		if (bcos_probes[i].tracepoint || bcos_probes[i].optional)
			continue;
		pr_err("this kernel lacks the tracepoint %s, which bcos_evlog requires\n", bcos_probes[i].name);
		return -ENOENT;
	}
	return 0;
}

static void *bcos_probe_function(const struct bcos_probe *probe)
{
	return probe->chosen ? *probe->chosen : probe->function;
}

static int bcos_probe_on(struct bcos_probe *probe)
{
	int error;

	if (probe->on || !probe->tracepoint)
		return 0;
	error = tracepoint_probe_register_prio(probe->tracepoint, bcos_probe_function(probe), NULL,
					       TRACEPOINT_DEFAULT_PRIO + probe->order);
	if (error)
		pr_err("cannot register a probe for the tracepoint %s: error %d\n", probe->name, error);
	probe->on = !error;
	return error;
}

static void bcos_probe_off(struct bcos_probe *probe)
{
	if (probe->on)
		tracepoint_probe_unregister(probe->tracepoint, bcos_probe_function(probe), NULL);
	probe->on = false;
}

static bool bcos_probe_is_of(const struct bcos_probe *probe, u32 classes)
{
	return probe->class & classes;
}

static bool bcos_assign_is_on(void)
{
	return !READ_ONCE(bcos_exit_is_final);
}

void bcos_probes_restate(void)
{
	if (bcos_assign_is_on())
		on_each_cpu(bcos_restate_assignment, NULL, 1);
}

int bcos_probes_on(u32 classes)
{
	bool seen = bcos_hooked & BCOS_CLASSES_SWITCHES;
	int error;
	size_t i;

	if (!classes)
		return 0;
	bcos_hooked |= classes;
	for (i = 0; i < ARRAY_SIZE(bcos_probes); i++) {
		if (!bcos_probe_is_of(&bcos_probes[i], classes))
			continue;
		error = bcos_probe_on(&bcos_probes[i]);
		if (error)
			return error;
	}
	if (!seen && classes & BCOS_CLASSES_SWITCHES) {
		/* From here on every CPU records each DEAD, so an EXIT need not be final. */
		tracepoint_synchronize_unregister();
		WRITE_ONCE(bcos_exit_is_final, false);
		bcos_probes_restate();
	}
	return 0;
}

void bcos_probes_off(u32 classes)
{
	size_t i;

	if (!classes)
		return;
	bcos_hooked &= ~classes;
	if (!(bcos_hooked & BCOS_CLASSES_SWITCHES))
		WRITE_ONCE(bcos_exit_is_final, true);
	for (i = 0; i < ARRAY_SIZE(bcos_probes); i++)
		if (bcos_probe_is_of(&bcos_probes[i], classes) && !bcos_probe_is_of(&bcos_probes[i], bcos_hooked))
			bcos_probe_off(&bcos_probes[i]);
	tracepoint_synchronize_unregister();
}

int bcos_probes_up(u32 classes)
{
	int error = bcos_probes_find();
	size_t i;

	bcos_hooked = classes;
	WRITE_ONCE(bcos_exit_is_final, !(classes & BCOS_CLASSES_SWITCHES));
	for (i = 0; !error && i < ARRAY_SIZE(bcos_probes); i++)
		if (!bcos_probes[i].class || bcos_probe_is_of(&bcos_probes[i], classes))
			error = bcos_probe_on(&bcos_probes[i]);
	if (error)
		bcos_probes_down();
	return error;
}

void bcos_probes_down(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bcos_probes); i++)
		bcos_probe_off(&bcos_probes[i]);
}
