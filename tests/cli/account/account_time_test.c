// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the account: where it begins and ends, and the order of time. Logs and sums are made by hand. */
#include "account_made.h"

static void state_comes_from_the_group(void **state)
{
	const struct bcoslog_account_process *ten;

	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	ten = bcoslog_account_process(account, 10);
	assert_int_equal(find_cpu(0)->since, 100);
	assert_ptr_equal(find_cpu(0)->process, ten);
	assign_cpu(0, 1500, 20);
	apply_moment(2000);
	end_log();
	assert_int_equal(time_of(10), 500);
	assert_int_equal(time_of(20), 500);
	assert_uses(0, 1000, 0, 0, 0);
	assert_uses(1, 0, 0, 1000, 0);
	assert_int_equal(bcoslog_account_totals(account)->begin, 1000);
	assert_int_equal(bcoslog_account_totals(account)->end, 2000);
	assert_int_equal(bcoslog_account_totals(account)->online, 2000);
	assert_int_equal(bcoslog_account_totals(account)->turns, 1);
	assert_int_equal(find_cpu(0)->turns, 1);
	assert_false(ten->born);
}

static void a_window_cuts_what_goes_on(void **state)
{
	begin_in(1200, 1800);
	apply_group();
	apply_moment(1000);
	assign_cpu(0, 1500, 20);
	apply_moment(2000);
	end_log();
	assert_int_equal(time_of(10), 300);
	assert_int_equal(time_of(20), 300);
	assert_uses(1, 0, 0, 600, 0);
	assert_int_equal(bcoslog_account_totals(account)->begin, 1200);
	assert_int_equal(bcoslog_account_totals(account)->end, 1800);
	/* The core was online for the same time. */
	assert_int_equal(the_core()->online, 600);
	assert_int_equal(told.segments, 600);
}

static void a_window_after_the_log_is_empty(void **state)
{
	begin_in(5000, 6000);
	apply_group();
	apply_moment(1000);
	assign_cpu(0, 1500, 20);
	end_log();
	assert_int_equal(bcoslog_account_totals(account)->online, 0);
	assert_int_equal(bcoslog_account_totals(account)->turns, 0);
	assert_int_equal(time_of(10), 0);
}

static void no_entry_is_an_account_too(void **state)
{
	begin_in(0, 0);
	end_log();
	assert_int_equal(bcoslog_account_totals(account)->online, 0);
	assert_null(bcoslog_account_next_cpu(account, NULL));
	/* A group has no time of its own, either. */
	apply_group();
	end_log();
	assert_int_equal(bcoslog_account_totals(account)->online, 0);
	apply_moment(1000);
	end_log();
	assert_int_equal(bcoslog_account_totals(account)->begin, 1000);
	assert_int_equal(bcoslog_account_totals(account)->end, 1000);
	/* A window makes the account no longer than the log. */
	begin_in(500, 2000);
	apply_group();
	end_log();
	assert_int_equal(bcoslog_account_totals(account)->end, bcoslog_account_totals(account)->begin);
}

static void settling_changes_nothing(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	apply_moment(1300);
	bcoslog_account_settle(account);
	assert_int_equal(time_of(10), 300);
	bcoslog_account_settle(account);
	assert_int_equal(time_of(10), 300);
	apply_moment(1400);
	end_log();
	assert_int_equal(time_of(10), 400);
}

static void history_moves_no_time(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	apply_moment(1500);
	/* A group has an entry that is newer than the log: times end at the last entry that is not historical. */
	apply_group();
	apply_name(BCOS_HIST_SET_PROCESS_NAME, 20, 1500, "twenty");
	apply_word(BCOS_HIST_ASSIGN_CPU, 0, 9000, 10);
	end_log();
	assert_int_equal(bcoslog_account_totals(account)->end, 1500);
	assert_int_equal(time_of(10), 500);
}

static void at_equal_times_the_order_is_the_logs(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	assign_cpu(0, 1200, 20);
	assign_cpu(0, 1200, 0);
	assign_cpu(0, 1200, 10);
	assign_cpu(0, 1200, 20);
	apply_moment(1300);
	end_log();
	assert_int_equal(time_of(20), 100);
	assert_int_equal(time_of(10), 200);
	assert_int_equal(time_of(0), 0);
	assert_int_equal(bcoslog_account_process(account, 20)->turns, 2);
	assert_ptr_equal(find_cpu(0)->process, bcoslog_account_process(account, 20));
}

static void what_nothing_describes_is_skipped(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	/* Types and event IDs are reserved, but time goes on with them. */
	apply_entry(made_entry(&made, 0x4005, 0, 1100, NULL, 0));
	apply_entry(made_entry(&made, 0xC005, 0, 5000, "abc", 3));
	apply_entry(made_entry(&made, 0x0FFF, 10, 1200, "abcd", 4));
	cpu_event(0, 1300, 0x80000FFF, "lost 3 assignments: or so it seems");
	end_log();
	assert_uses(0, 300, 0, 0, 0);
	assert_int_equal(bcoslog_account_totals(account)->unnamed, 0);
	assert_int_equal(bcoslog_account_totals(account)->losses, 0);
	assert_int_equal(bcoslog_account_totals(account)->end, 1300);
}

static void times_are_the_earliest_possible(void **state)
{
	struct bcos_entry *entry;

	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	/* The assignment was between 1200 and 1700, and counts from 1200 on. */
	made_word(&made, BCOS_ASSIGN_CPU, 0, 1200, 20);
	entry = (struct bcos_entry *)made.word;
	entry->precision = 500;
	apply_entry(entry);
	/* A process that the module found when it was loaded began at some time since boot. */
	made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 30, 0, "thirty");
	entry->precision = 0xFFFFFFFF;
	apply_entry(entry);
	made_device(&made, BCOS_HIST_SET_DEVICE_NAME, 7, 0, 0, "sdb");
	entry->precision = 700;
	apply_entry(entry);
	apply_moment(1800);
	end_log();
	assert_int_equal(time_of(10), 200);
	assert_int_equal(time_of(20), 600);
	assert_int_equal(bcoslog_account_process(account, 30)->precision, 0xFFFFFFFF);
	assert_int_equal(bcoslog_account_process(account, 30)->start, 0);
	assert_int_equal(bcoslog_account_device(account, 7)->precision, 700);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(state_comes_from_the_group),
		TEST(a_window_cuts_what_goes_on),
		TEST(a_window_after_the_log_is_empty),
		TEST(no_entry_is_an_account_too),
		TEST(settling_changes_nothing),
		TEST(history_moves_no_time),
		TEST(at_equal_times_the_order_is_the_logs),
		TEST(what_nothing_describes_is_skipped),
		TEST(times_are_the_earliest_possible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
