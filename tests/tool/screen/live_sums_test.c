// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The intervals of a growing log: each sum is that of the interval, and not of what was before it. */
#include "printed.h"
#include "made_live.h"

/*
 * Within a second from @begin: process @id is born, has CPU 1 for 100 ms, and ends; 20 execs; CPU 0 is 10's, but for
 * 50 ms for
 * which it is idle; the device brings something 1 ms and 2 ms after interrupts, and fails once.
 */
static void tell_of_a_second(u64 begin, u32 id, const char *name)
{
	struct made made;

	take_entry(made_name(&made, BCOS_SET_PROCESS_NAME, id, begin + 100 * MS, "born"));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 1, begin + 200 * MS, id));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 1, begin + 300 * MS, BCOS_PROCESS_IDLE));
	take_entry(made_name(&made, BCOS_SET_PROCESS_NAME, 20, begin + 400 * MS, name));
	take_entry(made_word(&made, BCOS_IRQ, 3, begin + 500 * MS, 7));
	take_entry(made_word(&made, BCOS_DEVICE_INPUT, 3, begin + 501 * MS, 512));
	take_entry(made_word(&made, BCOS_DEVICE_OUTPUT, 3, begin + 502 * MS, 1024));
	take_entry(made_word(&made, BCOS_IRQ, 3, begin + 510 * MS, 7));
	take_entry(made_word(&made, BCOS_IRQ, 3, begin + 520 * MS, 7));
	take_entry(made_word(&made, BCOS_DEVICE_OUTPUT, 3, begin + 522 * MS, 2048));
	take_entry(made_event(&made, BCOS_GENERIC_DEVICE, 3, begin + 530 * MS, 1, BCOS_SEVERITY_ERROR, "failed"));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, begin + 600 * MS, BCOS_PROCESS_IDLE));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, begin + 650 * MS, 10));
	take_entry(made_word(&made, BCOS_CANCEL_PROCESS_NAME, id, begin + 900 * MS, 0));
	take_entry(made_event(&made, BCOS_GENERIC_PROCESS, 20, begin + SECOND, 0, 0x40, "end"));
	live_interval(&live, false);
}

static void assert_real(double real, double expected)
{
	assert_true(real > expected * 0.999999 && real < expected * 1.000001);
}

/*
 * With one of two busy CPUs the core executes 1000 x 8000 instructions a second, and with both 2000 x 8000 each; it
 * takes 0.2 W, and 0.6 W more while one is busy, which they share.
 */
static void assert_a_second(u64 begin, u32 id)
{
	const struct bcoslog_account_totals *totals = &live.totals;

	assert_int_equal(totals->begin, begin);
	assert_int_equal(totals->end, begin + SECOND);
	assert_int_equal(totals->online, 2 * SECOND);
	assert_int_equal(totals->time[BCOSLOG_USE_PROCESS], 1050 * MS);
	assert_int_equal(totals->time[BCOSLOG_USE_IDLE], 950 * MS);
	assert_int_equal(totals->entries, 15);
	assert_int_equal(totals->turns, 4);
	assert_int_equal(totals->births, 1);
	assert_int_equal(totals->execs, 1);
	assert_int_equal(totals->ends, 1);
	assert_int_equal(row_of(10)->time, 950 * MS);
	assert_int_equal(row_of(10)->turns, 1);
	assert_false(row_of(10)->ended);
	assert_real(row_of(10)->work.instructions, 8.4e6);
	assert_real(row_of(10)->work.joules, 0.54);
	assert_int_equal(row_of(id)->time, 100 * MS);
	assert_true(row_of(id)->ended);
	assert_real(row_of(id)->work.instructions, 1.6e6);
	assert_real(row_of(id)->work.joules, 0.03);
}

static void assert_machine(void)
{
	assert_int_equal(live.cpu_count, 2);
	assert_int_equal(live.cpus[0].online, SECOND);
	assert_int_equal(live.cpus[0].turns, 2);
	assert_int_equal(live.cpus[0].time[BCOSLOG_USE_PROCESS], 950 * MS);
	assert_int_equal(live.cpus[0].time[BCOSLOG_USE_IDLE], 50 * MS);
	assert_int_equal(live.cpus[1].time[BCOSLOG_USE_PROCESS], 100 * MS);
	assert_int_equal(live.cpus[1].time[BCOSLOG_USE_IDLE], 900 * MS);
	assert_int_equal(live.core_count, 1);
	assert_int_equal(live.cores[0].online, SECOND);
	assert_int_equal(live.cores[0].idle, 50 * MS);
	assert_real(live.cores[0].capacity, 32e6);
	assert_real(live.cores[0].work.instructions, 10e6);
	assert_real(live.cores[0].work.joules, 0.77);
}

/*
 * In the order of the columns of bcoslog io: bytes, transfers, interrupts, failures, latencies and what follows them.
 */
static void assert_transfers(u64 begin)
{
	const u64 expected[] = {
		512, 3072, 1, 2, 3, 1, 2, MS, 0, 0, 2 * MS, begin + 522 * MS, 1, 0, 1, 0,
	};
	size_t i;

	/* Below it the sums of storage and of all. */
	assert_int_equal(live.io.table.rows, 3);
	for (i = 0; i < 16; i++)
		if (i != 8 && i != 9)
			assert_int_equal(live.io.table.cells[2 + i].number, expected[i]);
}

/* Each begins anew. A transfer that no interrupt came before is of the interval before them. */
static void every_sum_is_of_the_interval(void **state)
{
	struct made made;
	u32 i;

	begin_live(false);
	take_entry(made_event(&made, BCOS_GENERIC_PROCESS, 20, SECOND, 0, 0x40, "begin"));
	take_entry(made_word(&made, BCOS_DEVICE_INPUT, 3, 1500 * MS, 4096));
	take_entry(made_event(&made, BCOS_GENERIC_PROCESS, 20, 2 * SECOND, 0, 0x40, "end"));
	live_interval(&live, false);
	for (i = 0; i < 3; i++) {
		tell_of_a_second((2 + i) * SECOND, 100 + i, i & 1 ? "twenty" : "other");
		assert_a_second((2 + i) * SECOND, 100 + i);
		assert_machine();
		assert_transfers((2 + i) * SECOND);
		assert_int_equal(live.off_to - live.off_from, 1);
		assert_int_equal(live.offs[live.off_from].stretch.begin, (2 + i) * SECOND + 600 * MS);
		assert_int_equal(live.offs[live.off_from].process.name_length, 3);
		assert_ptr_equal(live.offs[live.off_from].process.name, live.offs[live.off_from].name);
		assert_memory_equal(live.offs[live.off_from].name, "ten", 3);
		/* Process 10 was without a CPU for 50 ms. */
		assert_int_equal(live.latencies.rows, 1);
		assert_int_equal(live.latencies.cells[0].number, 10);
		assert_int_equal(live.latencies.cells[3].number, 1);
		assert_int_equal(live.latencies.cells[4].number, 50 * MS);
		assert_int_equal(live.latencies.cells[6].number, (2 + i) * SECOND + 650 * MS);
		assert_int_equal(live.latencies.cells[7].number, 950 * MS);
	}
	assert_false(live.failed);
	end_live();
}

/* A device that has gone has its row if the interval is the whole log, and otherwise none. */
static void a_device_that_goes(void **state)
{
	struct made made;
	int whole;

	for (whole = 0; whole <= 1; whole++) {
		begin_live(whole);
		take_entry(made_word(&made, BCOS_DEVICE_INPUT, 3, 2 * SECOND, 512));
		take_entry(made_entry(&made, BCOS_CANCEL_DEVICE_NAME, 3, 3 * SECOND, NULL, 0));
		live_interval(&live, whole);
		/* Below it the sums of storage and of all; alone the sum of all, of nothing. */
		assert_int_equal(live.io.table.rows, whole ? 3 : 1);
		assert_int_equal(live.io.table.cells[2].number, whole ? 512 : 0);
		end_live();
	}
}

/* Before the first interval ends, tables have columns already, and its rows have former names. */
static void the_first_interval(void **state)
{
	struct made made;
	size_t width;

	begin_live(false);
	width = live.io.table.width;
	assert_true(live.lives.width > 0);
	assert_true(width > 0);
	assert_true(live.latencies.width > 0);
	take_entry(made_name(&made, BCOS_SET_PROCESS_NAME, 20, 2 * SECOND, "other"));
	live_interval(&live, false);
	assert_int_equal(live.io.table.width, width);
	assert_int_equal(live.lives.rows, 3);
	assert_int_equal(live.lives.cells[2 * live.lives.width + 1].length, 18);
	assert_memory_equal(live.lives.cells[2 * live.lives.width + 1].text, "other (was twenty)", 18);
	end_live();
}

/* A loss is of the interval in which the log states it. */
static void losses_of_the_interval(void **state)
{
	struct made made;
	u64 i;

	begin_live(false);
	for (i = 1; i < 4; i++) {
		take_entry(made_event(&made, BCOS_GENERIC_CPU, 0, i * SECOND, BCOS_EVENT_LOSS, BCOS_SEVERITY_ERROR,
				      "lost 3 kernel messages: overwritten"));
		take_entry(made_event(&made, BCOS_GENERIC_DEVICE, 0xC0000000, i * SECOND + 1, BCOS_EVENT_MISSED,
			BCOS_SEVERITY_ERROR,
				      "missed 5 entries"));
		live_interval(&live, false);
		assert_int_equal(live.totals.losses, 1);
		assert_int_equal(live.totals.overtaken, 1);
	}
	end_live();
}

/* More than 64 stretches without a CPU are not kept of an interval; of all of a log the newest 1024 are. */
static void tell_of_stretches(u64 after, u32 count)
{
	struct made made;
	u32 i;

	take_entry(made_event(&made, BCOS_GENERIC_PROCESS, 20, (after + 1) * SECOND, 0, 0x40, "begin"));
	for (i = 0; i < count; i++) {
		take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, (after + 2 + 2 * i) * SECOND, 20));
		take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, (after + 3 + 2 * i) * SECOND, 10));
	}
	live_interval(&live, false);
}

static void as_many_stretches_as_there_is_room_for(void **state)
{
	begin_live(false);
	live.over = SECOND;
	tell_of_stretches(0, 40);
	/* One of 10 and, but for the first, one of 20. */
	assert_int_equal(live.off_to - live.off_from, 64);
	live_interval(&live, false);
	assert_int_equal(live.off_to - live.off_from, 0);
	/* There is as much room in the next one. */
	tell_of_stretches(1000, 40);
	assert_int_equal(live.off_to - live.off_from, 64);
	end_live();
	begin_live(false);
	live.over = SECOND + 1;
	tell_of_stretches(0, 40);
	assert_int_equal(live.off_to - live.off_from, 0);
	end_live();
	begin_live(true);
	tell_of_stretches(0, 600);
	assert_int_equal(live.off_to - live.off_from, 1024);
	end_live();
}

static void tell_that_twenty_is_woken(u64 time, u64 wait)
{
	struct made made;

	take_entry(made_event(&made, BCOS_GENERIC_PROCESS, 20, time, BCOS_EVENT_TASK_STATE, 0, "thread 20 woken"));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 1, time + wait, 20));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 1, time + wait + MS, BCOS_PROCESS_IDLE));
}

/* A wait that ends in another interval is of that one, all of it. */
static void waits_of_the_interval(void **state)
{
	const struct cell *row;
	struct made made;

	begin_live(false);
	tell_that_twenty_is_woken(2 * SECOND, 30 * MS);
	tell_that_twenty_is_woken(3 * SECOND, 10 * MS);
	live_interval(&live, false);
	row = live.latencies.cells;
	assert_int_equal(live.latencies.rows, 1);
	assert_int_equal(row[3].number, 2);
	assert_int_equal(row[4].number, 20 * MS);
	assert_int_equal(row[5].number, 30 * MS);
	assert_int_equal(row[7].number, 2 * MS);
	tell_that_twenty_is_woken(4 * SECOND, 6 * MS);
	take_entry(made_event(&made, BCOS_GENERIC_PROCESS, 20, 5 * SECOND, BCOS_EVENT_TASK_STATE, 0,
			      "thread 20 woken"));
	live_interval(&live, false);
	row = live.latencies.cells;
	assert_int_equal(row[3].number, 1);
	assert_int_equal(row[4].number, 6 * MS);
	assert_int_equal(row[5].number, 6 * MS);
	assert_int_equal(row[6].number, 4 * SECOND + 6 * MS);
	assert_int_equal(row[7].number, MS);
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 1, 7 * SECOND, 20));
	take_entry(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 20, 8 * SECOND, 0));
	live_interval(&live, false);
	row = live.latencies.cells;
	assert_int_equal(live.latencies.rows, 1);
	assert_int_equal(row[3].number, 1);
	assert_int_equal(row[5].number, 2 * SECOND);
	assert_int_equal(row[7].number, SECOND);
	live_interval(&live, false);
	assert_int_equal(live.latencies.rows, 0);
	end_live();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sum_is_of_the_interval),
		cmocka_unit_test(a_device_that_goes),
		cmocka_unit_test(the_first_interval),
		cmocka_unit_test(losses_of_the_interval),
		cmocka_unit_test(as_many_stretches_as_there_is_room_for),
		cmocka_unit_test(waits_of_the_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
