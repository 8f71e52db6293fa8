// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The screen of bcoslog top, of a log as it is: which lines are on it, and what keys do. */
#include "made_screen.h"

/* ---- all of a log -------------------------------------------------------------------------------- */

static void the_screen_of_a_second(void **state)
{
	static const char *const lines[] = {
		"bcoslog top  log  2.000 s since boot, all of 1.000 s",
		"busy 70.0 %  kernel 10.0 %  idle 20.0 %  unknown 0.0 %  2 CPUs  0.80 W",
		"3 processes, 1 began, 1 ended, 0 execs and renames",
		"CPUs █▅",
		"process  name       CPU      time     total  watts  M instr/s  turns         joules",
		"10       ten     40.0 %  800.0 ms  800.0 ms  0.360      5.440      1  ended   0.360",
		"20       twenty  30.0 %  600.0 ms  600.0 ms  0.180      3.360      1          0.180",
		"0        kernel  10.0 %  200.0 ms  200.0 ms  0.060      1.120      2          0.060",
		"30       thirty   0.0 %      0 ns      0 ns  0.000      0.000      0          0.000",
		"",
		"",
		"1 top  2 cpu  3 io  4 power  5 offcpu  6 latency  7 processes  h help  q quit",
	};
	static const enum screen_look looks[] = {
		LOOK_STRONG, LOOK_PLAIN, LOOK_PLAIN, LOOK_PLAIN, LOOK_HEAD, LOOK_PLAIN, LOOK_PLAIN, LOOK_PLAIN,
			LOOK_PLAIN,
		LOOK_PLAIN, LOOK_PLAIN, LOOK_STRONG,
	};
	size_t i;

	made_second();
	TOP_OF_ALL(KEYS('q'));
	assert_int_equal(screen->pictures, 1);
	for (i = 0; i < 12; i++) {
		assert_line(0, i, lines[i]);
		assert_int_equal(screen->shown[0].look[i], looks[i]);
		assert_int_equal(screen->shown[0].shift[i], 0);
	}
	/* Nothing more comes, so only a key ends the wait. */
	assert_int_equal(screen->waits, 1);
	assert_int_equal(screen->wait[0], -1);
}

static void rows_are_sorted(void **state)
{
	made_second();
	TOP_OF_ALL(KEYS('n', WAIT, 'i', WAIT, 'r', WAIT, 't', WAIT, 'r', WAIT, 'n', WAIT, 'w', WAIT, 'n', WAIT, 'c',
		WAIT));
	assert_rows(0, 5, "10 20 0 30");
	assert_rows(1, 5, "0 10 30 20");
	assert_rows(2, 5, "0 10 20 30");
	assert_rows(3, 5, "30 20 10 0");
	assert_rows(4, 5, "30 0 20 10");
	assert_rows(5, 5, "10 20 0 30");
	assert_rows(6, 5, "0 10 30 20");
	assert_rows(7, 5, "10 20 0 30");
	assert_rows(9, 5, "10 20 0 30");
}

/* Total times, of which the greatest comes first. */
static void total_times(void **state)
{
	made_crowd();
	TOP_OF_ALL(KEYS('t', WAIT, 'r', WAIT));
	assert_rows(1, 5, "130 129 128 127 126 125");
	assert_rows(2, 5, "0 10 20 101 102 103");
}

/* The views have only what the options choose. */
static void one_process(void **state)
{
	made_second();
	write_more(used);
	TOP(ARGUMENTS("--process", "ten", "log"), KEYS('7', WAIT));
	assert_rows(0, 5, "10");
	assert_int_equal(strncmp(line_of(1, 5), "     10  ten ", 13), 0);
	assert_line(1, 6, "");
}

/* Names that begin alike; processes that are alike come in the order in which they were first there. */
static void names_that_begin_alike(void **state)
{
	begin_log();
	add_name(43, 700 * MS, "abc");
	add_name(41, 700 * MS, "ab");
	add_name(42, 700 * MS, "abd");
	add_name(44, 700 * MS, "ab");
	assign_cpu(1000, 0, 20);
	assign_cpu(1001, 0, 20);
	TOP_OF_ALL(KEYS('n', WAIT, 'r', WAIT));
	assert_rows(0, 5, "20 0 10 43 41 42");
	assert_rows(1, 5, "41 44 43 42 0 10");
	assert_rows(2, 5, "20 10 0 42 43 41");
}

static void each_view_has_its_key(void **state)
{
	static const char *const heads[] = {
		"CPU  core     online  processes  kernel    idle  unknown  turns",
		"ID  name  in  out  latency", "core     online",
		"process  name  from", "process  name    state", "process  name", "process  name       CPU",
	};
	static const char *const names[] = { "cpu", "io", "power", "offcpu", "latency", "processes", "top" };
	char first[64];
	size_t i;

	made_second();
	TOP_OF_ALL(KEYS('2', WAIT, '3', WAIT, '4', WAIT, '5', WAIT, '6', WAIT, '7', WAIT, '1', WAIT, '8', WAIT, '0',
		WAIT));
	for (i = 0; i < 7; i++) {
		snprintf(first, sizeof(first), "bcoslog %s  log  2.000 s since boot, all of 1.000 s", names[i]);
		assert_line(i + 1, 0, first);
		if (i != 1 && i != 3 && i != 4)
			assert_int_equal(strncmp(line_of(i + 1, 4), heads[i], strlen(heads[i])), 0);
	}
	assert_line(1, 4, heads[0]);
	/* The core takes 0.8 J, and both CPUs can execute 2 x 700 x 8000 instructions a second. */
	assert_line(3, 5, "all   1000.0 ms  0.0 %      9.920  88.6 %   0.800  0.800     12.400");
	assert_line(1, 5, "all        2000.0 ms     70.0 %  10.0 %  20.0 %    0.0 %      4");
	assert_line(1, 6, "0       0  1000.0 ms     80.0 %  20.0 %   0.0 %    0.0 %      3");
	assert_line(1, 7, "1       0  1000.0 ms     60.0 %   0.0 %  40.0 %    0.0 %      1");
	assert_line(4, 5, "     10  ten   1.500000000  1.600000000       100.0 ms    0  kernel      100.0 ms         0");
	assert_line(5, 5, "     10  ten   off      1  100.0 ms  100.0 ms  1.600000000  800.0 ms");
	assert_int_equal(strncmp(line_of(9, 0), "bcoslog top ", 12), 0);
}

/* ---- rows and columns ------------------------------------------------------------------------------ */

/* There is room for six rows. The kernel, ten and twenty have no CPU, and stand at the end. */
static void arrows_and_pages(void **state)
{
	made_crowd();
	TOP_OF_ALL(KEYS(SCREEN_UP, WAIT, SCREEN_DOWN, SCREEN_DOWN, SCREEN_DOWN, WAIT, SCREEN_UP, WAIT,
		SCREEN_PAGE_DOWN, WAIT,
			SCREEN_PAGE_UP, WAIT, SCREEN_PAGE_UP, WAIT, SCREEN_END, WAIT, SCREEN_DOWN, WAIT,
				SCREEN_PAGE_DOWN, WAIT,
			SCREEN_UP, WAIT, SCREEN_HOME, WAIT, SCREEN_PAGE_DOWN, SCREEN_PAGE_UP, WAIT));
	assert_rows(0, 5, "130 129 128 127 126 125");
	assert_rows(1, 5, "130 129 128 127 126 125");
	assert_rows(2, 5, "127 126 125 124 123 122");
	assert_rows(3, 5, "128 127 126 125 124 123");
	assert_rows(4, 5, "122 121 120 119 118 117");
	assert_rows(5, 5, "128 127 126 125 124 123");
	assert_rows(6, 5, "130 129 128 127 126 125");
	assert_rows(7, 5, "103 102 101 0 10 20");
	assert_rows(8, 5, "103 102 101 0 10 20");
	assert_rows(9, 5, "103 102 101 0 10 20");
	assert_rows(10, 5, "104 103 102 101 0 10");
	assert_rows(11, 5, "130 129 128 127 126 125");
	assert_rows(12, 5, "130 129 128 127 126 125");
}

/* Another order or view begins with its first row, and a view with its first column. */
static void columns_and_other_views(void **state)
{
	made_crowd();
	TOP_OF_ALL(KEYS(SCREEN_LEFT, WAIT, SCREEN_RIGHT, SCREEN_RIGHT, WAIT, SCREEN_LEFT, WAIT, SCREEN_DOWN, 'i', WAIT,
			SCREEN_DOWN, '7', WAIT, SCREEN_LEFT, WAIT));
	assert_int_equal(screen->shown[1].shift[4], 0);
	assert_int_equal(screen->shown[2].shift[4], 16);
	assert_int_equal(screen->shown[2].shift[5], 16);
	assert_int_equal(screen->shown[2].shift[10], 16);
	assert_int_equal(screen->shown[2].shift[0], 0);
	assert_int_equal(screen->shown[2].shift[11], 0);
	assert_int_equal(screen->shown[3].shift[4], 8);
	assert_rows(4, 5, "0 10 20 101 102 103");
	assert_int_equal(screen->shown[4].shift[4], 8);
	assert_int_equal(screen->shown[5].shift[4], 0);
	assert_int_equal(strncmp(line_of(5, 5), "      0  kernel", 15), 0);
	assert_int_equal(screen->shown[6].shift[4], 0);
}

/* The heads of the columns and the last line stay, and a page has one row at least. */
static void small_screens(void **state)
{
	made_crowd();
	height = 5;
	TOP_OF_ALL(KEYS(SCREEN_PAGE_DOWN, SCREEN_PAGE_DOWN, RESIZE, WAIT));
	height = 12;
	assert_rows(1, 5, "128 127 126 125 124 123");
	height = 6;
	TOP(ARGUMENTS("log"), KEYS(SCREEN_PAGE_DOWN, RESIZE, WAIT));
	height = 12;
	assert_rows(1, 5, "129 128 127 126 125 124");
	height = 6;
	TOP(ARGUMENTS("log"), KEYS(SCREEN_PAGE_DOWN, WAIT, SCREEN_END, WAIT));
	assert_line(0, 5, "1 top  2 cpu  3 io  4 power  5 offcpu  6 latency  7 processes  h help  q quit");
	assert_int_equal(strncmp(line_of(0, 4), "process ", 8), 0);
	height = 7;
	TOP(ARGUMENTS("log"), KEYS(SCREEN_PAGE_DOWN, WAIT, SCREEN_END, WAIT, SCREEN_PAGE_UP, WAIT));
	assert_rows(0, 5, "130");
	assert_rows(1, 5, "129");
	assert_rows(2, 5, "20");
	assert_rows(3, 5, "10");
	height = 8;
	TOP(ARGUMENTS("log"), KEYS(SCREEN_PAGE_DOWN, WAIT, SCREEN_END, WAIT));
	assert_rows(1, 5, "128 127");
	assert_rows(2, 5, "10 20");
}

/* ---- a name to find ---------------------------------------------------------------------------------- */

#define MARKED(picture, line) (screen->shown[picture].look[line] == LOOK_MARKED)

static void a_name_is_found_and_marked(void **state)
{
	made_crowd();
	TOP_OF_ALL(KEYS('/', 'e', '-', '1', '1', WAIT, SCREEN_ENTER, WAIT, '/', 'e', '-', '1', '1', SCREEN_ENTER,
		WAIT, '/', 'x',
			SCREEN_ENTER, WAIT, '/', SCREEN_ESCAPE, WAIT));
	/* While it is written, it stands in the last line, and rows with it are marked, of which none is shown. */
	assert_line(1, 11, "/e-11");
	assert_int_equal(screen->shown[1].look[11], LOOK_STRONG);
	assert_rows(1, 5, "130 129 128 127 126 125");
	assert_false(MARKED(1, 5));
	/* The next row that has it, and the one after that. */
	assert_rows(2, 5, "119 118 117 116 115 114");
	assert_true(MARKED(2, 5));
	assert_true(MARKED(2, 10));
	assert_rows(3, 5, "118 117 116 115 114 113");
	/* A name that nobody has moves nothing, and marks nothing. */
	assert_rows(4, 5, "118 117 116 115 114 113");
	assert_false(MARKED(4, 5));
	assert_rows(5, 5, "118 117 116 115 114 113");
	assert_int_equal(strncmp(line_of(5, 11), "1 top", 5), 0);
}

/* After the last row it begins at the first, and Esc forgets it. The ID is a text, too. */
static void a_search_goes_round(void **state)
{
	made_crowd();
	TOP_OF_ALL(KEYS('/', '1', '3', '0', SCREEN_ENTER, WAIT, SCREEN_END, '/', '1', '3', '0', SCREEN_ENTER, WAIT,
			'/', '2', SCREEN_ESCAPE, WAIT));
	assert_rows(1, 5, "130 129 128 127 126 125");
	assert_true(MARKED(1, 5));
	assert_false(MARKED(1, 6));
	assert_rows(2, 5, "130 129 128 127 126 125");
	assert_true(MARKED(2, 5));
	assert_false(MARKED(3, 5));
	/* The name of 129 has a 2. */
	assert_false(MARKED(3, 6));
}

/* The screen may change its size meanwhile, which is no key of a name; nor are keys that are no characters. */
static void a_name_is_written(void **state)
{
	int keys[80] = { '/', 0xC3, 0xA4, 'b', WAIT, SCREEN_ERASE, WAIT, SCREEN_ERASE, WAIT, SCREEN_ERASE, 'q',
		SCREEN_UP, '\t',
			 SCREEN_RESIZED, 'h', ' ', '~', WAIT };
	size_t i;

	made_crowd();
	TOP_OF_ALL(keys);
	assert_line(1, 11, "/äb");
	assert_line(2, 11, "/ä");
	assert_line(3, 11, "/");
	assert_line(4, 11, "/qh ~");
	/* 64 bytes are the longest. */
	for (i = 1; i < 71; i++)
		keys[i] = 'a';
	keys[71] = WAIT;
	keys[72] = 0;
	TOP(ARGUMENTS("log"), keys);
	assert_line(1, 11, "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
}

/* ---- help, and leaving it ---------------------------------------------------------------------------- */

static void help_stands_in_place_of_the_table(void **state)
{
	made_second();
	TOP_OF_ALL(KEYS('h', WAIT, SCREEN_RESIZED, WAIT, '2', WAIT, '?', WAIT, 'q', WAIT, 'x'));
	assert_line(1, 0, "bcoslog top  log  2.000 s since boot, all of 1.000 s");
	assert_line(1, 4, "1 to 7     views: CPU time of processes (top), use of CPUs (cpu), devices");
	assert_line(1, 10, "           show other rows, and other columns");
	assert_int_equal(strncmp(line_of(1, 11), "1 top", 5), 0);
	assert_int_equal(screen->shown[1].shift[5], 0);
	assert_line(2, 4, "1 to 7     views: CPU time of processes (top), use of CPUs (cpu), devices");
	/* Any key leaves it and does nothing else, but for q. */
	assert_int_equal(strncmp(line_of(3, 4), "process  name", 13), 0);
	assert_int_equal(strncmp(line_of(4, 4), "1 to 7", 6), 0);
	assert_int_equal(screen->pictures, 5);
	/* Lines after the last one of the help are empty. */
	height = LINES;
	TOP(ARGUMENTS("log"), KEYS('h', WAIT));
	assert_line(1, 20, "BEHIND: the log grows faster than it can be read.");
	assert_line(1, 21, "");
	assert_line(1, 22, "");
}

static void how_it_is_left(void **state)
{
	made_second();
	TOP_OF_ALL(KEYS(SCREEN_GONE, '2', WAIT));
	assert_int_equal(screen->pictures, 1);
	TOP(ARGUMENTS("log"), KEYS('h', SCREEN_GONE, '2', WAIT));
	assert_int_equal(screen->pictures, 1);
	TOP(ARGUMENTS("log"), KEYS('/', SCREEN_GONE, '2', WAIT));
	assert_int_equal(screen->pictures, 1);
	TOP(ARGUMENTS("log"), KEYS(SIGNAL, '2', WAIT));
	assert_int_equal(screen->pictures, 1);
}

static void a_damaged_log_has_its_status(void **state)
{
	made_second();
	used -= 3;
	write_more(used);
	assert_complains("bcoslog: log is damaged at byte 388 (truncated): the log ends inside an entry: the last 29 bytes are "
			 "left out\n", run_top(ARGUMENTS("log"), KEYS('q')) == 1);
	assert_line(0, 0, "bcoslog top  log  1.950 s since boot, all of 0.950 s");
}

/* After a damaged place the log is read on from its next group. */
static void a_log_that_goes_on_after_damage(void **state)
{
	int kept, status;
	FILE *file;

	made_second();
	memset(bytes + used, 0xFF, 24);
	used += 24;
	begin_log();
	say_event(3000);
	write_more(used);
	file = begin_complaints(&kept);
	status = run_top(ARGUMENTS("log"), KEYS('q'));
	assert_non_null(strstr(end_complaints(file, kept), "bcoslog: log is damaged at byte"));
	assert_int_equal(status, 1);
	assert_line(0, 0, "bcoslog top  log  3.000 s since boot, all of 2.000 s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		screen_test(the_screen_of_a_second),
		screen_test(rows_are_sorted),
		screen_test(total_times),
		screen_test(one_process),
		screen_test(names_that_begin_alike),
		screen_test(each_view_has_its_key),
		screen_test(arrows_and_pages),
		screen_test(columns_and_other_views),
		screen_test(small_screens),
		screen_test(a_name_is_found_and_marked),
		screen_test(a_search_goes_round),
		screen_test(a_name_is_written),
		screen_test(help_stands_in_place_of_the_table),
		screen_test(how_it_is_left),
		screen_test(a_damaged_log_has_its_status),
		screen_test(a_log_that_goes_on_after_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
