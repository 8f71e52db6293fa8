// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests the wall clock throughout a log: what it shows at a time, and when it showed one. Times are reckoned by hand; 1 s
 * since boot is 1001 s since 1970 unless the clock is set.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "bcoslog.h"
#include "state/clock.h"

#define S 1000000000ull

static struct bcoslog_clock *made;
static struct bcoslog_moments found;

static int set_up(void **state)
{
	made = bcoslog_clock_new();
	return made ? 0 : -1;
}

static int tear_down(void **state)
{
	bcoslog_clock_free(made);
	return 0;
}

static void read_clock(uint64_t boot, uint64_t utc, uint32_t precision)
{
	struct bcoslog_wall wall = { .boot = boot, .utc = utc, .precision = precision };

	assert_int_equal(bcoslog_clock_add(made, &wall), 0);
}

static void assert_found(uint64_t utc, uint64_t count, uint64_t first, uint64_t last)
{
	assert_int_equal(bcoslog_clock_find(made, utc, 10 * S, 100 * S, &found), count);
	assert_int_equal(found.count, count);
	assert_int_equal(found.first, first);
	assert_int_equal(found.last, last);
}

static void without_readings(void **state)
{
	struct bcoslog_clock_step step;

	assert_null(bcoslog_clock_at(made, 5));
	assert_int_equal(bcoslog_clock_wall(made, 5), 0);
	assert_found(5, 0, 0, 0);
	assert_false(bcoslog_clock_step(made, 0, &step));
	bcoslog_clock_free(NULL);
}

static void a_clock_that_nobody_sets(void **state)
{
	struct bcoslog_clock_step step;

	read_clock(20 * S, 1020 * S, 1);
	/* The machine was suspended for an hour, and states the clock again. */
	read_clock(3620 * S, 4620 * S, 1);
	/* Repeated within the precision, and corrected by less than a step. */
	read_clock(3630 * S, 4630 * S + 40, 50);
	read_clock(3640 * S, 4640 * S + 900000, 1);
	assert_int_equal(bcoslog_clock_wall(made, 0), 1000 * S);
	assert_int_equal(bcoslog_clock_wall(made, 15 * S), 1015 * S);
	assert_int_equal(bcoslog_clock_wall(made, 3635 * S), 4635 * S);
	assert_int_equal(bcoslog_clock_wall(made, 3641 * S), 4641 * S + 900000);
	assert_found(1010 * S, 1, 10 * S, 10 * S);
	assert_found(1100 * S, 1, 100 * S, 100 * S);
	/* Outside of the part, and before boot. */
	assert_found(1009 * S, 0, 9 * S, 9 * S);
	assert_found(1101 * S, 0, 101 * S, 101 * S);
	assert_found(999 * S, 0, 0, 0);
	assert_false(bcoslog_clock_step(made, 0, &step));
}

static void set_forward(void **state)
{
	struct bcoslog_clock_step step;

	read_clock(20 * S, 1020 * S, 1);
	read_clock(50 * S, 5050 * S, 1);
	assert_int_equal(bcoslog_clock_wall(made, 50 * S - 1), 1050 * S - 1);
	assert_int_equal(bcoslog_clock_wall(made, 50 * S), 5050 * S);
	assert_found(1049 * S, 1, 49 * S, 49 * S);
	assert_found(5060 * S, 1, 60 * S, 60 * S);
	/* The clock never showed 3000: later times come from 50 s on, and the last earlier one is just before. */
	assert_found(3000 * S, 0, 50 * S, 50 * S - 1);
	assert_found(900 * S, 0, 0, 0);
	assert_found(5200 * S, 0, 200 * S, 200 * S);
	assert_true(bcoslog_clock_step(made, 0, &step));
	assert_int_equal(step.time, 50 * S);
	assert_int_equal(step.from, 1050 * S);
	assert_int_equal(step.to, 5050 * S);
	assert_false(bcoslog_clock_step(made, 1, &step));
}

static void set_back(void **state)
{
	struct bcoslog_clock_step step;

	read_clock(20 * S, 1020 * S, 1);
	read_clock(50 * S, 1030 * S, 1);
	/* 1030 to 1050 were there twice, 20 s apart. */
	assert_found(1040 * S, 2, 40 * S, 60 * S);
	assert_found(1030 * S, 2, 30 * S, 50 * S);
	assert_found(1029 * S, 1, 29 * S, 29 * S);
	assert_found(1051 * S, 1, 71 * S, 71 * S);
	assert_found(1081 * S, 0, 101 * S, 101 * S);
	assert_true(bcoslog_clock_step(made, 0, &step));
	assert_int_equal(step.from, 1050 * S);
	assert_int_equal(step.to, 1030 * S);
}

/* A machine boots in the far future, and its clock is set right. The time before that is not between the two. */
static void set_back_from_the_future(void **state)
{
	read_clock(10 * S, 9010 * S, 1);
	read_clock(20 * S, 1020 * S, 1);
	assert_found(1050 * S, 1, 50 * S, 50 * S);
	assert_found(9015 * S, 1, 15 * S, 15 * S);
	/* All that the log has is later than 1000, or earlier than 9500. */
	assert_found(9500 * S, 0, 8500 * S, 8500 * S);
	assert_int_equal(bcoslog_clock_find(made, 1010 * S, 10 * S, 100 * S, &found), 0);
	assert_true(found.first < 10 * S);
	/* Between them: later ones begin with the log, earlier ones last until its end. */
	assert_int_equal(bcoslog_clock_find(made, 5000 * S, 10 * S, 100 * S, &found), 0);
	assert_true(found.first < 10 * S && found.last > 100 * S);
}

static void several_steps(void **state)
{
	struct bcoslog_clock_step step;

	read_clock(10 * S, 1010 * S, 1);
	read_clock(30 * S, 1020 * S, 1);
	read_clock(50 * S, 1025 * S, 1);
	/* A reading that is learnt again changes nothing. */
	read_clock(10 * S, 1010 * S, 1);
	read_clock(20 * S, 1020 * S, 1);
	read_clock(30 * S, 1020 * S, 1);
	assert_found(1027 * S, 3, 27 * S, 52 * S);
	assert_true(bcoslog_clock_step(made, 1, &step));
	assert_int_equal(step.time, 50 * S);
	assert_false(bcoslog_clock_step(made, 2, &step));
	/* The later one of two readings at the same time holds. */
	read_clock(50 * S, 2050 * S, 1);
	assert_int_equal(bcoslog_clock_wall(made, 50 * S), 2050 * S);
	assert_found(1027 * S, 2, 27 * S, 37 * S);
	/* Another log follows. */
	read_clock(35 * S, 7035 * S, 1);
	assert_int_equal(bcoslog_clock_wall(made, 50 * S), 7050 * S);
	assert_true(bcoslog_clock_step(made, 0, &step));
	assert_false(bcoslog_clock_step(made, 1, &step));
}

/* A step counts as one only if both precisions do not explain it. */
static void imprecise_readings(void **state)
{
	struct bcoslog_clock_step step;

	read_clock(10 * S, 1010 * S, 0xFFFFFFFF);
	read_clock(20 * S, 1022 * S, 1);
	assert_int_equal(bcoslog_clock_wall(made, 25 * S), 1027 * S);
	assert_false(bcoslog_clock_step(made, 0, &step));
	read_clock(30 * S, 1032 * S + 1000003, 1);
	assert_true(bcoslog_clock_step(made, 0, &step));
	read_clock(40 * S, 1042 * S + 2000005, 1);
	assert_false(bcoslog_clock_step(made, 1, &step));
}

static void times_at_the_ends_of_64_bits(void **state)
{
	read_clock(0, 0, 1);
	assert_int_equal(bcoslog_clock_wall(made, UINT64_MAX), UINT64_MAX);
	assert_int_equal(bcoslog_clock_find(made, UINT64_MAX, 0, UINT64_MAX, &found), 1);
	assert_int_equal(found.last, UINT64_MAX);
	assert_int_equal(bcoslog_clock_find(made, UINT64_MAX, 0, 5, &found), 0);
	assert_int_equal(found.first, UINT64_MAX);
	read_clock(UINT64_MAX, 5, 1);
	assert_int_equal(bcoslog_clock_wall(made, UINT64_MAX), 5);
	assert_int_equal(bcoslog_clock_find(made, 5, 0, UINT64_MAX, &found), 2);
}

static void learnt_from_entries(void **state)
{
	struct {
		struct bcos_generic event;
		char text[64];
	} said = { .event = { .header = { .size = 60, .type = 0x0010, .time = 5 * S, .precision = 1 },
			      .event_id = 0xC0000010, .severity = 0x40 } };

	memcpy((char *)&said + 0x19, "wall clock 1005.000000000", 25);
	assert_int_equal(bcoslog_clock_learn(made, &said.event.header), 1);
	assert_int_equal(bcoslog_clock_wall(made, 0), 1000 * S);
	assert_int_equal(bcoslog_clock_at(made, 0)->boot, 5 * S);
	said.event.event_id = 1;
	assert_int_equal(bcoslog_clock_learn(made, &said.event.header), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(without_readings, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_clock_that_nobody_sets, set_up, tear_down),
		cmocka_unit_test_setup_teardown(set_forward, set_up, tear_down),
		cmocka_unit_test_setup_teardown(set_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(set_back_from_the_future, set_up, tear_down),
		cmocka_unit_test_setup_teardown(several_steps, set_up, tear_down),
		cmocka_unit_test_setup_teardown(imprecise_readings, set_up, tear_down),
		cmocka_unit_test_setup_teardown(times_at_the_ends_of_64_bits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(learnt_from_entries, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
