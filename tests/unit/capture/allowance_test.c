// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/capture/allowance.h limits events: over any stretch it lets through the events that the rate allows, and at most
 * as many more as the rate allows in a second. The test sets the clock.
 */
#include "core/capture/allowance.h"
#include "check.h"

#define SECOND 1000000000ull
#define BEGIN (100 * SECOND)

/* Tries one event each @gap ns for @stretch ns from @now on. Return: how many were let through. */
static u32 flood_allowance(struct bcos_allowance *allowance, u64 now, u64 stretch, u64 gap, u32 rate)
{
	u64 until = now + stretch;
	u32 said = 0;

	for (; now < until; now += gap)
		said += bcos_allowance_take(allowance, now, rate);
	return said;
}

static void test_begins_nearly_empty(void **state)
{
	struct bcos_allowance allowance;

	bcos_allowance_begin(&allowance, BEGIN, 1000);
	assert_int_equal(flood_allowance(&allowance, BEGIN, 1000, 1, 1000), 100);
	assert_int_equal(allowance.refused, 900);
	assert_int_equal(allowance.refused_since, BEGIN + 100);
}

static void test_rate(void **state)
{
	struct bcos_allowance allowance;
	u32 said;

	bcos_allowance_begin(&allowance, BEGIN, 1000);
	said = flood_allowance(&allowance, BEGIN, 10 * SECOND, 10000, 1000);
	assert_in_range(said, 10000 + 99, 10000 + 101);
	assert_int_equal(said + allowance.refused, 10 * SECOND / 10000);
}

static void test_rest(void **state)
{
	struct bcos_allowance allowance;

	bcos_allowance_begin(&allowance, BEGIN, 1000);
	assert_int_equal(flood_allowance(&allowance, BEGIN + SECOND / 2, 2000, 1, 1000), 600);
	/* A longer rest allows no more than the events of a second. */
	assert_int_equal(flood_allowance(&allowance, BEGIN + 1000 * SECOND, 2000, 1, 1000), 1000);
	assert_int_equal(allowance.refused, 2 * 2000 - 600 - 1000);
}

static void test_slow(void **state)
{
	struct bcos_allowance allowance;

	bcos_allowance_begin(&allowance, BEGIN, 1);
	assert_true(bcos_allowance_take(&allowance, BEGIN, 1));
	assert_in_range(flood_allowance(&allowance, BEGIN, 10 * SECOND, SECOND / 7, 1), 8, 9);
	bcos_allowance_begin(&allowance, BEGIN, 1000);
	assert_int_equal(flood_allowance(&allowance, BEGIN, 10 * SECOND, SECOND / 999, 1000), 9991);
	assert_int_equal(allowance.refused, 0);
}

static void test_no_limit(void **state)
{
	struct bcos_allowance allowance;

	bcos_allowance_begin(&allowance, BEGIN, 0);
	assert_int_equal(flood_allowance(&allowance, BEGIN, 100000, 1, 0), 100000);
	assert_int_equal(allowance.refused, 0);
	/* A rate that is set later takes effect. */
	assert_int_equal(flood_allowance(&allowance, BEGIN + 100000, 100000, 1, 1000), 100);
}

static void test_back_in_time(void **state)
{
	struct bcos_allowance allowance;

	bcos_allowance_begin(&allowance, BEGIN, 1000);
	assert_int_equal(flood_allowance(&allowance, BEGIN, 200, 1, 1000), 100);
	assert_int_equal(flood_allowance(&allowance, BEGIN - SECOND, 200, 1, 1000), 0);
	assert_int_equal(flood_allowance(&allowance, BEGIN + SECOND / 10, 200, 1, 1000), 100);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_begins_nearly_empty),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_slow),
		cmocka_unit_test(test_no_limit),
		cmocka_unit_test(test_back_in_time),
	};

	return cmocka_run_group_tests_name("allowance", tests, NULL, NULL);
}
