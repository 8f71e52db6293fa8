// SPDX-License-Identifier: GPL-2.0-only
/* Registers the probes of all tracepoints, by a table. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "core/capture/hook.h"
#include "probes.h"

struct bcos_probe {
	const char *name;
	u32 classes;		/* 0: always recorded */
	void *function;
	void *const *chosen;	/* used instead of @function if set */
	int order;		/* priority among the probes of one tracepoint, highest first */
	bool on;
	struct tracepoint *tracepoint;
};

#define BCOS_PROBE(hook, probe)		[BCOS_HOOK_##hook].function = bcos_on_##probe
#define BCOS_PROBE_CHOSEN(hook, probe)	[BCOS_HOOK_##hook].chosen = &bcos_on_##probe
/* These run before or after the other probes of the tracepoint. */
#define BCOS_PROBE_FIRST(hook, probe)	BCOS_PROBE(hook, probe), [BCOS_HOOK_##hook].order = 1
#define BCOS_PROBE_LAST(hook, probe)	BCOS_PROBE(hook, probe), [BCOS_HOOK_##hook].order = -1

/* The probe of each hook in core/capture/hook.h. */
static struct bcos_probe bcos_probes[BCOS_HOOK_COUNT] = {
#define BCOS_PROBE_HOOK(hook, tracepoint, bits)	\
	[BCOS_HOOK_##hook].name = #tracepoint, [BCOS_HOOK_##hook].classes = (bits),
	BCOS_HOOKS(BCOS_PROBE_HOOK)
	BCOS_PROBE(SWITCH, sched_switch),
	BCOS_PROBE_CHOSEN(EXIT, sched_process_exit),
	BCOS_PROBE_CHOSEN(VICTIM, mark_victim),
	BCOS_PROBE(SIGNAL, signal_generate),
	BCOS_PROBE(RENAME, task_rename),
	BCOS_PROBE(EXEC, sched_process_exec),
	BCOS_PROBE(FORK, sched_process_fork),
	BCOS_PROBE(CGROUP, cgroup_attach_task),
#ifdef CONFIG_CPU_FREQ
	BCOS_PROBE(LIMITS, cpu_frequency_limits),
#endif
	BCOS_PROBE(INTERRUPT, irq_handler_entry),
	BCOS_PROBE(CALL, sys_enter),
	BCOS_PROBE_LAST(KERNEL_ENTER, kernel_enter),
	BCOS_PROBE(KERNEL_EXIT, kernel_exit),
	BCOS_PROBE_LAST(SWITCH_INTO_KERNEL, switch_into_kernel),
	BCOS_PROBE_LAST(INTERRUPT_ENTER, interrupt_enter),
	BCOS_PROBE(INTERRUPT_EXIT, interrupt_exit),
	BCOS_PROBE(IDLE, cpu_idle),
	BCOS_PROBE_FIRST(SWITCH_STATE, switch_state),
	BCOS_PROBE(WAKING, sched_waking),
	BCOS_PROBE(WAKEUP_NEW, sched_waking),
	BCOS_PROBE(EXEC_STATE, exec_state),
	BCOS_PROBE(RENAME_THREAD, rename_thread),
	BCOS_PROBE(FORK_THREAD, fork_thread),
	BCOS_PROBE(LINE_ENTER, line_enter),
	BCOS_PROBE(LINE_EXIT, line_exit),
	BCOS_PROBE(SOFTIRQ_ENTER, softirq_enter),
	BCOS_PROBE(SOFTIRQ_EXIT, softirq_exit),
	BCOS_PROBE(TIMER_ENTER, timer_enter),
	BCOS_PROBE(TIMER_EXIT, timer_exit),
	BCOS_PROBE(BLOCK, block_rq_complete),
	BCOS_PROBE(TRANSMIT, net_dev_xmit),
	BCOS_PROBE(GRO_FRAGS, packet),
	BCOS_PROBE(GRO_RECEIVE, packet),
	BCOS_PROBE(RECEIVE, packet),
	BCOS_PROBE(RECEIVE_LIST, packet),
	BCOS_PROBE(RX, packet),
	BCOS_PROBE(REQUEST_END, request_end),
	BCOS_PROBE(REQUEST_ISSUE, block_rq_issue),
	BCOS_PROBE(REQUEST_START, block_io_start),
	BCOS_PROBE(REQUEST_START_OF_BIO, block_getrq),
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
		if (bcos_probes[i].tracepoint || bcos_hook_is_optional(i))
			continue;
		pr_err("this kernel lacks the tracepoint %s, which bcos_evlog requires\n",
		       bcos_probes[i].name);
		return -ENOENT;
	}
	/* Both would tell of the same requests. */
	if (bcos_probes[BCOS_HOOK_REQUEST_START].tracepoint)
		bcos_probes[BCOS_HOOK_REQUEST_START_OF_BIO].tracepoint = NULL;
	return 0;
}

static void *bcos_probe_function(const struct bcos_probe *probe)
{
	return probe->chosen ? *probe->chosen : probe->function;
}

static int bcos_probe_on(struct bcos_probe *probe)
{
	int error;

	if (probe->on || !probe->tracepoint || !bcos_probe_function(probe))
		return 0;
	error = tracepoint_probe_register_prio(probe->tracepoint, bcos_probe_function(probe), NULL,
					       TRACEPOINT_DEFAULT_PRIO + probe->order);
	if (error)
		pr_err("cannot register a probe for the tracepoint %s: error %d\n", probe->name,
		       error);
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
	return probe->classes & classes;
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

void bcos_probes_restate_threads(void)
{
	if (bcos_hooked & BCOS_CLASS_STATE)
		on_each_cpu(bcos_restate_thread, NULL, 1);
}

int bcos_probes_on(u32 classes)
{
	bool seen = bcos_hooked & BCOS_CLASSES_SWITCHES;
	int error;
	size_t i;

	if (!classes)
		return 0;
	bcos_hooked |= classes;
	WRITE_ONCE(bcos_threads_have_names, bcos_hooked & BCOS_CLASS_STATE);
	for (i = 0; i < ARRAY_SIZE(bcos_probes); i++) {
		if (!bcos_probe_is_of(&bcos_probes[i], classes))
			continue;
		error = bcos_probe_on(&bcos_probes[i]);
		if (error)
			return error;
	}
	if (!seen && classes & BCOS_CLASSES_SWITCHES) {
		/*
		 * When all CPUs run the new probe, each DEAD is recorded, so an EXIT need not be
		 * final.
		 */
		tracepoint_synchronize_unregister();
		WRITE_ONCE(bcos_exit_is_final, false);
		bcos_probes_restate();
	}
	if (classes & BCOS_CLASS_STATE)
		bcos_probes_restate_threads();
	return 0;
}

void bcos_probes_off(u32 classes)
{
	size_t i;

	if (!classes)
		return;
	bcos_hooked &= ~classes;
	WRITE_ONCE(bcos_threads_have_names, bcos_hooked & BCOS_CLASS_STATE);
	if (!(bcos_hooked & BCOS_CLASSES_SWITCHES))
		WRITE_ONCE(bcos_exit_is_final, true);
	for (i = 0; i < ARRAY_SIZE(bcos_probes); i++)
		if (bcos_probe_is_of(&bcos_probes[i], classes) &&
		    !bcos_probe_is_of(&bcos_probes[i], bcos_hooked))
			bcos_probe_off(&bcos_probes[i]);
	tracepoint_synchronize_unregister();
}

int bcos_probes_up(u32 classes)
{
	int error = bcos_probes_find();
	size_t i;

	bcos_hooked = classes;
	WRITE_ONCE(bcos_threads_have_names, classes & BCOS_CLASS_STATE);
	WRITE_ONCE(bcos_exit_is_final, !(classes & BCOS_CLASSES_SWITCHES));
	for (i = 0; !error && i < ARRAY_SIZE(bcos_probes); i++)
		if (!bcos_probes[i].classes || bcos_probe_is_of(&bcos_probes[i], classes))
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
