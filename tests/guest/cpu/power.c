// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Power and performance of cores are those that the parameters state, or else follow from the clock rate, or else are
 * unknown.
 *
 * guest: cpus=2 timeout=60
 *
 * The oracle is /proc/cpuinfo, and arithmetic.
 */
#include "lib.h"

/* Returns the clock rate in MHz, or 0 if this machine does not tell it. */
static double clock_mhz(void)
{
	char text[8192], *at;

	if (read_file("/proc/cpuinfo", text, sizeof(text)) < 0)
		give_up("/proc/cpuinfo");
	at = strstr(text, "cpu MHz");
	if (!at)
		return 0;
	return strtod(strchr(at, ':') + 1, NULL);
}

/* Takes the log, and returns its first Core Online. */
static struct bcos_core_online core_now(uint32_t *performance)
{
	struct bcos_core_online core = { 0 };
	struct log log = log_take();

	for_each_entry(entry, &log) {
		if (entry->type != BCOS_HIST_CORE_ONLINE)
			continue;
		memcpy(&core, entry, sizeof(core));
		*performance = ((const struct bcos_core_online *)entry)->performance[0];
		break;
	}
	log_check(&log, "the log");
	log_free(&log);
	return core;
}

int main(void)
{
	struct bcos_core_online core;
	uint32_t performance = 0;
	double expected = clock_mhz() * 1000 / 8;

	load_module("");
	core = core_now(&performance);
	make_point(!core.idle_power && !core.power_difference, "power is unknown where nothing tells it");
	make_point(performance >= expected * 0.99 && performance <= expected * 1.01,
		   "performance is that of the clock (%u, %.0f)",
		   performance, expected);
	make_point(!(status_of(-1).flags & BCOS_STATUS_ESTIMATED) == !expected,
		   "and said to be an estimate, since nothing counts it here");
	unload_module();
	load_module("core_idle_mw=200000 core_busy_mw=300000 core_performance=123456");
	core = core_now(&performance);
	make_point(core.idle_power == 0xFFFF && core.power_difference == 0xFFFF, "power is what is stated (0x%X, 0x%X)",
		   core.idle_power, core.power_difference);
	make_point(performance == 123456, "performance is what is stated (%u)", performance);
	make_point(!(status_of(-1).flags & BCOS_STATUS_ESTIMATED), "and no estimate");
	unload_module();
	return finish_test();
}
