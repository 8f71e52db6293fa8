// SPDX-License-Identifier: GPL-2.0-only
/*
 * What cores are held to, and what goes wrong in them: limits of their
 * frequency, which is also how Linux throttles them, and machine checks.
 */
#include <linux/cpufreq.h>
#include <linux/kernel.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <trace/events/power.h>

#include "../hotplug.h"
#include "probes.h"

#ifdef CONFIG_X86_MCE
#include <asm/mce.h>
#endif

static void bcos_core_event(u32 cpu, u8 severity, const char *text, int length)
{
	struct bcos_raw raw = {
		.kind = BCOS_RAW_EVENT,
		.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_CORE, severity),
		.id = bcos_hotplug_core_of(cpu),
	};
	struct bcos_raw_event event = {};

	bcos_put_text(&raw, &event, text, length);
}

/* ---- limits ------------------------------------------------------------------------ */

#ifdef CONFIG_CPU_FREQ
/* In kHz, as was last said of a core: kept with the first of its CPUs. */
struct bcos_limits {
	unsigned int min, max;
};

static DEFINE_PER_CPU(struct bcos_limits, bcos_limits);

/*
 * The kernel sets limits again and again, and of CPUs of a core together or
 * one after the other; what does not change is no news.  Under a policy's lock:
 * where a core's CPUs have two, it may be said twice.
 */
void bcos_on_cpu_frequency_limits(void *data, struct cpufreq_policy *policy)
{
	struct bcos_limits *limits;
	unsigned int cpu, first;
	char text[80];
	int length = 0;

	for_each_cpu(cpu, policy->cpus) {
		first = cpumask_first(topology_sibling_cpumask(cpu));
		limits = per_cpu_ptr(&bcos_limits, first < nr_cpu_ids ? first : cpu);
		if (READ_ONCE(limits->min) == policy->min && READ_ONCE(limits->max) == policy->max)
			continue;
		WRITE_ONCE(limits->min, policy->min);
		WRITE_ONCE(limits->max, policy->max);
		if (!length)
			length = scnprintf(text, sizeof(text), "frequency limits %u to %u kHz",
					   policy->min, policy->max);
		bcos_core_event(cpu, BCOS_SEVERITY_INFO, text, length);
	}
}

static void __maybe_unused bcos_check_prototypes(void)
{
	check_trace_callback_type_cpu_frequency_limits(bcos_on_cpu_frequency_limits);
}
#endif

/* ---- machine checks ------------------------------------------------------------------ */

#ifdef CONFIG_X86_MCE
/* Those that the kernel survived; it tells them from a thread. */
static int bcos_on_machine_check(struct notifier_block *self, unsigned long unused, void *data)
{
	const struct mce *check = data;
	bool uncorrected = check->status & MCI_STATUS_UC;
	u32 cpu = check->extcpu;
	char text[160];
	int length;

	/* Firmware may blame a CPU that nobody knows, or that is gone: then any core has to say it. */
	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		cpu = cpumask_first(cpu_online_mask);

	length = scnprintf(text, sizeof(text), "machine check on CPU %d, %s: bank %u, status %#llx",
			   (int)check->extcpu, uncorrected ? "not corrected" : "corrected", check->bank, check->status);
	if (check->status & MCI_STATUS_ADDRV)
		length += scnprintf(text + length, sizeof(text) - length, ", address %#llx", check->addr);
	if (check->status & MCI_STATUS_MISCV)
		length += scnprintf(text + length, sizeof(text) - length, ", misc %#llx", check->misc);
	bcos_core_event(cpu, uncorrected ? BCOS_SEVERITY_CRITICAL : BCOS_SEVERITY_ERROR, text, length);
	return NOTIFY_DONE;
}

static struct notifier_block bcos_machine_checks = {
	.notifier_call = bcos_on_machine_check,
	.priority = MCE_PRIO_EARLY,
};

int bcos_core_up(void)
{
	mce_register_decode_chain(&bcos_machine_checks);
	return 0;
}

void bcos_core_down(void)
{
	mce_unregister_decode_chain(&bcos_machine_checks);
}
#else
int bcos_core_up(void)
{
	return 0;
}

void bcos_core_down(void)
{
}
#endif
