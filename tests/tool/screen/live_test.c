// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The intervals of a growing log, of which bcoslog top fills its screen: what is of which, how many are told, and without memory. */
#include "printed.h"
#include "failing_memory.h"
#include "made_live.h"

/* Process 10 has CPU 0 from 1 s to 3 s and from 4 s on, process 20 in between; it ends at 6 s. An interval ends at 2 s and 5 s. */
static void tell_of_ten_and_twenty(void)
{
	struct made made;

	take_entry(made_word(&made, BCOS_DEVICE_INPUT, 3, 2 * SECOND, 512));
	live_interval(&live, false);
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 3 * SECOND, 20));
	take_entry(made_name(&made, BCOS_SET_PROCESS_NAME, 20, 3 * SECOND, "two"));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 4 * SECOND, 10));
	take_entry(made_word(&made, BCOS_DEVICE_INPUT, 3, 5 * SECOND, 1024));
	live_interval(&live, false);
}

static void each_interval_has_what_is_new_in_it(void **state)
{
	struct made made;

	begin_live(false);
	assert_false(lacking);
	take_entry(made_event(&made, BCOS_GENERIC_PROCESS, 0, SECOND, 0, 0x40, "begin"));
	tell_of_ten_and_twenty();
	assert_int_equal(live.totals.begin, 2 * SECOND);
	assert_int_equal(live.totals.end, 5 * SECOND);
	assert_int_equal(live.totals.turns, 2);
	assert_int_equal(row_of(10)->time, 2 * SECOND);
	assert_int_equal(row_of(10)->total, 3 * SECOND);
	assert_int_equal(row_of(10)->turns, 1);
	assert_int_equal(row_of(20)->time, SECOND);
	assert_int_equal(row_of(20)->total, SECOND);
	assert_int_equal(row_of(20)->name_length, 3);
	assert_memory_equal(row_of(20)->name, "two", 3);
	assert_int_equal(live.off_to - live.off_from, 1);
	assert_int_equal(live.offs[live.off_from].stretch.begin, 3 * SECOND);
	assert_int_equal(live.offs[live.off_from].stretch.end, 4 * SECOND);
	take_entry(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 10, 6 * SECOND, 0));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 7 * SECOND, BCOS_PROCESS_IDLE));
	live_interval(&live, false);
	assert_true(row_of(10)->ended);
	assert_int_equal(row_of(10)->time, SECOND);
	assert_int_equal(row_of(20)->time, 0);
	live_interval(&live, true);
	assert_null(row_of(10));
	assert_false(live.failed);
	end_live();
}

/* Processes from 1000 on are born, have CPU 1 for a microsecond, and end. */
static void tell_of_a_crowd(u64 time, u32 count)
{
	struct made made;
	u32 id;

	for (id = 1000; id < 1000 + count; id++) {
		take_entry(made_name(&made, BCOS_SET_PROCESS_NAME, id, time, "one of many"));
		take_entry(made_word(&made, BCOS_ASSIGN_CPU, 1, time, id));
		time += 1000;
		take_entry(made_word(&made, BCOS_ASSIGN_CPU, 1, time, BCOS_PROCESS_IDLE));
		take_entry(made_word(&made, BCOS_CANCEL_PROCESS_NAME, id, time, 0));
	}
}

/* Asserts that of the rows of lives the last one is this; a text has its length. */
static void assert_last_life(const char *name)
{
	const struct cell *row = live.lives.cells + (live.lives.rows - 1) * live.lives.width;

	assert_int_equal(row[1].length, strlen(name));
	assert_memory_equal(row[1].text, name, strlen(name));
}

/* 1024 of 1100 have rows of their own. */
static void of_many_that_end_the_others_are_one_row(void **state)
{
	begin_live(false);
	tell_of_a_crowd(2 * SECOND, 1100);
	live_interval(&live, false);
	assert_true(live.processes.of[0].others);
	assert_int_equal(live.processes.of[0].id, 76);
	assert_int_equal(live.processes.of[0].time, 76000);
	assert_int_equal(live.processes.of[0].total, 76000);
	assert_int_equal(live.processes.of[0].turns, 76);
	/* Two busy CPUs execute 2000 x 8000 instructions a second each, and share 0.6 W. */
	assert_int_equal(live.processes.of[0].work.instructions + 0.5, 76 * 16);
	assert_int_equal(live.processes.of[0].work.joules * 1e7 + 0.5, 76 * 3);
	assert_int_equal(live.processes.of[0].name_length, 17);
	assert_memory_equal(live.processes.of[0].name, "others that ended", 17);
	/* With the kernel, 10 and 20. */
	assert_int_equal(live.processes.count, 1 + 1024 + 3);
	assert_int_equal(live.lives.rows, 1024 + 3 + 1);
	assert_last_life("76 others that ended");
	assert_int_equal(row_of(2023)->time, 1000);
	assert_null(row_of(2024));
	/* They are of this interval alone. */
	live_interval(&live, false);
	assert_int_equal(live.processes.count, 3);
	assert_int_equal(live.lives.rows, 3);
	/* If they are exactly as many as there is room for, each has a row of its own. */
	tell_of_a_crowd(3 * SECOND, 1024);
	live_interval(&live, false);
	assert_int_equal(live.lives.rows, 1024 + 3);
	assert_last_life("one of many");
	end_live();
}

static void of_a_whole_log_nobody_is_left_out(void **state)
{
	begin_live(true);
	tell_of_a_crowd(2 * SECOND, 1100);
	live_interval(&live, true);
	assert_int_equal(live.processes.of[0].id, 0);
	assert_int_equal(live.lives.rows, 1100 + 3);
	assert_int_equal(row_of(2099)->time, 1000);
	assert_false(live.failed);
	end_live();
}

/* Each allocation fails once: that is said, or the intervals are right. */
static void without_memory(void **state)
{
	unsigned int number, errors = 0;
	struct made made;
	bool failed;
	FILE *file;
	int kept;

	for (number = 1; ; number++) {
		file = begin_complaints(&kept);
		failing = number;
		begin_live(false);
		if (report.account) {
			tell_of_a_crowd(2 * SECOND, 3);
			tell_of_ten_and_twenty();
			take_entry(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 20, 6 * SECOND, 0));
			live_interval(&live, true);
		}
		failed = !failing;
		failing = 0;
		end_complaints(file, kept);
		if (failed)
			assert_true(lacking || live.failed);
		else
			/* The crowd has six assignments. */
			assert_int_equal(live.last.turns, 8);
		errors += failed;
		end_live();
		if (!failed)
			break;
	}
	assert_true(errors > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_interval_has_what_is_new_in_it),
		cmocka_unit_test(of_many_that_end_the_others_are_one_row),
		cmocka_unit_test(of_a_whole_log_nobody_is_left_out),
		cmocka_unit_test(without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
