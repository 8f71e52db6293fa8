// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account: incarnations of processes, and what is off the CPU. Logs and sums are made by hand. */
#include "account_made.h"

static void an_id_may_come_again(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	assign(0, 1200, 0);
	word(BCOS_CANCEL_PROCESS_NAME, 10, 1200, BCOS_STATUS_OWNER + 9);
	assert_int_equal(told.ended, 1);
	assert_true(told.last_ended.ended);
	assert_int_equal(told.last_ended.time, 200);
	assert_int_equal(told.last_ended.end, 1200);
	assert_int_equal(told.last_ended.status, BCOS_STATUS_OWNER + 9);
	name(BCOS_SET_PROCESS_NAME, 10, 1300, "again");
	assign(0, 1400, 10);
	moment(1500);
	end();
	assert_int_equal(time_of(10), 100);
	assert_true(bcoslog_account_process(account, 10)->born);
	assert_int_not_equal(bcoslog_account_process(account, 10)->serial, told.last_ended.serial);
	assert_uses(0, 300, 200, 0, 0);
	assert_int_equal(bcoslog_account_totals(account)->births, 1);
	assert_int_equal(bcoslog_account_totals(account)->ends, 1);
}

static void a_name_may_change(void **state)
{
	const struct bcoslog_account_process *ten;

	begin_in(0, 0);
	group();
	moment(1000);
	name(BCOS_SET_PROCESS_NAME, 10, 1100, "a name that is longer than most are");
	ten = bcoslog_account_process(account, 10);
	assert_int_equal(ten->renames, 1);
	assert_int_equal(ten->name_length, 35);
	assert_memory_equal(ten->former, "ten", ten->former_length);
	assert_int_equal(ten->start, 50);
	assert_int_equal(bcoslog_account_totals(account)->execs, 1);
	/* The sanitizer looks for the memory of the long name. */
	name(BCOS_SET_PROCESS_NAME, 10, 1200, "a name that is even longer, so that it has no room where the other one was");
	end();
	assert_int_equal(bcoslog_account_process(account, 10)->renames, 2);
}

static void assert_former(size_t index, const char *expected)
{
	const struct bcoslog_account_process *ten = bcoslog_account_process(account, 10);
	size_t length = 0;
	const char *name = bcoslog_account_former_name(ten, index, &length);

	if (!expected) {
		assert_null(name);
		return;
	}
	assert_non_null(name);
	assert_int_equal(length, strlen(expected));
	assert_memory_equal(name, expected, length);
}

static void former_names_are_known(void **state)
{
	char text[40];
	int i;

	begin_in(0, 0);
	group();
	moment(1000);
	assert_former(0, NULL);
	name(BCOS_SET_PROCESS_NAME, 10, 1100, "sh");
	name(BCOS_SET_PROCESS_NAME, 10, 1200, "a name that is longer than most are");
	assert_former(0, "sh");
	assert_former(1, "ten");
	assert_former(2, NULL);
	/* A name that comes back is a former one once. */
	name(BCOS_SET_PROCESS_NAME, 10, 1300, "sh");
	name(BCOS_SET_PROCESS_NAME, 10, 1400, "eleven");
	assert_former(0, "a name that is longer than most are");
	assert_former(1, "sh");
	assert_former(2, "ten");
	assert_former(3, NULL);
	assert_memory_equal(bcoslog_account_process(account, 10)->former, "sh", 2);
	for (i = 0; i < 20; i++) {
		snprintf(text, sizeof(text), "name %d", i);
		name(BCOS_SET_PROCESS_NAME, 10, 1500 + i, text);
	}
	assert_former(0, "name 18");
	assert_former(7, "name 11");
	assert_former(8, NULL);
	end();
}

static void repeated_history_is_no_news(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	assign(0, 1300, 20);
	/* It says that CPU 0 is assigned to process 10, as it was: what is known already holds. */
	group();
	moment(1500);
	moment(1600);
	end();
	assert_int_equal(time_of(10), 300);
	assert_int_equal(time_of(20), 300);
	assert_int_equal(bcoslog_account_totals(account)->execs, 0);
	assert_int_equal(bcoslog_account_totals(account)->births, 0);
	assert_int_equal(bcoslog_account_process(account, 10)->start, 50);
	assert_int_equal(told.ended, 0);
}

static void who_ends_on_a_cpu_leaves_it(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	word(BCOS_CANCEL_PROCESS_NAME, 10, 1200, 0);
	moment(1500);
	end();
	assert_uses(0, 200, 0, 0, 300);
}

static void off_the_cpu(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	assign(0, 1200, 20);
	assign(1, 1700, 10);
	assert_int_equal(told.offs, 1);
	assert_int_equal(told.off_process, 10);
	assert_int_equal(told.off_begin, 1200);
	assert_int_equal(told.off_end, 1700);
	assert_int_equal(told.off_cpu, 1);
	/* A process that loses one of two CPUs still has a CPU. */
	assign(0, 1800, 10);
	assign(1, 1900, IDLE);
	assign(1, 1950, 10);
	assert_int_equal(told.offs, 1);
	/* Nor is it known of who may have run unseen. */
	assign(1, 2000, IDLE);
	assign(0, 2000, IDLE);
	cpu_event(1, 2100, BCOS_EVENT_LOSS, "lost 1 assignments: staging full, until 0.000002100 s");
	assign(1, 2200, IDLE);
	assign(0, 2300, 10);
	assert_int_equal(told.offs, 1);
	end();
	assert_int_equal(bcoslog_account_process(account, 10)->longest_off, 500);
	assert_int_equal(bcoslog_account_process(account, 10)->longest_off_at, 1700);
	assert_int_equal(bcoslog_account_process(account, 10)->turns, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_id_may_come_again),
		TEST(a_name_may_change),
		TEST(former_names_are_known),
		TEST(repeated_history_is_no_news),
		TEST(who_ends_on_a_cpu_leaves_it),
		TEST(off_the_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
