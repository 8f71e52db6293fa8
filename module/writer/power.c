// SPDX-License-Identifier: GPL-2.0-only
/* Estimated power and performance of cores: see power.h. */
#include <linux/cpufreq.h>

#include "params.h"
#include "counter.h"
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

void bcos_power_estimate(u32 cpu, struct bcos_estimate *estimate)
{
	estimate->idle_mw = bcos_params.core_idle_mw;
	estimate->busy_mw = bcos_params.core_busy_mw;
	/* The estimate is one instruction per cycle; 125 us are 1/8 ms. */
	estimate->performance = bcos_params.core_performance ?: bcos_clock_rate(cpu) / 8;
	estimate->guessed = !bcos_params.core_performance && estimate->performance;
	bcos_count_of(cpu, estimate->counted);
}
