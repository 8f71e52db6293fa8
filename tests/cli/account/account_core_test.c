// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the account: CPUs that come and go, performance and power of cores. Logs and sums are made by hand. */
#include "account_made.h"

static void an_offline_cpu_is_no_capacity(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	assign_cpu(1, 1200, IDLE);
	apply_entry(made_entry(&made, BCOS_CPU_OFFLINE, 1, 1300, NULL, 0));
	assert_false(find_cpu(1)->up);
	apply_word(BCOS_CPU_ONLINE, 1, 1600, 0);
	assign_cpu(1, 1600, IDLE);
	apply_moment(2000);
	end_log();
	assert_int_equal(find_cpu(1)->online, 700);
	assert_uses(1, 0, 0, 700, 0);
	assert_int_equal(bcoslog_account_totals(account)->online, 1700);
	/* Where both CPUs are busy, each executes 700 instructions in 125 us. */
	assert_float_equal(the_core()->capacity, (700.0 * 300 * 2 + 700.0 * 300 + 700.0 * 400 * 2) * 8000 / 1e9, 1e-9);
}

static void performance_and_power(void **state)
{
	const struct bcoslog_account_process *ten, *twenty;

	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	assign_cpu(1, 1400, 20);
	apply_moment(2000);
	end_log();
	ten = bcoslog_account_process(account, 10);
	twenty = bcoslog_account_process(account, 20);
	assert_float_equal(ten->work.instructions, (1000.0 * 400 + 700.0 * 600) * 8000 / 1e9, 1e-9);
	assert_float_equal(twenty->work.instructions, 700.0 * 600 * 8000 / 1e9, 1e-9);
	assert_float_equal(ten->work.joules, (300.0 * 400 + 150.0 * 600) * 2e-3 / 1e9, 1e-15);
	assert_float_equal(twenty->work.joules, 150.0 * 600 * 2e-3 / 1e9, 1e-15);
	assert_float_equal(the_core()->work.joules, 400.0 * 1000 * 2e-3 / 1e9, 1e-15);
	assert_float_equal(the_core()->work.instructions, (1000.0 * 400 + 1400.0 * 600) * 8000 / 1e9, 1e-9);
	assert_int_equal(ten->work.power_unknown, 0);
	assert_int_equal(ten->work.performance_unknown, 0);
	assert_false(ten->work.at_least);
	assert_int_equal(the_core()->idle, 0);
	assert_int_equal(told.segments, 1000);
}

static void estimates_hold_from_their_place_on(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	apply_moment(1300);
	/* The power becomes unknown, and the table has only the entry for one busy CPU. */
	apply_core(BCOS_CORE_ONLINE, 1300, 0, 0, 1);
	assign_cpu(1, 1500, 20);
	apply_moment(1600);
	apply_core(BCOS_HIST_CORE_ONLINE, 5, 0xFFFF, 0, 2);
	apply_moment(2000);
	/* A second assignment at the same time adds nothing. */
	assign_cpu(1, 2000, IDLE);
	assign_cpu(1, 2000, 20);
	end_log();
	/* One CPU is busy for 500 ns: 1000; both for 100 ns: the only entry is assumed; then both for 400 ns: 700. */
	assert_float_equal(bcoslog_account_process(account, 10)->work.instructions,
			   (1000.0 * 500 + 1000.0 * 100 + 700.0 * 400) * 8000 / 1e9, 1e-9);
	assert_int_equal(bcoslog_account_process(account, 10)->work.performance_assumed, 100);
	assert_int_equal(bcoslog_account_process(account, 20)->work.performance_assumed, 100);
	assert_int_equal(bcoslog_account_process(account, 10)->work.power_unknown, 300);
	/* The core's energy is a lower bound because of its idle power, of which no process has a part. */
	assert_false(bcoslog_account_process(account, 10)->work.at_least);
	assert_true(the_core()->work.at_least);
	assert_float_equal(the_core()->work.joules, (400.0 * 300 + 65535.0 * 400) * 2e-3 / 1e9, 1e-12);
	assert_int_equal(the_core()->work.power_unknown, 300);
}

static void a_new_difference_of_power_holds(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	apply_core(BCOS_CORE_ONLINE, 1500, 100, 500, 2);
	apply_moment(2000);
	end_log();
	assert_float_equal(bcoslog_account_process(account, 10)->work.joules, (300.0 * 500 + 500.0 * 500) * 2e-3 / 1e9,
			   1e-15);
}

static void a_table_of_nothing_is_unknown(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_core(BCOS_HIST_CORE_ONLINE, 5, 100, 300, 0);
	apply_moment(1000);
	apply_moment(2000);
	end_log();
	assert_int_equal(bcoslog_account_process(account, 10)->work.performance_unknown, 1000);
	assert_float_equal(bcoslog_account_process(account, 10)->work.joules, 300.0 * 1000 * 2e-3 / 1e9, 1e-15);
}

static void an_unknown_sibling_makes_work_unknown(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	cpu_event(1, 1200, BCOS_EVENT_LOSS, "lost 1 assignments: staging full, until 0.000001200 s");
	assign_cpu(1, 1700, IDLE);
	apply_moment(2000);
	end_log();
	assert_int_equal(bcoslog_account_process(account, 10)->work.performance_unknown, 500);
	assert_int_equal(bcoslog_account_process(account, 10)->work.power_unknown, 500);
	assert_int_equal(the_core()->work.power_unknown, 500);
}

static void a_cpu_may_come_again_to_another_core(void **state)
{
	const struct bcoslog_account_core *each = NULL;

	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	apply_entry(made_entry(&made, BCOS_CPU_OFFLINE, 1, 1200, NULL, 0));
	apply_entry(made_core(&made, BCOS_CORE_ONLINE, 1, 1500, 10, 20, performance, 1));
	apply_word(BCOS_CPU_ONLINE, 1, 1500, 1);
	assign_cpu(1, 1500, 20);
	apply_moment(2000);
	end_log();
	assert_int_equal(find_cpu(1)->core, 1);
	assert_int_equal(find_cpu(1)->start, 1500);
	assert_int_equal(find_cpu(1)->online, 700);
	assert_uses(1, 500, 0, 200, 0);
	while ((each = bcoslog_account_next_core(account, each)))
		assert_int_equal(each->cpus, 1);
	/* Process 20 is alone on its core, while 10 is alone on the other core. */
	assert_float_equal(bcoslog_account_process(account, 20)->work.instructions, 1000.0 * 500 * 8000 / 1e9, 1e-9);
	assert_float_equal(bcoslog_account_process(account, 20)->work.joules, 20.0 * 500 * 2e-3 / 1e9, 1e-15);
	assert_float_equal(bcoslog_account_process(account, 10)->work.instructions, 1000.0 * 1000 * 8000 / 1e9, 1e-9);
}

/* The sibling of the offline CPU has the core for itself from then on. */
static void an_offline_cpu_is_not_busy(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	assign_cpu(1, 1200, 20);
	apply_entry(made_entry(&made, BCOS_CPU_OFFLINE, 1, 1500, NULL, 0));
	apply_moment(2000);
	end_log();
	assert_float_equal(bcoslog_account_process(account, 10)->work.instructions,
			   (1000.0 * 200 + 700.0 * 300 + 1000.0 * 500) * 8000 / 1e9, 1e-9);
}

/* The CPU went to another core while the reader was overtaken, so only a group says so. */
static void a_group_may_state_another_core(void **state)
{
	const struct bcoslog_account_core *each = NULL;

	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	apply_entry(made_event(&made, BCOS_GENERIC_DEVICE, SELF, 1200, BCOS_EVENT_MISSED, BCOS_SEVERITY_ERROR,
			       "missed 5 entries"));
	apply_core(BCOS_HIST_CORE_ONLINE, 5, 100, 300, 2);
	apply_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, 1, 1250, 10, 20, performance, 1));
	apply_word(BCOS_HIST_CPU_ONLINE, 0, 5, 0);
	apply_word(BCOS_HIST_CPU_ONLINE, 1, 1250, 1);
	apply_name(BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel");
	apply_word(BCOS_HIST_ASSIGN_CPU, 0, 1260, IDLE);
	apply_word(BCOS_HIST_ASSIGN_CPU, 1, 1260, 0);
	apply_moment(1500);
	apply_moment(2000);
	end_log();
	assert_int_equal(find_cpu(1)->core, 1);
	assert_int_equal(find_cpu(1)->start, 1250);
	assert_int_equal(find_cpu(1)->time[BCOSLOG_USE_KERNEL], 500);
	while ((each = bcoslog_account_next_core(account, each)))
		assert_int_equal(each->cpus, 1);
}

/* The CPU comes to another core, although no entry has said that it left its core. */
static void a_cpu_may_come_to_another_core_at_once(void **state)
{
	const struct bcoslog_account_core *each = NULL;

	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	apply_entry(made_core(&made, BCOS_CORE_ONLINE, 1, 1500, 10, 20, performance, 1));
	apply_word(BCOS_CPU_ONLINE, 1, 1500, 1);
	assign_cpu(1, 1500, 20);
	apply_moment(2000);
	end_log();
	assert_int_equal(find_cpu(1)->core, 1);
	assert_int_equal(find_cpu(1)->online, 1000);
	assert_uses(1, 500, 0, 500, 0);
	while ((each = bcoslog_account_next_core(account, each)))
		assert_int_equal(each->cpus, 1);
	assert_float_equal(bcoslog_account_process(account, 20)->work.instructions, 1000.0 * 500 * 8000 / 1e9, 1e-9);
	assert_float_equal(bcoslog_account_process(account, 10)->work.instructions, 1000.0 * 1000 * 8000 / 1e9, 1e-9);
}

static void a_core_without_cpus_takes_nothing(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	apply_entry(made_entry(&made, BCOS_CPU_OFFLINE, 1, 1200, NULL, 0));
	apply_entry(made_entry(&made, BCOS_CPU_OFFLINE, 0, 1400, NULL, 0));
	apply_moment(2000);
	end_log();
	assert_int_equal(the_core()->online, 400);
	assert_float_equal(the_core()->work.joules, 400.0 * 400 * 2e-3 / 1e9, 1e-15);
	assert_int_equal(the_core()->work.power_unknown, 0);
}

static void power_without_limit_is_a_lower_bound(void **state)
{
	begin_in(0, 0);
	apply_group();
	/* The power of the idle core is known. A busy CPU takes 0xFFFF more, or above that. */
	apply_core(BCOS_HIST_CORE_ONLINE, 5, 7, 0xFFFF, 2);
	apply_moment(1000);
	assign_cpu(0, 1000, IDLE);
	assert_false(the_core()->work.at_least);
	apply_moment(1500);
	bcoslog_account_settle(account);
	assert_false(the_core()->work.at_least);
	assign_cpu(0, 1500, 20);
	apply_moment(1600);
	end_log();
	assert_true(the_core()->work.at_least);
	assert_true(bcoslog_account_process(account, 20)->work.at_least);
	assert_float_equal(the_core()->work.joules, (7.0 * 500 + 65542.0 * 100) * 2e-3 / 1e9, 1e-12);
	assert_int_equal(the_core()->idle, 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_offline_cpu_is_no_capacity),
		TEST(performance_and_power),
		TEST(estimates_hold_from_their_place_on), TEST(a_new_difference_of_power_holds),
		TEST(a_table_of_nothing_is_unknown),
		TEST(an_unknown_sibling_makes_work_unknown),
		TEST(a_cpu_may_come_again_to_another_core),
		TEST(an_offline_cpu_is_not_busy),
		TEST(a_cpu_may_come_to_another_core_at_once),
		TEST(a_group_may_state_another_core),
		TEST(a_core_without_cpus_takes_nothing),
		TEST(power_without_limit_is_a_lower_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
