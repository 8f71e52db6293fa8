// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Rows of reports, from sums that are made up here: which there are, their cells, and their order where sums are
 * equal.
 */
#include "output/output.h"
#include "printed.h"
#include "views/rows.h"
#include "views/turn_sums.h"

static struct report report = { .form = TABLE_CSV };
static struct table_rows table;

static int begin_rows(void **state)
{
	output.used = 0;
	report.account = bcoslog_account_new(NULL);
	return !report.account;
}

static int end_rows(void **state)
{
	bcoslog_account_free(report.account);
	return 0;
}

/* Asserts that these lines are printed, which end as RFC 4180 says. */
static void assert_lines(const char *const *lines)
{
	const char *text = printed_text();

	for (; *lines; lines++) {
		assert_int_equal(strncmp(text, *lines, strlen(*lines)), 0);
		text += strlen(*lines);
		assert_int_equal(strncmp(text, "\r\n", 2), 0);
		text += 2;
	}
	assert_string_equal(text, "");
}

#define ASSERT_LINES(...) assert_lines((const char *const []){ __VA_ARGS__, NULL })

static struct bcoslog_account_process process_of(u32 id, const char *name)
{
	return (struct bcoslog_account_process){ .id = id, .name = name, .name_length = strlen(name) };
}

/* ---- latency ---------------------------------------------------------------------------- */

static void add_waiting(u32 id, struct latency_sums sums)
{
	struct bcoslog_account_process process = process_of(id, "name");

	process.user = &sums;
	process.time = 9;
	latency_row(&table, &process);
}

#define OFF(ns, time) ((struct latency_sums){ \
	.offs = 2, .off_sum = (ns) + 11, .off_longest = ns, .off_longest_at = time })
#define WOKEN(ns, time) ((struct latency_sums){ \
	.waits = { .count = 4, .sum = (ns) + 3, .longest = ns, .longest_at = time, \
		   .longest_waker = { .by = BCOSLOG_WOKEN_BY_THREAD, .process = 5, .thread = 6 } }, \
	.offs = 1, .off_sum = 1000, .off_longest = 1000 })

static void processes_that_waited(void **state)
{
	const struct bcoslog_account_process none = process_of(4, "none");

	latency_begin(&table);
	add_waiting(30, OFF(50, 20));
	add_waiting(10, OFF(50, 20));
	add_waiting(20, OFF(50, 20));
	add_waiting(40, OFF(50, 19));
	add_waiting(50, WOKEN(61, 99));
	add_waiting(60, (struct latency_sums){ .left = 1 });
	add_waiting(BCOS_PROCESS_KERNEL, OFF(99, 1));
	latency_row(&table, &none);
	latency_sort(&table);
	assert_int_equal(table_end(&table, TABLE_CSV), 0);
	ASSERT_LINES("process,name,of,count,mean_ns,longest_ns,longest_at,uncertain,uncertain_longest_ns,cpu_ns,woken_by,waker,waker_thread",
		     "50,\"name\",\"woken\",4,16,61,99,0,,9,\"process 5 thread 6\",5,6",
			"40,\"name\",\"off\",2,30,50,19,0,,9,,,",
		     "10,\"name\",\"off\",2,30,50,20,0,,9,,,", "20,\"name\",\"off\",2,30,50,20,0,,9,,,",
			"30,\"name\",\"off\",2,30,50,20,0,,9,,,");
}

/* Without memory that is kept with a process, there is none; what is kept is the same at each call. */
static void stretches_of_a_process(void **state)
{
	const struct bcoslog_account_process of = { .id = BCOS_PROCESS_KERNEL };
	struct latency_sums sums = { .left = 7 };

	assert_false(latency_off(&report, &sums, &(struct bcoslog_stretch){ .process = &of, .begin = 100, .end = 150 }));
	assert_false(latency_off(&report, &sums, &(struct bcoslog_stretch){ .process = &of, .begin = 200, .end = 250 }));
	assert_false(latency_off(&report, &sums, &(struct bcoslog_stretch){ .process = &of, .begin = 300, .end = 340 }));
	assert_int_equal(sums.offs, 3);
	assert_int_equal(sums.off_sum, 140);
	assert_int_equal(sums.off_longest, 50);
	assert_int_equal(sums.off_longest_at, 150);
	assert_int_equal(sums.left, 7);
}

/* ---- turns ------------------------------------------------------------------------------ */

static void sums_of_turns(void **state)
{
	struct turn_sums sums = { 0 };

	turn_sums_add(&sums, 0, 10, 30, false);
	assert_int_equal(sums.shortest, 20);
	assert_int_equal(sums.longest, 20);
	assert_int_equal(sums.migrations, 0);
	turn_sums_add(&sums, 1, 40, 50, false);
	turn_sums_add(&sums, 1, 60, 80, false);
	turn_sums_add(&sums, 0, 90, 100, false);
	assert_int_equal(sums.turns, 4);
	assert_int_equal(sums.time, 60);
	assert_int_equal(sums.shortest, 10);
	assert_int_equal(sums.longest, 20);
	/* The first of those that are as long. */
	assert_int_equal(sums.longest_at, 10);
	assert_int_equal(sums.migrations, 2);
	assert_true(sums.mean == 15);
	assert_true(sums.squares > 99.9 && sums.squares < 100.1);
}

static struct turn_sums *sums_of(u64 time, u64 at)
{
	struct turn_sums *sums = calloc(1, sizeof(*sums));

	assert_non_null(sums);
	turn_sums_add(sums, 0, at, at + time, false);
	return sums;
}

static void add_turns(u32 id, struct turn_sums *sums)
{
	struct bcoslog_account_process process = process_of(id, "name");

	process.user = sums;
	turn_sums_row(&process);
	assert_null(process.user);
}

static void turns_of_processes(void **state)
{
	struct turn_sums *several = sums_of(20, 10), idle = { 0 };

	turn_sums_begin(false);
	turn_sums_add(several, 1, 40, 50, false);
	turn_sums_add(several, 1, 60, 80, false);
	turn_sums_add(several, 0, 90, 100, false);
	turn_sums_add(&idle, 0, 0, 55, false);
	add_turns(3, sums_of(50, 5));
	add_turns(1, sums_of(50, 5));
	add_turns(2, sums_of(50, 5));
	add_turns(4, sums_of(50, 4));
	add_turns(5, several);
	add_turns(6, NULL);
	assert_int_equal(turn_sums_print(&idle, false, TABLE_CSV), 0);
	/* Variance of 20, 10, 20 and 10 as a sample: 100 / 3. */
	ASSERT_LINES("process,name,turns,cpu_ns,shortest_ns,mean_ns,longest_ns,longest_at,migrations,deviation_ns",
		     "5,\"name\",4,60,10,15,20,10,2,6", ",\"idle\",1,55,55,55,55,0,,", "4,\"name\",1,50,50,50,50,4,0,",
		     "1,\"name\",1,50,50,50,50,5,0,", "2,\"name\",1,50,50,50,50,5,0,",
			"3,\"name\",1,50,50,50,50,5,0,");
}

static void turns_of_threads(void **state)
{
	const struct bcoslog_account_process ten = process_of(10, "ten");
	struct bcoslog_account_thread thread = { .process = &ten, .id = 12, .user = sums_of(5, 1) };

	turn_sums_begin(true);
	turn_sums_thread_row(&thread);
	assert_null(thread.user);
	thread = (struct bcoslog_account_thread){ .process = &ten, .id = 11, .user = sums_of(5, 1) };
	turn_sums_thread_row(&thread);
	thread = (struct bcoslog_account_thread){ .process = &ten, .id = 13, .user = sums_of(6, 9) };
	turn_sums_thread_row(&thread);
	assert_int_equal(turn_sums_print(NULL, false, TABLE_CSV), 0);
	ASSERT_LINES("thread,process,name,turns,cpu_ns,shortest_ns,mean_ns,longest_ns,longest_at,"
		     "migrations,deviation_ns",
		     "13,10,\"ten\",1,6,6,6,6,9,0,", "11,10,\"ten\",1,5,5,5,5,1,0,", "12,10,\"ten\",1,5,5,5,5,1,0,");
}

/* ---- io --------------------------------------------------------------------------------- */

static void add_device(struct io_rows *rows, u32 id, u64 in, u64 out, u64 interrupts, u64 faults, bool stacked)
{
	const struct bcoslog_account_device device = {
		.id = id, .name = "dev", .name_length = 3, .input = in, .output = out, .inputs = in > 0,
			.outputs = out > 0,
		.interrupts = interrupts, .faults = faults, .stacked = stacked, .batched = 1, .unprompted = 2,
			.fruitless = 3,
	};
	const struct bcoslog_latency latency = { .count = interrupts, .minimum = 10, .median = 11, .ninety_nine = 12,
		.maximum = 13,
						 .maximum_at = 14 };

	io_row(rows, &device, &latency, 1, "");
}

/* In the order of their bytes, and then of their numbers; those that did nothing are left out. */
static void transfers_of_devices(void **state)
{
	struct io_rows rows;

	io_begin(&rows, false);
	add_device(&rows, 2, 100, 0, 0, 0, false);
	add_device(&rows, 1, 0, 100, 1, 0, false);
	add_device(&rows, 3, 60, 41, 0, 0, true);
	add_device(&rows, 0x40000001, 0, 0, 2, 0, false);
	add_device(&rows, 0xC0000001, 0, 0, 0, 4, false);
	add_device(&rows, 9, 0, 0, 0, 0, false);
	io_end(&rows);
	assert_int_equal(table_end(&rows.table, TABLE_CSV), 0);
	ASSERT_LINES("device,name,input_bytes,output_bytes,inputs,outputs,interrupts,failures,latencies,"
		     "latency_min_ns,"
		     "latency_median_ns,latency_99_ns,latency_max_ns,latency_max_at,"
		     "batched,unprompted,fruitless_interrupts,stacked,former_name,latency_precision_ns",
		     "3,\"dev\",60,41,1,1,0,0,0,,,,,,1,2,3,1,,",
			"1,\"dev\",0,100,0,1,1,0,1,10,11,12,13,14,1,2,3,0,,1",
		     "2,\"dev\",100,0,1,0,0,0,0,,,,,,1,2,3,0,,",
		     "1073741825,\"dev\",0,0,0,0,2,0,2,10,11,12,13,14,1,2,3,0,,1",
		     "3221225473,\"dev\",0,0,0,0,0,4,0,,,,,,1,2,3,0,,",
		     ",\"all storage\",100,100,1,1,1,0,,,,,,,,,,,,", ",\"all network\",0,0,0,0,2,0,,,,,,,,,,,,",
		     ",\"all others\",0,0,0,0,0,4,,,,,,,,,,,,", ",\"all\",100,100,1,1,3,4,,,,,,,,,,,,");
}

/* ---- processes -------------------------------------------------------------------------- */

static void assert_full_name(bool people, size_t length, size_t former_length, bool full)
{
	static char name[512], former[512], expected[1100], text[OUTPUT_SIZE + 1];
	struct bcoslog_account_process process;

	memset(name, 'n', length);
	name[length] = '\0';
	memset(former, 'f', former_length);
	former[former_length] = '\0';
	process = process_of(10, name);
	processes_begin(&table, people);
	processes_row(&table, &process, &(struct bcoslog_bounds){ 0 }, former);
	assert_int_equal(table_end(&table, TABLE_CSV), 0);
	strcpy(text, printed_text());
	snprintf(expected, sizeof(expected), full ? "\r\n10,\"%s (was %s)\",\"%s\"," : "\r\n10,\"%s\",\"%s\",", name,
		former, former);
	assert_non_null(strstr(text, expected));
}

/* There are 512 bytes for a name with its former ones, which have at most 255. */
static void names_with_former_ones(void **state)
{
	assert_full_name(true, 3, 2, true);
	assert_full_name(true, 2, 10, true);
	assert_full_name(false, 3, 2, false);
	assert_full_name(true, 300, 204, true);
	assert_full_name(true, 300, 205, false);
	processes_begin(&table, true);
	processes_row(&table, &(struct bcoslog_account_process){ .id = 1, .name = "a", .name_length = 1, .start = 5,
		.end = 9, .ended = true,
		      .status = 3, .time = 7, .turns = 2, .renames = 4, .events = 6, .calls = 8 },
		      &(struct bcoslog_bounds){ .time = 7, .time_known = true }, "");
	processes_row(&table, &(struct bcoslog_account_process){ .id = 2, .precision = 0xFFFFFFFF, .start = 5 },
		      &(struct bcoslog_bounds){ .time_known = true }, "");
	processes_others(&table, 77);
	assert_int_equal(table_end(&table, TABLE_CSV), 0);
	ASSERT_LINES("process,name,former_name,start,end,how,status,cpu_ns,turns,execs,events,calls",
		     "1,\"a\",,5,9,\"exit code 3\",3,7,2,4,6,8", "2,,,,,\"alive\",,0,0,0,0,0",
			",\"77 others that ended\",,,,,,,,,,");
}

/* ---- tables ----------------------------------------------------------------------------- */

/* Texts and courses are copied. */
static void rows_are_copies(void **state)
{
	static const struct column columns[] = { { "a", "a", CELL_TEXT }, { "b", "b", CELL_COURSE }, { "c", "c",
		CELL_NUMBER } };
	char word[] = "word";
	float course[] = { 0.5f, 1 };
	int i;

	table_begin(&table, columns, 3);
	for (i = 0; i < 65; i++)
		table_row(&table, (struct cell[]){ CELL_WORD(word), { .number = 2, .course = course },
			CELL_EXACT((u64)i) });
	memset(word, 'x', 4);
	course[0] = course[1] = 0;
	assert_int_equal(table.rows, 65);
	for (i = 0; i < 65; i++) {
		assert_memory_equal(table.cells[3 * i].text, "word", 4);
		assert_int_equal(table.cells[3 * i + 2].number, i);
	}
	assert_false(table.failed);
	table_free(&table);
	assert_null(table.cells);
	assert_int_equal(table.rows, 0);
	assert_int_equal(table.room, 0);
	/* It is an empty table then, which can have rows again. */
	table_row(&table, (struct cell[]){ CELL_NONE, CELL_NONE, CELL_EXACT(7) });
	assert_int_equal(table.cells[2].number, 7);
	table_free(&table);
}

#define rows_test(test) cmocka_unit_test_setup_teardown(test, begin_rows, end_rows)

int main(void)
{
	const struct CMUnitTest tests[] = {
		rows_test(processes_that_waited),
		rows_test(stretches_of_a_process),
		rows_test(sums_of_turns),
		rows_test(turns_of_processes),
		rows_test(turns_of_threads),
		rows_test(transfers_of_devices),
		rows_test(names_with_former_ones),
		cmocka_unit_test(rows_are_copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
