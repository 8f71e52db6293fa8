// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the account: incarnations of processes, and what is off the CPU. Logs and sums are made by hand. */
#include "account/report.h"
#include "account_made.h"

/* This is a function of the sanitizer, whose header not all compilers have. */
size_t __sanitizer_get_current_allocated_bytes(void);

static void an_id_may_come_again(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	assign_cpu(0, 1200, 0);
	apply_word(BCOS_CANCEL_PROCESS_NAME, 10, 1200, BCOS_STATUS_OWNER + 9);
	assert_int_equal(told.ended, 1);
	assert_true(told.last_ended.ended);
	assert_int_equal(told.last_ended.time, 200);
	assert_int_equal(told.last_ended.end, 1200);
	assert_int_equal(told.last_ended.status, BCOS_STATUS_OWNER + 9);
	apply_name(BCOS_SET_PROCESS_NAME, 10, 1300, "again");
	assign_cpu(0, 1400, 10);
	apply_moment(1500);
	end_log();
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
	apply_group();
	apply_moment(1000);
	apply_name(BCOS_SET_PROCESS_NAME, 10, 1100, "a name that is longer than most are");
	ten = bcoslog_account_process(account, 10);
	assert_int_equal(ten->renames, 1);
	assert_int_equal(ten->name_length, 35);
	assert_memory_equal(ten->former, "ten", ten->former_length);
	assert_int_equal(ten->start, 50);
	assert_int_equal(bcoslog_account_totals(account)->execs, 1);
	/* If the memory of the long name is lost, the sanitizer says so. */
	apply_name(BCOS_SET_PROCESS_NAME, 10, 1200,
		   "a name that is even longer, so that it has no room where the other one was");
	end_log();
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
	apply_group();
	apply_moment(1000);
	assert_former(0, NULL);
	apply_name(BCOS_SET_PROCESS_NAME, 10, 1100, "sh");
	apply_name(BCOS_SET_PROCESS_NAME, 10, 1200, "a name that is longer than most are");
	assert_former(0, "sh");
	assert_former(1, "ten");
	assert_former(2, NULL);
	/* A name that comes back is listed once among the former names. */
	apply_name(BCOS_SET_PROCESS_NAME, 10, 1300, "sh");
	apply_name(BCOS_SET_PROCESS_NAME, 10, 1400, "eleven");
	assert_former(0, "a name that is longer than most are");
	assert_former(1, "sh");
	assert_former(2, "ten");
	assert_former(3, NULL);
	assert_memory_equal(bcoslog_account_process(account, 10)->former, "sh", 2);
	for (i = 0; i < 20; i++) {
		snprintf(text, sizeof(text), "name %d", i);
		apply_name(BCOS_SET_PROCESS_NAME, 10, 1500 + i, text);
	}
	assert_former(0, "name 18");
	assert_former(7, "name 11");
	assert_former(8, NULL);
	end_log();
}

static void repeated_history_is_no_news(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	assign_cpu(0, 1300, 20);
	/* The group says that CPU 0 is assigned to process 10, as it was: what is known already holds. */
	apply_group();
	apply_moment(1500);
	apply_moment(1600);
	end_log();
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
	apply_group();
	apply_moment(1000);
	apply_word(BCOS_CANCEL_PROCESS_NAME, 10, 1200, 0);
	apply_moment(1500);
	end_log();
	assert_uses(0, 200, 0, 0, 300);
}

static void off_the_cpu(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	assign_cpu(0, 1200, 20);
	assign_cpu(1, 1700, 10);
	assert_int_equal(told.offs, 1);
	assert_int_equal(told.off_process, 10);
	assert_int_equal(told.off_begin, 1200);
	assert_int_equal(told.off_end, 1700);
	assert_int_equal(told.off_cpu, 1);
	/* A process that loses one of two CPUs still has a CPU. */
	assign_cpu(0, 1800, 10);
	assign_cpu(1, 1900, IDLE);
	assign_cpu(1, 1950, 10);
	assert_int_equal(told.offs, 1);
	/* A process that may have run unseen has no known time off the CPU. */
	assign_cpu(1, 2000, IDLE);
	assign_cpu(0, 2000, IDLE);
	cpu_event(1, 2100, BCOS_EVENT_LOSS, "lost 1 assignments: staging full, until 0.000002100 s");
	assign_cpu(1, 2200, IDLE);
	assign_cpu(0, 2300, 10);
	assert_int_equal(told.offs, 1);
	end_log();
	assert_int_equal(bcoslog_account_process(account, 10)->longest_off, 500);
	assert_int_equal(bcoslog_account_process(account, 10)->longest_off_at, 1700);
	assert_int_equal(bcoslog_account_process(account, 10)->turns, 4);
}

/*
 * Processes live, each with a name that changes, two threads that run, and a device: a hundred at a time, whose IDs
 * come again and again.
 */
static void run_lives(uint64_t begin, unsigned int count)
{
	char text[40];
	uint32_t id;
	uint64_t at;
	unsigned int i;

	for (i = 0; i < count; i++) {
		at = begin + 1000ull * i;
		id = 100 + i % 100;
		if (i >= 100) {
			apply_word(BCOS_CANCEL_PROCESS_NAME, id, at, 0);
			apply_word(BCOS_CANCEL_DEVICE_NAME, ETH + id, at + 1, 0);
		}
		apply_name(BCOS_SET_PROCESS_NAME, id, at + 2, "who is about to be somebody else");
		apply_name(BCOS_SET_PROCESS_NAME, id, at + 3, "somebody else, by a name of some length");
		apply_device(BCOS_SET_DEVICE_NAME, ETH + id, at + 4, "an interface with a name of some length");
		apply_word(BCOS_IRQ, ETH + id, at + 5, 1);
		apply_word(BCOS_DEVICE_INPUT, ETH + id, at + 6, 100);
		assign_cpu(0, at + 7, id);
		snprintf(text, sizeof(text), "thread %u runs on CPU 0", 10000 + i % 1000);
		apply_entry(made_event(&made, BCOS_GENERIC_PROCESS, id, at + 8, BCOS_EVENT_TASK_STATE,
				       BCOS_SEVERITY_INFO, text));
		snprintf(text, sizeof(text), "thread %u woken", 20000 + i % 1000);
		apply_entry(made_event(&made, BCOS_GENERIC_PROCESS, id, at + 9, BCOS_EVENT_TASK_STATE,
				       BCOS_SEVERITY_INFO, text));
	}
	for (id = 100; id < 200; id++) {
		apply_word(BCOS_CANCEL_PROCESS_NAME, id, begin + 1000ull * count, 0);
		apply_word(BCOS_CANCEL_DEVICE_NAME, ETH + id, begin + 1000ull * count, 0);
	}
}

/* The sanitizer counts the memory. A log that is ten times as long takes no more memory. */
static void memory_is_by_who_lives(void **state)
{
	size_t before;

	begin_in(0, 0);
	bcoslog_account_threads(account, NULL);
	apply_group();
	run_lives(1000, 1000);
	before = __sanitizer_get_current_allocated_bytes();
	run_lives(10000000, 10000);
	assert_int_equal(__sanitizer_get_current_allocated_bytes(), before);
	assert_int_equal(told.ended, 11000);
	assert_int_equal(told.devices_ended, 11000);
	end_log();
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
		TEST(memory_is_by_who_lives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
