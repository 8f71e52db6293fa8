// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The performance of CPUs that nothing measures, from their clock rates and from what the kernel says of their speed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/capture/performance.h"

/* Converts instructions of this architecture into those of x86. */
static u32 scale_instructions(u32 instructions)
{
	return (u32)((u64)instructions * BCOS_SCALING_FACTOR / 1000);
}

static u32 guess_performance(u32 khz, u32 most_khz, u32 fastest_khz, u32 capacity)
{
	struct bcos_speed speed = { khz, most_khz, fastest_khz, capacity };

	return bcos_performance_guess(&speed);
}

static void an_instruction_a_clock(void **state)
{
	assert_int_equal(guess_performance(0, 0, 0, 0), 0);
	assert_int_equal(guess_performance(2400000, 0, 0, 0), scale_instructions(300000));
	assert_int_equal(guess_performance(2400000, 2400000, 0, 1024), scale_instructions(300000));
	assert_int_equal(guess_performance(2400000, 0, 2400000, 512), scale_instructions(300000));
	assert_int_equal(guess_performance(0, 2400000, 2400000, 1024), 0);
}

/* A CPU with half the clock rate and a quarter of the capacity does half the work in each clock. */
static void slower_cpus_do_less_in_a_clock(void **state)
{
	assert_int_equal(guess_performance(2400000, 2400000, 2400000, 1024), scale_instructions(300000));
	assert_int_equal(guess_performance(1200000, 1200000, 2400000, 256), scale_instructions(75000));
	/* This processor differs only in its rate. */
	assert_int_equal(guess_performance(1200000, 1200000, 2400000, 512), scale_instructions(150000));
}

/* The kernel states what a CPU can do at its highest clock rate, but the CPU may be limited to a lower one. */
static void limits_slow_down(void **state)
{
	assert_int_equal(guess_performance(1200000, 2400000, 2400000, 1024), scale_instructions(150000));
	assert_int_equal(guess_performance(600000, 1200000, 2400000, 256), scale_instructions(37500));
}

static void nothing_overflows(void **state)
{
	assert_true(guess_performance(0xFFFFFFFF, 1, 0xFFFFFFFF, 0xFFFFFFFF) > 0);
	assert_int_equal(guess_performance(0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 1024), scale_instructions(0x1FFFFFFF));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_instruction_a_clock),
		cmocka_unit_test(slower_cpus_do_less_in_a_clock),
		cmocka_unit_test(limits_slow_down),
		cmocka_unit_test(nothing_overflows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
