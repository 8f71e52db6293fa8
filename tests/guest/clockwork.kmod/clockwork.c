// SPDX-License-Identifier: GPL-2.0-only
/*
 * The clockwork: a driver for the frequency of all CPUs, which takes limits and does nothing else, and machine checks
 * that never were. Writing the number of a CPU to the parameter "check" makes a check that was corrected there. Only
 * x86 has machine checks.
 */
#include <linux/cpufreq.h>
#include <linux/module.h>
#ifdef CONFIG_X86_MCE
#include <asm/mce.h>
#endif

static int begin_policy(struct cpufreq_policy *policy)
{
	policy->cpuinfo.min_freq = policy->min = 1000000;
	policy->cpuinfo.max_freq = policy->max = 3000000;
	policy->cur = policy->max;
	policy->policy = CPUFREQ_POLICY_PERFORMANCE;
	return 0;
}

static int verify_policy(struct cpufreq_policy_data *policy)
{
	cpufreq_verify_within_cpu_limits(policy);
	return 0;
}

static int set_policy(struct cpufreq_policy *policy)
{
	return 0;
}

static struct cpufreq_driver driver = {
	.name = "clockwork",
	.init = begin_policy,
	.verify = verify_policy,
	.setpolicy = set_policy,
};

#ifdef CONFIG_X86_MCE
static int raise_check(const char *text, const struct kernel_param *unused)
{
	struct mce event = { .status = MCI_STATUS_VAL | MCI_STATUS_EN | MCI_STATUS_ADDRV | 0x9f, .addr = 0x1234,
			     .bank = 5 };
	u32 cpu;
	int error = kstrtou32(text, 0, &cpu);

	event.extcpu = cpu;
	event.cpuvendor = boot_cpu_data.x86_vendor;
	if (!error)
		mce_log(&event);
	return error;
}

static const struct kernel_param_ops check_operations = { .set = raise_check };

module_param_cb(check, &check_operations, NULL, 0200);
#endif

static int __init clockwork_init(void)
{
	return cpufreq_register_driver(&driver);
}

static void __exit clockwork_exit(void)
{
	cpufreq_unregister_driver(&driver);
}

module_init(clockwork_init);
module_exit(clockwork_exit);
MODULE_DESCRIPTION("Frequencies that can be limited, and machine checks that never were");
MODULE_LICENSE("GPL");
