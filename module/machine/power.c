// SPDX-License-Identifier: GPL-2.0-only
/* Estimates power and performance of cores: see power.h. */
#include <linux/cpufreq.h>
#include <linux/sched/topology.h>

#include "core/capture/performance.h"
#include "counter.h"
#include "params.h"
#include "power.h"

#ifdef CONFIG_X86
#include <asm/tsc.h>
#endif

/* Returns the clock rate in kHz, 0 if unknown. */
static unsigned int bcos_clock_rate(u32 cpu)
{
	unsigned int khz = cpufreq_quick_get_max(cpu);

#ifdef CONFIG_X86
	if (!khz)
		khz = cpu_khz;
#endif
	return khz;
}

/* Asks the kernel how CPUs differ in speed, on architectures that let modules ask. */
static void bcos_compare_speed(u32 cpu, struct bcos_speed *speed)
{
#ifdef CONFIG_GENERIC_ARCH_TOPOLOGY
	unsigned int other;

	speed->most_khz = cpufreq_get_hw_max_freq(cpu);
	speed->capacity = arch_scale_cpu_capacity(cpu);
	for_each_possible_cpu(other) {
		if (arch_scale_cpu_capacity(other) == BCOS_CAPACITY)
			speed->fastest_khz = cpufreq_get_hw_max_freq(other);
		if (speed->fastest_khz)
			return;
	}
#endif
}

static u32 bcos_performance_of(u32 cpu)
{
	struct bcos_speed speed = { .khz = bcos_clock_rate(cpu) };

	if (bcos_params.core_performance)
		return bcos_params.core_performance;
	bcos_compare_speed(cpu, &speed);
	return bcos_performance_guess(&speed);
}

void bcos_power_estimate(u32 cpu, struct bcos_estimate *estimate)
{
	estimate->idle_mw = bcos_params.core_idle_mw;
	estimate->busy_mw = bcos_params.core_busy_mw;
	estimate->performance = bcos_performance_of(cpu);
	estimate->guessed = !bcos_params.core_performance && estimate->performance;
	bcos_count_of(cpu, estimate->counted);
}
