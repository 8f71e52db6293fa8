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
/* In kHz, as they were last; 0: never seen. */
struct bcos_limits {
	u32 core;
	unsigned int min, max;
};

static DEFINE_PER_CPU(struct bcos_limits, bcos_limits);

/* Of the CPUs of a core the first one speaks.  Under the policy's lock. */
static bool bcos_core_is_told(const struct cpufreq_policy *policy, unsigned int last)
{
	unsigned int cpu;

	for_each_cpu(cpu, policy->cpus) {
		if (cpu == last)
			return false;
		if (bcos_hotplug_core_of(cpu) == bcos_hotplug_core_of(last))
			return true;
	}
	return false;
}

/* The kernel sets limits again and again; what does not change is no news. */
void bcos_on_cpu_frequency_limits(void *data, struct cpufreq_policy *policy)
{
	struct bcos_limits *limits;
	unsigned int cpu;
	char text[80];
	int length;

	length = scnprintf(text, sizeof(text), "frequency limits %u to %u kHz", policy->min, policy->max);
	for_each_cpu(cpu, policy->cpus) {
		limits = per_cpu_ptr(&bcos_limits, cpu);
		if (limits->min == policy->min && limits->max == policy->max)
			continue;
		limits->min = policy->min;
		limits->max = policy->max;
		if (!bcos_core_is_told(policy, cpu))
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
	char text[160];
	int length;

	length = scnprintf(text, sizeof(text), "machine check on CPU %u, %s: bank %u, status %#llx",
			   check->extcpu, uncorrected ? "not corrected" : "corrected", check->bank, check->status);
	if (check->status & MCI_STATUS_ADDRV)
		length += scnprintf(text + length, sizeof(text) - length, ", address %#llx", check->addr);
	if (check->status & MCI_STATUS_MISCV)
		length += scnprintf(text + length, sizeof(text) - length, ", misc %#llx", check->misc);
	bcos_core_event(check->extcpu, uncorrected ? BCOS_SEVERITY_CRITICAL : BCOS_SEVERITY_ERROR, text, length);
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
