// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests userspace/lib/engine/counters.c: what it concludes about cores from counters that this test turns by hand.  At
 * 1 GHz, one instruction for each clock is 125000 instructions in 125 us.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/counters.h"

#define CPUS 4
#define SECOND 1000000000ull

static struct {
	struct counter_reading reading;
	u64 idle;
	int error;			/* with which opening the counter fails, or 0 */
	bool open;
} machine[CPUS];

static int opened;

static int test_open(u32 cpu)
{
	if (machine[cpu].error)
		return machine[cpu].error;
	assert_false(machine[cpu].open);
	machine[cpu].open = true;
	opened++;
	return (int)cpu + 100;
}

static int test_read(int fd, struct counter_reading *now)
{
	assert_true(machine[fd - 100].open);
	*now = machine[fd - 100].reading;
	return 0;
}

static void test_close(int fd)
{
	assert_true(machine[fd - 100].open);
	machine[fd - 100].open = false;
	opened--;
}

static int test_idle(u64 *ns, u32 cpus)
{
	u32 cpu;

	for (cpu = 0; cpu < cpus; cpu++)
		ns[cpu] = machine[cpu].idle;
	return 0;
}

static const struct counters_source source = {
	.open = test_open, .read = test_read, .close = test_close, .idle = test_idle,
};

/* Lets a CPU execute so many instructions in a second of which it was busy for @busy ns. */
static void count_turn(u32 cpu, u64 instructions, u64 busy)
{
	machine[cpu].reading.instructions += instructions;
	machine[cpu].reading.enabled += SECOND;
	machine[cpu].reading.running += SECOND;
	machine[cpu].idle += SECOND - busy;
}

static struct counters counters;
static u64 now;

static int set_up(void **state)
{
	(void)state;
	memset(machine, 0, sizeof(machine));
	memset(&counters, 0, sizeof(counters));
	opened = 0;
	now = 5 * SECOND;
	counters_begin(&counters, &source, CPUS);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	counters_end(&counters);
	assert_int_equal(opened, 0);
	return 0;
}

static void look_at_cores(u32 core0, u32 core1, u32 core2, u32 core3)
{
	u32 core[CPUS] = { core0, core1, core2, core3 };

	counters_look(&counters, core, now);
	now += SECOND;
}

static void assert_counted(u32 cpu, u32 one, u32 two)
{
	u32 counted[BCOS_SIBLINGS];

	counters_of(&counters, cpu, counted);
	assert_int_equal(counted[0], one);
	assert_int_equal(counted[1], two);
}

/* Each core has one CPU. Two looks suffice, and so does an eighth of a second of work, also at twice the pace. */
static void cores_of_one_cpu(void **state)
{
	(void)state;
	look_at_cores(10, 11, 12, 13);
	assert_int_equal(opened, CPUS);
	assert_counted(0, 0, 0);
	count_turn(0, 1000000000, SECOND);
	count_turn(1, 250000000, SECOND / 8);
	count_turn(2, 0, 0);
	count_turn(3, 1000000, SECOND / 100);
	look_at_cores(10, 11, 12, 13);
	assert_counted(0, 125000, 0);
	assert_counted(1, 250000, 0);
	assert_counted(2, 0, 0);
	/* A hundredth of a second is too little to tell. */
	assert_counted(3, 0, 0);
}

/* CPUs 0 and 2 are siblings, as Linux numbers them. The counts of their core hold for both. */
static void siblings_share_counts(void **state)
{
	(void)state;
	look_at_cores(10, 11, 10, 11);
	count_turn(0, 2000000000, SECOND);
	count_turn(2, 0, 0);
	count_turn(1, 1000000000, SECOND);
	count_turn(3, 1400000000, SECOND);
	look_at_cores(10, 11, 10, 11);
	assert_counted(0, 250000, 0);
	assert_counted(2, 250000, 0);
	assert_counted(1, 0, 150000);
	assert_counted(3, 0, 150000);
	count_turn(0, 1000000000, SECOND);
	count_turn(2, 1000000000, SECOND);
	/* It is not certain how many CPUs of the core were busy at a time. */
	count_turn(1, 100000000, SECOND / 2);
	count_turn(3, 100000000, SECOND / 2);
	look_at_cores(10, 11, 10, 11);
	assert_counted(0, 250000, 125000);
	assert_counted(1, 0, 150000);
}

/* An interval in which others had the counter tells nothing, and neither does the beginning of the next interval. */
static void shared_with_others(void **state)
{
	(void)state;
	look_at_cores(10, 11, 12, 13);
	count_turn(0, 1000000000, SECOND);
	machine[0].reading.running -= SECOND / 2;
	look_at_cores(10, 11, 12, 13);
	assert_counted(0, 0, 0);
	machine[0].reading.running = machine[0].reading.enabled;
	count_turn(0, 1000000000, SECOND);
	look_at_cores(10, 11, 12, 13);
	assert_counted(0, 0, 0);
	count_turn(0, 500000000, SECOND);
	look_at_cores(10, 11, 12, 13);
	assert_counted(0, 62500, 0);
}

/* Idle time that is not known does not count as work. */
static void idle_is_not_known(void **state)
{
	(void)state;
	machine[0].idle = ~0ull;
	look_at_cores(10, 11, 12, 13);
	machine[0].reading.instructions += 1000000000;
	look_at_cores(10, 11, 12, 13);
	assert_counted(0, 0, 0);
}

/* A CPU that goes offline closes its counter, and begins anew when it comes. The counts of its core stay. */
static void offline_begins_anew(void **state)
{
	(void)state;
	look_at_cores(10, 11, 12, 13);
	count_turn(1, 1000000000, SECOND);
	look_at_cores(10, 11, 12, 13);
	assert_counted(1, 125000, 0);
	look_at_cores(10, COUNTERS_OFFLINE, 12, 13);
	assert_false(machine[1].open);
	assert_int_equal(opened, CPUS - 1);
	count_turn(1, 4000000000, SECOND);
	look_at_cores(10, 11, 12, 13);
	assert_true(machine[1].open);
	assert_counted(1, 125000, 0);
}

/* If the machine has no such counter or refuses it, the library asks once, and keeps nothing open. */
static void none_on_this_machine(void **state)
{
	static const int errors[] = { -ENOENT, -EOPNOTSUPP, -EACCES, -EPERM, -ENOSYS, -EMFILE };
	size_t i;

	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		tear_down(state);
		set_up(state);
		machine[2].error = errors[i];
		look_at_cores(10, 11, 12, 13);
		assert_int_equal(opened, 0);
		machine[2].error = 0;
		count_turn(0, 1000000000, SECOND);
		look_at_cores(10, 11, 12, 13);
		assert_int_equal(opened, 0);
		assert_counted(0, 0, 0);
	}
}

/* A CPU that is just going offline is asked again. */
static void not_at_this_moment(void **state)
{
	(void)state;
	machine[2].error = -ENODEV;
	look_at_cores(10, 11, 12, 13);
	assert_int_equal(opened, CPUS - 1);
	machine[2].error = 0;
	look_at_cores(10, 11, 12, 13);
	assert_int_equal(opened, CPUS);
	count_turn(2, 1000000000, SECOND);
	look_at_cores(10, 11, 12, 13);
	assert_counted(2, 125000, 0);
}

/* The kernel's own source gives idle time as /proc/stat has it, and a descriptor of a counter or an error. */
static void of_the_kernel(void **state)
{
	struct counter_reading reading;
	u64 idle[1];
	int fd;

	(void)state;
	assert_int_equal(counters_of_kernel.idle(idle, 1), 0);
	assert_true(idle[0] != ~0ull);
	fd = counters_of_kernel.open(0);
	if (fd < 0) {
		print_message("# this machine lets nobody count instructions: %s\n", strerror(-fd));
		return;
	}
	assert_int_equal(counters_of_kernel.read(fd, &reading), 0);
	assert_true(reading.enabled >= reading.running);
	counters_of_kernel.close(fd);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(cores_of_one_cpu), TEST(siblings_share_counts), TEST(shared_with_others), TEST(idle_is_not_known),
		TEST(offline_begins_anew), TEST(none_on_this_machine), TEST(not_at_this_moment), TEST(of_the_kernel),
	};

	return cmocka_run_group_tests_name("counters", tests, NULL, NULL);
}
