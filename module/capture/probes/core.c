// SPDX-License-Identifier: GPL-2.0-only
/* Records events of cores: frequency limits, by which Linux also throttles, and machine checks. */
#include <linux/cpufreq.h>
#include <linux/notifier.h>
#include <trace/events/power.h>

#include "probes.h"

#ifdef CONFIG_X86_MCE
#include <asm/mce.h>
#endif

#ifdef CONFIG_CPU_FREQ
/* The kernel sets the same limits repeatedly; the log writer finds out which of them are new. */
void bcos_on_cpu_frequency_limits(void *data, struct cpufreq_policy *policy)
{
	struct bcos_raw_limits limits = { .least = policy->min, .most = policy->max };
	unsigned int cpu;

	for_each_cpu(cpu, policy->cpus) {
		struct bcos_raw raw = { .kind = BCOS_RAW_LIMITS, .units = 2, .id = cpu };

		bcos_put_anywhere(&raw, (const struct bcos_unit *)&limits);
	}
}

static void __maybe_unused bcos_check_prototypes(void)
{
	check_trace_callback_type_cpu_frequency_limits(bcos_on_cpu_frequency_limits);
}
#endif

/* ---- machine checks ------------------------------------------------------------------ */

#ifdef CONFIG_X86_MCE
/* Records a machine check that the kernel survived. The kernel calls this from a thread. */
static int bcos_on_machine_check(struct notifier_block *self, unsigned long unused, void *data)
{
	const struct mce *mce = data;
	struct bcos_raw raw = { .kind = BCOS_RAW_CHECK, .units = 3, .id = mce->extcpu };
	struct bcos_raw_check check = {
		.status = mce->status, .address = mce->addr, .misc = mce->misc, .bank = mce->bank,
	};

	bcos_put_anywhere(&raw, (const struct bcos_unit *)&check);
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
