// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the account: losses before or after the window leave its sums exact. Logs and sums are made by hand. */
#include "account_made.h"

/* Applies a loss on CPU 0 that lasts from 1200 to 1300. */
static void lose_some(const char *what)
{
	char text[96];

	snprintf(text, sizeof(text), "lost 3 %s: staging full, until 0.000001300 s", what);
	made_event(&made, BCOS_GENERIC_CPU, 0, 1200, BCOS_EVENT_LOSS, BCOS_SEVERITY_ERROR, text);
	((struct bcos_entry *)made.word)->precision = 100;
	apply_entry((struct bcos_entry *)made.word);
}

static void assert_exact(void)
{
	assert_int_equal(bcoslog_account_totals(account)->lost, 0);
	assert_int_equal(told.unknown, 0);
	assert_false(bcoslog_account_process(account, 10)->at_least);
	assert_false(bcoslog_account_process(account, 20)->at_least);
	assert_false(bcoslog_account_device(account, 0)->at_least);
	assert_false(bcoslog_account_device(account, ETH)->at_least);
}

/* Each kind of loss is over before the window begins, as is what it hides. */
static void a_loss_before_the_window_leaves_it_exact(void **state)
{
	static const char *const kinds[] = {
		"assignments", "births and deaths", "interrupts", "transfers", "user events", "kernel calls", "devices",
		"events",
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		begin_in(1500, 0);
		apply_group();
		apply_moment(1000);
		lose_some(kinds[i]);
		assign_cpu(0, 1400, 20);
		apply_moment(2000);
		end_log();
		assert_exact();
		assert_int_equal(bcoslog_account_totals(account)->losses, 1);
		assert_uses(0, 500, 0, 0, 0);
		assert_uses(1, 0, 0, 500, 0);
		assert_int_equal(time_of(20), 500);
	}
}

/* The window ends before the loss. */
static void a_loss_after_the_window_leaves_it_exact(void **state)
{
	begin_in(0, 1100);
	apply_group();
	apply_moment(1000);
	lose_some("events");
	apply_moment(2000);
	end_log();
	assert_exact();
	assert_uses(0, 100, 0, 0, 0);
}

/* The loss is over before the window, and the next assignment comes in it. */
static void a_use_is_lost_until_the_next_assignment(void **state)
{
	begin_in(1500, 0);
	apply_group();
	apply_moment(1000);
	lose_some("assignments");
	apply_name(BCOS_SET_PROCESS_NAME, 30, 1550, "thirty");
	assign_cpu(0, 1600, 20);
	apply_name(BCOS_SET_PROCESS_NAME, 40, 1700, "forty");
	apply_moment(2000);
	end_log();
	assert_uses(0, 400, 0, 0, 100);
	assert_int_equal(bcoslog_account_totals(account)->lost, BCOSLOG_LOST_ASSIGNMENTS);
	assert_true(bcoslog_account_process(account, 10)->at_least);
	/* Process 30 may have run on CPU 0 before the assignment. */
	assert_true(bcoslog_account_process(account, 30)->at_least);
	assert_false(bcoslog_account_process(account, 40)->at_least);
	assert_false(bcoslog_account_device(account, 0)->at_least);
}

/* A process that ends before the next assignment has a lower bound, too. */
static void who_ends_meanwhile_is_a_lower_bound(void **state)
{
	begin_in(1500, 0);
	apply_group();
	apply_moment(1000);
	lose_some("assignments");
	apply_name(BCOS_SET_PROCESS_NAME, 30, 1550, "thirty");
	apply_word(BCOS_CANCEL_PROCESS_NAME, 30, 1580, 0);
	assert_true(told.last_ended.at_least);
	assign_cpu(0, 1600, 20);
	apply_word(BCOS_CANCEL_PROCESS_NAME, 10, 1700, 0);
	assert_true(told.last_ended.at_least);
	end_log();
}

/* The loss ends in the window. */
static void lost_transfers_reach_into_the_window(void **state)
{
	begin_in(1250, 0);
	apply_group();
	apply_moment(1000);
	lose_some("transfers");
	apply_device(BCOS_SET_DEVICE_NAME, 1, 1290, "sdb");
	apply_device(BCOS_SET_DEVICE_NAME, 2, 1310, "sdc");
	apply_moment(2000);
	end_log();
	assert_int_equal(bcoslog_account_totals(account)->lost, BCOSLOG_LOST_TRANSFERS);
	assert_int_equal(told.unknown_begin, 1250);
	assert_int_equal(told.unknown_end, 1300);
	assert_true(bcoslog_account_device(account, 0)->at_least);
	assert_true(bcoslog_account_device(account, 1)->at_least);
	assert_false(bcoslog_account_device(account, 2)->at_least);
	assert_false(bcoslog_account_process(account, 10)->at_least);
	assert_uses(0, 750, 0, 0, 0);
}

/* A class was off, and is on again before the window. */
static void a_class_that_was_off_before_the_window(void **state)
{
	begin_in(1500, 0);
	apply_group();
	apply_moment(1000);
	cpu_event(0, 1100, BCOS_EVENT_MASK, "class mask 0x1f -> 0x1c: assign, irq off");
	cpu_event(0, 1200, BCOS_EVENT_MASK, "class mask 0x1c -> 0x0c: io off");
	cpu_event(0, 1300, BCOS_EVENT_MASK, "class mask 0x0c -> 0x1f: assign, irq, io on");
	assign_cpu(0, 1300, 10);
	assign_cpu(1, 1300, IDLE);
	apply_moment(2000);
	end_log();
	assert_exact();
}

/* A class that is off goes on being unknown in the window. */
static void a_class_that_is_off_from_before_the_window(void **state)
{
	begin_in(1500, 0);
	apply_group();
	apply_moment(1000);
	cpu_event(0, 1100, BCOS_EVENT_MASK, "class mask 0x1f -> 0x1e: assign off");
	cpu_event(0, 1200, BCOS_EVENT_MASK, "class mask 0x1e -> 0x0e: io off");
	apply_device(BCOS_SET_DEVICE_NAME, 1, 1600, "sdb");
	apply_word(BCOS_CANCEL_DEVICE_NAME, 1, 1700, 0);
	assert_true(told.last_device.at_least);
	apply_name(BCOS_SET_PROCESS_NAME, 30, 1750, "thirty");
	apply_word(BCOS_CANCEL_PROCESS_NAME, 30, 1800, 0);
	assert_true(told.last_ended.at_least);
	apply_moment(2000);
	end_log();
	assert_int_equal(bcoslog_account_totals(account)->lost, BCOSLOG_LOST_ASSIGNMENTS | BCOSLOG_LOST_TRANSFERS);
	assert_true(bcoslog_account_process(account, 10)->at_least);
	assert_true(bcoslog_account_device(account, 0)->at_least);
	assert_uses(0, 0, 0, 0, 500);
}

static void overtake_and_restate(uint64_t at)
{
	apply_group();
	apply_moment(1000);
	apply_entry(made_event(&made, BCOS_GENERIC_DEVICE, SELF, 1200, BCOS_EVENT_MISSED, BCOS_SEVERITY_ERROR,
			       "missed 5 entries, 120 bytes"));
	apply_group();
	assign_cpu(0, at, 20);
	assign_cpu(1, at, IDLE);
	apply_moment(2000);
	end_log();
}

/* A reader was overtaken before the window. A group follows before the window, or in it. */
static void an_overtaken_reader_before_the_window(void **state)
{
	begin_in(1500, 0);
	overtake_and_restate(1400);
	assert_exact();
	assert_int_equal(time_of(20), 500);

	begin_in(1500, 0);
	overtake_and_restate(1600);
	assert_int_not_equal(bcoslog_account_totals(account)->lost & BCOSLOG_LOST_TRANSFERS, 0);
	assert_int_equal(told.unknown_begin, 1500);
	assert_int_equal(told.unknown_end, 1600);
	assert_true(bcoslog_account_process(account, 10)->at_least);
	assert_true(bcoslog_account_device(account, 0)->at_least);
	assert_uses(0, 400, 0, 0, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_loss_before_the_window_leaves_it_exact),
		TEST(a_loss_after_the_window_leaves_it_exact),
		TEST(a_use_is_lost_until_the_next_assignment),
		TEST(who_ends_meanwhile_is_a_lower_bound),
		TEST(lost_transfers_reach_into_the_window),
		TEST(a_class_that_was_off_before_the_window),
		TEST(a_class_that_is_off_from_before_the_window),
		TEST(an_overtaken_reader_before_the_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
