// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The machine has two clusters in one package, each with cores 0 and 1, and the CPUs of the second cluster are half as
 * fast: the cores have IDs of their own, which they keep, and estimates that differ. clockwork.kmod gives all CPUs one
 * clock rate.
 *
 * guest: cpus=4 capacity=1024,1024,512,512 qemu=-smp;sockets=1,clusters=2,cores=2,threads=1 kernels=6.1-arm64,6.12-arm64 also=6.1
 * guest: cpus=4 capacity=1024,1024,512,512 qemu=-smp;sockets=1,clusters=2,cores=2,threads=1 kernels=6.1-arm64,6.12-arm64 also=6.1 engine=bpf
 */
#include "device.h"

#define CPUS 4
#define BIG (3000000 / 8)	/* an instruction a clock at 3 GHz, in 125 us */

static const uint32_t core_of[CPUS] = { 0x000, 0x001, 0x100, 0x101 };

static struct log everything;

static void take_everything(void)
{
	log_free(&everything);
	everything = log_take();
}

/* Does each CPU Online name the core that the CPU has? Counts these entries by CPU. */
static bool cores_are_right(unsigned int *times)
{
	bool right = true;

	memset(times, 0, CPUS * sizeof(*times));
	take_everything();
	for_each_entry(entry, &everything) {
		if ((entry->type & ~BCOS_TYPE_HISTORICAL) != BCOS_CPU_ONLINE)
			continue;
		if (entry->source >= CPUS || entry_word(entry) != core_of[entry->source]) {
			print_note("CPU %u is of core 0x%x", entry->source, entry_word(entry));
			right = false;
		} else {
			times[entry->source]++;
		}
	}
	return right;
}

static uint32_t performance_of(uint32_t core)
{
	uint32_t performance = 0;

	take_everything();
	for_each_entry(entry, &everything)
		if ((entry->type & ~BCOS_TYPE_HISTORICAL) == BCOS_CORE_ONLINE && entry->source == core &&
		    entry->size > sizeof(struct bcos_core_online))
			performance = ((const struct bcos_core_online *)entry)->performance[0];
	return performance;
}

static bool is_near(double figure, double expected)
{
	return figure > expected * 0.99 && figure < expected * 1.01;
}

static void set_online(int cpu, bool online)
{
	char path[80];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	if (!write_file(path, "%d", online))
		give_up("%s", path);
}

int main(void)
{
	unsigned int times[CPUS], before;
	double big, little, neighbour, other;

	load_other("clockwork", "");
	/* Little else is recorded, so that the log is read quickly. */
	load_module("mask=assign");
	make_point(cores_are_right(times) && times[0] && times[1] && times[2] && times[3],
		   "each CPU has a core of its own");
	before = times[3];
	set_online(3, false);
	set_online(3, true);
	WAIT_FOR(!cores_are_right(times) || times[3] > before);
	make_point(cores_are_right(times), "which it keeps when it goes and comes");

	big = performance_of(core_of[0]);
	little = performance_of(core_of[2]);
	/* This test does not judge the factor of the specification. */
	make_point(big > BIG * 0.5 && big < BIG * 1.5, "a fast core executes an instruction a clock (%.0f)", big);
	make_point(is_near(little, big / 2), "and a slow one half as many (%.0f)", little);
	neighbour = performance_of(core_of[1]);
	other = performance_of(core_of[3]);
	make_point(is_near(neighbour, big) && is_near(other, little), "as its neighbour in the cluster (%.0f and %.0f)",
		   neighbour, other);
	if (!write_file("/sys/devices/system/cpu/cpu2/cpufreq/scaling_max_freq", "%d", 1500000))
		give_up("scaling_max_freq");
	WAIT_FOR(performance_of(core_of[2]) < little * 0.9);
	make_point(is_near(performance_of(core_of[2]), little / 2),
		   "or less, while it may not run as fast as it could");
	log_check(&everything, "the log");
	unload_module();
	unload_other("clockwork");
	return finish_test();
}
