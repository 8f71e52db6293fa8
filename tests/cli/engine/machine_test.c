// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The BPF engine reads the IDs of cores from /sys, and guesses their performance. This test makes these trees up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/capture/performance.h"
#include "engine/machine.h"

static char folder[] = "/tmp/machine.XXXXXX";

static void write_sys(const char *path, const char *text)
{
	char command[512];

	snprintf(command, sizeof(command), "mkdir -p \"$(dirname 'sys/%s')\" && echo '%s' >'sys/%s'", path, text, path);
	assert_int_equal(system(command), 0);
}

static void say_of(unsigned int cpu, const char *file, long number)
{
	char path[128], text[32];

	snprintf(path, sizeof(path), "devices/system/cpu/cpu%u/%s", cpu, file);
	snprintf(text, sizeof(text), "%ld", number);
	write_sys(path, text);
}

static void say_place(unsigned int cpu, long package, long cluster, long core)
{
	say_of(cpu, "topology/physical_package_id", package);
	say_of(cpu, "topology/cluster_id", cluster);
	say_of(cpu, "topology/core_id", core);
}

static u32 core_of(u32 cpu)
{
	u32 core = 0xDEAD;

	assert_true(machine_core(cpu, &core));
	return core;
}

static int empty_machine(void **state)
{
	return system("rm -rf sys") || mkdir("sys", 0700);
}

/* A device tree has two packages of two clusters of two cores, and the first core has two CPUs. */
static void of_a_device_tree(void **state)
{
	write_sys("firmware/devicetree/base/cpus/cpu-map/socket0/name", "socket0");
	say_place(0, 0, 0, 0);
	say_place(1, 0, 0, 0);
	say_place(2, 0, 0, 1);
	say_place(3, 0, 1, 0);
	say_place(4, 0, 1, 1);
	say_place(5, 1, 0, 0);
	say_place(6, 1, 1, 1);
	assert_int_equal(core_of(0), 0x00000);
	assert_int_equal(core_of(1), 0x00000);
	assert_int_equal(core_of(2), 0x00001);
	assert_int_equal(core_of(3), 0x00100);
	assert_int_equal(core_of(4), 0x00101);
	assert_int_equal(core_of(5), 0x10000);
	assert_int_equal(core_of(6), 0x10101);
}

/* Tables of firmware number all cores of a package, and their clusters by numbers of another kind. */
static void of_tables(void **state)
{
	say_place(0, 36, 60, 0);
	say_place(1, 36, 320, 258);
	say_place(2, 36, 1, 2);
	assert_int_equal(core_of(0), 36 << 16);
	assert_int_equal(core_of(1), (36 << 16) + 258);
	assert_int_equal(core_of(2), (36 << 16) + 2);
}

/* An older kernel tells of no clusters, and a kernel without a map of the CPUs tells of no packages. */
static void of_little(void **state)
{
	write_sys("firmware/devicetree/base/cpus/cpu-map/cluster0/name", "cluster0");
	say_of(0, "topology/core_id", 3);
	say_of(0, "topology/physical_package_id", -1);
	say_place(1, 0, -1, 4);
	assert_int_equal(core_of(0), 3);
	assert_int_equal(core_of(1), 4);
	assert_false(machine_core(2, &(u32){ 0 }));
}

static void say_speed(unsigned int cpu, long capacity, long khz, long most)
{
	say_of(cpu, "cpu_capacity", capacity);
	say_of(cpu, "cpufreq/scaling_max_freq", khz);
	say_of(cpu, "cpufreq/cpuinfo_max_freq", most);
}

static u32 guess_of(u32 cpu)
{
	struct bcos_estimate estimate = { 0 };

	machine_estimate(cpu, &estimate);
	assert_int_equal(estimate.guessed, estimate.performance != 0);
	return estimate.performance;
}

static void big_and_little(void **state)
{
	write_sys("devices/system/cpu/possible", "0-2");
	say_speed(0, 256, 1200000, 1200000);
	say_speed(1, 256, 600000, 1200000);
	say_speed(2, 1024, 2400000, 2400000);
	assert_int_equal(guess_of(2), 300000u * BCOS_SCALING_FACTOR / 1000);
	assert_int_equal(guess_of(0), 300000u * BCOS_SCALING_FACTOR / 1000 / 4);
	assert_int_equal(guess_of(1), 300000u * BCOS_SCALING_FACTOR / 1000 / 8);
}

static void all_alike(void **state)
{
	write_sys("devices/system/cpu/possible", "0-1");
	say_of(0, "cpufreq/scaling_max_freq", 2400000);
	assert_int_equal(guess_of(0), 300000u * BCOS_SCALING_FACTOR / 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(of_a_device_tree, empty_machine),
		cmocka_unit_test_setup(of_tables, empty_machine),
		cmocka_unit_test_setup(of_little, empty_machine),
		cmocka_unit_test_setup(big_and_little, empty_machine),
		cmocka_unit_test_setup(all_alike, empty_machine),
	};
	int failed;

	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (system("rm -rf sys") || rmdir(folder))
		return 1;
	return failed;
}
