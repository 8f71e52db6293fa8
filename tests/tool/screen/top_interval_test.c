// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The screen of bcoslog top, of a log that grows: when intervals end, and what is in them. */
#include "made_screen.h"

/* ---- a log that grows ---------------------------------------------------------------------------------- */

static void intervals_end_by_the_clock(void **state)
{
	made_second();
	write_more(used);
	/* All that is there is shown at once. Later, after waits of 100 ms at most, nothing has come. */
	TOP(ARGUMENTS("-f", "--every", "250ms", "log"), KEYS(WAIT, WAIT, WAIT, WAIT, WAIT, WAIT));
	assert_waits((const int []){ 100, 100, 51, 100, 100, 51 }, 6);
	assert_int_equal(screen->pictures, 3);
	assert_line(0, 0, "bcoslog top  log  2.000 s since boot, the last 1.000 s of every 0.25 s");
	assert_line(0, 2, "3 processes, 1 began, 1 ended, 0 execs and renames");
	assert_line(1, 0, "bcoslog top  log  2.000 s since boot, the last 0.000 s of every 0.25 s");
	assert_line(1, 2, "3 processes, 0 began, 0 ended, 0 execs and renames");
	assert_null(strstr(line_of(1, 5), "nan"));
	/* Exactly 100 ms before the end it waits for 100. */
	TOP(ARGUMENTS("-f", "--every", "200ms", "log"), KEYS(WAIT, WAIT, WAIT));
	assert_waits((const int []){ 100, 100, 100 }, 3);
}

/* For 0.5 s CPU 1 goes on with twenty; the kernel has CPU 0 for 0.3 s of them, and then forty, who was born then. */
static void an_interval_has_what_came_in_it(void **state)
{
	made_second();
	write_more(used);
	add_entry(made_name(&made, BCOS_SET_PROCESS_NAME, 40, 2300 * MS, "forty"));
	assign_cpu(2300, 0, 40);
	add_entry(made_name(&made, BCOS_SET_PROCESS_NAME, 40, 2400 * MS, "renamed"));
	say_event(2500);
	TOP(ARGUMENTS("-f", "--every", "100ms", "log"), KEYS(GROW, WAIT, WAIT, 'i', WAIT, '2', WAIT, '4', WAIT));
	assert_line(1, 0, "bcoslog top  log  2.500 s since boot, the last 0.500 s of every 0.1 s");
	assert_line(1, 1, "busy 70.0 %  kernel 30.0 %  idle 0.0 %  unknown 0.0 %  2 CPUs  0.80 W");
	assert_line(1, 2, "4 processes, 1 began, 0 ended, 1 execs and renames");
	assert_line(1, 3, "CPUs ██");
	assert_rows(1, 5, "20 0 40 30");
	assert_int_equal(strncmp(line_of(1, 5), "20       twenty   50.0 %  500.0 ms  1100.0 ms", 45), 0);
	assert_int_equal(strncmp(line_of(1, 6), "0        kernel   30.0 %  300.0 ms   500.0 ms", 45), 0);
	assert_int_equal(strncmp(line_of(1, 7), "40       renamed  20.0 %  200.0 ms   200.0 ms", 45), 0);
}

/* In the view of lives stands who was born and ended in the interval; in that of CPUs he needs to have had one. */
static void lives_in_an_interval(void **state)
{
	made_second();
	write_more(used);
	add_entry(made_name(&made, BCOS_SET_PROCESS_NAME, 50, 2100 * MS, "fifty"));
	add_entry(made_name(&made, BCOS_SET_PROCESS_NAME, 51, 2110 * MS, "other"));
	add_entry(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 50, 2150 * MS, 3));
	assign_cpu(2200, 0, 51);
	assign_cpu(2300, 0, 0);
	add_entry(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 51, 2300 * MS, 0));
	say_event(2500);
	TOP(ARGUMENTS("-f", "--every", "60s", "log"), KEYS('7', WAIT, '1', 'p', WAIT, GROW, 'p', WAIT, '7', WAIT, 'p',
		'p', WAIT));
	assert_line(1, 6, "     10  ten     0.500000000  1.900000000  SIGKILL, sent by user space  800.0 ms      1");
	assert_rows(3, 5, "20 0 51 30");
	assert_int_equal(strncmp(line_of(3, 7), "51       other   10.0 %  100.0 ms   100.0 ms", 44), 0);
	assert_true(strstr(line_of(3, 7), "ended"));
	assert_line(3, 2, "3 processes, 2 began, 2 ended, 0 execs and renames");
	/* In the columns of before. Ten is gone, and the turns are those of the interval. */
	assert_int_equal(strncmp(line_of(4, 5),
		"      0  kernel  0.000000000               alive                        400.0 ms      1", 85), 0);
	assert_int_equal(strncmp(line_of(4, 6),
		"     20  twenty  0.600000000               alive                        500.0 ms      0", 85), 0);
	assert_line(4, 7, "     30  thirty  1.950000000               alive                            0 ns      0");
	assert_line(4, 8, "     50  fifty   2.100000000  2.150000000  exit code 3                      0 ns      0");
	assert_line(4, 9, "     51  other   2.110000000  2.300000000  exit code 0                  100.0 ms      1");
	assert_line(4, 10, "");
	/* In the interval after it they are gone. */
	assert_line(5, 8, "");
}

/* 1024 of those who end have rows of their own, and the others share one. */
static void many_that_end(void **state)
{
	static const int keys[] = { 'p', WAIT, GROW, 'p', WAIT, '/', 'o', 't', 'h', 'e', 'r', 's', SCREEN_ENTER, WAIT,
		0 };
	u64 ms = 2000;
	u32 id;

	made_second();
	write_more(used);
	for (id = 1001; id <= 2100; id++) {
		add_entry(made_name(&made, BCOS_SET_PROCESS_NAME, id, ms * MS, "short"));
		assign_cpu(ms++, 0, id);
		assign_cpu(ms, 0, BCOS_PROCESS_IDLE);
		add_entry(made_word(&made, BCOS_CANCEL_PROCESS_NAME, id, ms * MS, 0));
	}
	say_event(4000);
	TOP(ARGUMENTS("-f", "--every", "60s", "log"), keys);
	assert_int_equal(strncmp(line_of(3, 5), "76       others that ended   1.9 %    76.0 ms    76.0 ms", 56), 0);
	assert_non_null(strstr(line_of(3, 5), "   76  ended"));
	assert_line(3, 2, "3 processes, 1100 began, 1100 ended, 0 execs and renames");
	/* All of them end in all of a log, which has a row for each. */
	TOP(ARGUMENTS("log"), KEYS('i', WAIT));
	assert_line(1, 2, "3 processes, 1101 began, 1101 ended, 0 execs and renames");
	assert_rows(1, 5, "0 10 20 30 1001 1002");
	TOP(ARGUMENTS("log"), KEYS('i', SCREEN_END, WAIT));
	assert_rows(1, 5, "2095 2096 2097 2098 2099 2100");
}

/* In a pause it looks at the log as ever, and ends no interval; the end of the pause ends one. */
static void a_pause(void **state)
{
	made_second();
	write_more(used);
	say_event(2500);
	TOP(ARGUMENTS("-f", "--every", "100ms", "log"), KEYS('p', WAIT, GROW, WAIT, WAIT, WAIT, WAIT, ' ', WAIT));
	assert_line(1, 0, "bcoslog top PAUSED  log  2.000 s since boot, the last 1.000 s of every 0.1 s");
	assert_int_equal(screen->pictures, 3);
	assert_line(2, 0, "bcoslog top  log  2.500 s since boot, the last 0.500 s of every 0.1 s");
	assert_waits((const int []){ 100, 100, 100, 100 }, 4);
}

static void intervals_of_other_lengths(void **state)
{
	static const char *const longer[] = { "1", "2", "5", "10", "30", "60", "60" };
	static const char *const shorter[] = { "3", "2", "1", "0.5", "0.2", "0.1", "0.1" };
	char expected[100];
	size_t i;

	made_second();
	write_more(used);
	TOP(ARGUMENTS("-f", "log"), KEYS('+', WAIT, '+', WAIT, '+', WAIT, '+', WAIT, '+', WAIT, '+', WAIT));
	for (i = 0; i < 7; i++) {
		snprintf(expected, sizeof(expected),
			"bcoslog top  log  2.000 s since boot, the last 1.000 s of every %s s",
			 longer[i]);
		assert_line(i, 0, expected);
	}
	TOP(ARGUMENTS("-f", "--every", "3s", "log"), KEYS('-', WAIT, '-', WAIT, '-', WAIT, '-', WAIT, '-', WAIT, '-'));
	for (i = 0; i < 6; i++) {
		snprintf(expected, sizeof(expected),
			"bcoslog top  log  2.000 s since boot, the last 1.000 s of every %s s",
			 shorter[i]);
		assert_line(i, 0, expected);
	}
	TOP(ARGUMENTS("-f", "--every", "90s", "log"), KEYS('-', WAIT));
	assert_line(1, 0, "bcoslog top  log  2.000 s since boot, the last 1.000 s of every 60 s");
	/* The one that goes on is that long from then on. */
	TOP(ARGUMENTS("-f", "--every", "10s", "log"), KEYS('-', '-', '-', '-', '-', '-', WAIT, WAIT, WAIT));
	assert_waits((const int []){ 100, 100 }, 2);
	assert_line(2, 0, "bcoslog top  log  2.000 s since boot, the last 0.000 s of every 0.1 s");
}

/* A pipe that ends has no more, and shows what it had; there is nothing to wait for but a key. */
static void a_pipe_that_ends(void **state)
{
	int ends[2], kept = dup(STDIN_FILENO);

	made_second();
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], bytes, used), used);
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	TOP(ARGUMENTS("-"), KEYS('2', WAIT));
	dup2(kept, STDIN_FILENO);
	close(kept);
	assert_line(0, 0, "bcoslog top ENDED  -  2.000 s since boot, the last 1.000 s of every 1 s");
	assert_line(1, 0, "bcoslog cpu ENDED  -  2.000 s since boot, the last 1.000 s of every 1 s");
	assert_waits((const int []){ -1 }, 1);
}

/* Reading takes longer than the interval. */
static void it_falls_behind(void **state)
{
	size_t i;

	made_second();
	write_more(used);
	for (i = 0; i < 400; i++)
		say_event(2001 + i);
	tick = 60 * MS;
	TOP(ARGUMENTS("-f", "--every", "100ms", "log"), KEYS(GROW, WAIT, WAIT, WAIT));
	for (i = 0; i < screen->pictures && !strstr(line_of(i, 0), "BEHIND"); i++)
		;
	assert_true(i < screen->pictures);
	assert_int_equal(strncmp(line_of(i, 0), "bcoslog top BEHIND  log  2.", 27), 0);
}

/* The rows become fewer than those that were scrolled past: the last one is left. */
static void a_crowd_that_goes(void **state)
{
	u32 i;

	made_crowd();
	write_more(used);
	for (i = 101; i <= 130; i++)
		add_entry(made_word(&made, BCOS_CANCEL_PROCESS_NAME, i, 1500 * MS, 0));
	say_event(1600);
	TOP(ARGUMENTS("-f", "--every", "100ms", "log"), KEYS('i', SCREEN_END, WAIT, GROW, WAIT, WAIT, WAIT));
	assert_rows(1, 5, "125 126 127 128 129 130");
	assert_rows(screen->pictures - 1, 5, "20");
}

/* In the interval only forty has a CPU, for 500 ms; before it the kernel had 200 ms and twenty 600. */
static void total_times_of_intervals(void **state)
{
	made_second();
	write_more(used);
	add_entry(made_name(&made, BCOS_SET_PROCESS_NAME, 40, 2000 * MS, "forty"));
	assign_cpu(2000, 0, BCOS_PROCESS_IDLE);
	assign_cpu(2000, 1, 40);
	say_event(2500);
	TOP(ARGUMENTS("-f", "--every", "60s", "log"), KEYS('p', WAIT, GROW, 'p', WAIT, 't', WAIT, 'r', WAIT));
	assert_line(2, 0, "bcoslog top  log  2.500 s since boot, the last 0.500 s of every 60 s");
	/* Where the times are equal, the total times decide. */
	assert_rows(2, 5, "40 20 0 30");
	assert_rows(3, 5, "20 40 0 30");
	assert_rows(4, 5, "30 0 40 20");
}

/* Two cores, whose only CPUs are busy, take 0.8 W each. */
static void power_of_two_cores(void **state)
{
	static const u32 performance[] = { 1000 };
	u32 i;

	for (i = 0; i < 2; i++)
		add_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, i, 5, 100, 300, performance, 1));
	for (i = 0; i < 2; i++)
		add_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, i, 5, i));
	add_name(0, 0, "kernel");
	add_name(10, 500 * MS, "ten");
	add_name(20, 500 * MS, "twenty");
	for (i = 0; i < 2; i++)
		add_entry(made_word(&made, BCOS_HIST_ASSIGN_CPU, i, 700 * MS, 10 + 10 * i));
	say_event(1000);
	say_event(2000);
	TOP_OF_ALL(KEYS('q'));
	assert_line(0, 1, "busy 100.0 %  kernel 0.0 %  idle 0.0 %  unknown 0.0 %  2 CPUs  1.60 W");
}

/* Nothing is known yet of a log that is empty. */
static void an_empty_log(void **state)
{
	write_more(0);
	TOP(ARGUMENTS("-f", "log"), KEYS(WAIT, WAIT));
	assert_line(0, 0, "bcoslog top  log  reading");
	assert_line(0, 1, "busy 0.0 %  kernel 0.0 %  idle 0.0 %  unknown 0.0 %  0 CPUs  ? W");
	TOP(ARGUMENTS("log"), KEYS(WAIT));
	assert_line(0, 0, "bcoslog top  log  0.000 s since boot, all of 0.000 s");
}

/* ---- lines of their own ---------------------------------------------------------------------------------- */

static void losses_have_a_line(void **state)
{
	made_second();
	add_entry(made_event(&made, BCOS_GENERIC_CPU, 0, 2001 * MS, BCOS_EVENT_LOSS, 0xC0, "lost 1 events"));
	write_more(used);
	assert_complains("bcoslog: the log states 1 loss, of events of any kind: not everything that happened there is in it; "
		     "bcoslog losses lists it\n",
			 run_top(ARGUMENTS("log"), KEYS('q')) == 0);
	assert_line(0, 4, "the log states 1 loss: sums are lower bounds");
	assert_int_equal(screen->shown[0].look[4], LOOK_WARNING);
	assert_int_equal(screen->shown[0].shift[4], 0);
	assert_int_equal(screen->shown[0].look[5], LOOK_HEAD);
	add_entry(made_event(&made, BCOS_GENERIC_CPU, 0, 2002 * MS, BCOS_EVENT_LOSS, 0xC0, "lost 1 events"));
	add_entry(made_event(&made, BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, 2003 * MS, BCOS_EVENT_MISSED, 0xC0,
			     "missed"));
	write_more(used - written);
	height = 9;
	assert_complains("bcoslog: the log states 2 losses, of events of any kind: not everything that happened there is in it; "
		     "bcoslog losses lists them\n"
			 "bcoslog: the log went on faster than it was read, 1 time: what was overwritten is missing\n",
			 run_top(ARGUMENTS("log"), KEYS(SCREEN_END, WAIT)) == 0);
	assert_line(0, 4, "the log states 2 losses, and was read too slowly: sums are lower bounds");
	/* It takes a row of the page. */
	assert_int_equal(screen->shown[1].look[5], LOOK_HEAD);
	assert_true(strlen(line_of(1, 6)) && strlen(line_of(1, 7)));
}

/*
 * Core 0 takes 0.2 W, and 0.6 W more while process 10 has its CPU: from 1.0 s to 1.2 s, and from 1.6 s to 1.7 s.
 * From 1.2 s to 1.6 s nobody knows. So 0.12 J and 0.18 J are known of a second. The log does not state the power of the other core.
 */
static void unknown_time_and_power(void **state)
{
	static const char *const totals[] = {
		"busy >=30.0 %  kernel >=0.0 %  idle >=30.0 %  unknown 40.0 %  1 CPU  0.30 W + 1 core unknown",
		"busy >=15.0 %  kernel >=0.0 %  idle >=65.0 %  unknown 20.0 %  2 CPUs  0.30 W + 2 cores unknown",
	};
	static const u32 performance[] = { 1000 };
	u32 dark, i;

	for (dark = 0; dark <= 1; dark++) {
		used = written = 0;
		unlink("log");
		add_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 5, 100, 300, performance, 1));
		for (i = 1; i <= dark; i++)
			add_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, i, 5, 0, 0, performance, 1));
		for (i = 0; i <= dark; i++)
			add_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, i, 5, i));
		add_name(0, 0, "kernel");
		add_name(10, 500 * MS, "ten");
		for (i = 0; i <= dark; i++)
			add_entry(made_word(&made, BCOS_HIST_ASSIGN_CPU, i, 700 * MS, i ? BCOS_PROCESS_IDLE : 10));
		say_event(1000);
		add_entry(made_event(&made, BCOS_GENERIC_CPU, 0, 1200 * MS, BCOS_EVENT_LOSS, 0x80,
				     "lost 3 assignments: staging full, until 1.300000000 s"));
		assign_cpu(1600, 0, 10);
		assign_cpu(1700, 0, BCOS_PROCESS_IDLE);
		say_event(2000);
		write_more(used);
		assert_complains("bcoslog: the log states 1 loss, of assignments: not everything that happened there is in it; "
		     "bcoslog losses lists it\n",
				 run_top(ARGUMENTS("log"), KEYS('q')) == 0);
		assert_line(0, 1, totals[dark]);
		assert_line(0, 3, dark ? "CPUs ▄_" : "CPUs ▄");
	}
}

/* A block for each CPU: a line has all but six of the columns, and there are four lines at most. */
static void blocks_of_many_cpus(void **state)
{
	static const u32 performance[] = { 1000 };
	char blocks[512];
	u32 i;

	add_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 5, 0, 0, performance, 1));
	for (i = 0; i < 100; i++)
		add_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, i, 5, 0));
	add_name(0, 0, "kernel");
	for (i = 0; i < 100; i++)
		add_entry(made_word(&made, BCOS_HIST_ASSIGN_CPU, i, 700 * MS, BCOS_PROCESS_IDLE));
	say_event(1000);
	say_event(2000);
	width = 26;
	TOP_OF_ALL(KEYS('q'));
	memset(blocks, '_', 20);
	blocks[20] = '\0';
	for (i = 3; i < 7; i++) {
		assert_string_equal(line_of(0, i) + 5, blocks);
		assert_int_equal(strncmp(line_of(0, i), i == 3 ? "CPUs " : "     ", 5), 0);
	}
	assert_int_equal(strncmp(line_of(0, 7), "process", 7), 0);
	assert_line(0, 1, "busy 0.0 %  kernel 0.0 %  idle 100.0 %  unknown 0.0 %  100 CPUs  ? W");
	width = 56;
	TOP(ARGUMENTS("log"), KEYS('q'));
	assert_int_equal(strlen(line_of(0, 3)), 55);
	assert_int_equal(strlen(line_of(0, 4)), 55);
	assert_int_equal(strncmp(line_of(0, 5), "process", 7), 0);
	/* However narrow it is, there are two. */
	width = 8;
	TOP(ARGUMENTS("log"), KEYS('q'));
	assert_line(0, 3, "CPUs __");
	width = 9;
	TOP(ARGUMENTS("log"), KEYS('q'));
	assert_line(0, 4, "     ___");
}

/* CPU 0 is busy for nothing, an eighth, more than that, all; CPU 1 is unknown, or gone. */
static void blocks_are_as_high_as_cpus_are_busy(void **state)
{
	static const struct {
		u64 ms;
		const char *line;
	} busy[] = { { 0, "CPUs __" }, { 1, "CPUs ▁_" }, { 125, "CPUs ▁_" }, { 126, "CPUs ▂_" }, { 1000, "CPUs █_" } };
	size_t i;

	for (i = 0; i < sizeof(busy) / sizeof(busy[0]); i++) {
		used = written = 0;
		unlink("log");
		begin_log();
		add_entry(made_word(&made, BCOS_HIST_ASSIGN_CPU, 0, 700 * MS, busy[i].ms ? 10 : BCOS_PROCESS_IDLE));
		add_entry(made_word(&made, BCOS_HIST_ASSIGN_CPU, 1, 700 * MS, BCOS_PROCESS_IDLE));
		say_event(1000);
		if (busy[i].ms)
			assign_cpu(1000 + busy[i].ms, 0, BCOS_PROCESS_IDLE);
		if (busy[i].ms < 1000)
			say_event(2000);
		TOP_OF_ALL(KEYS('q'));
		assert_line(0, 3, busy[i].line);
	}
	/* In the second interval, one is offline from the beginning, and one of the two CPUs is up. */
	written = used;
	add_entry(made_entry(&made, BCOS_CPU_OFFLINE, 1, 2000 * MS, NULL, 0));
	say_event(3000);
	TOP(ARGUMENTS("-f", "--every", "100ms", "log"), KEYS(GROW, WAIT, WAIT));
	assert_line(1, 3, "CPUs _-");
	assert_line(1, 1, "busy 0.0 %  kernel 0.0 %  idle 100.0 %  unknown 0.0 %  1 CPU  0.20 W");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		screen_test(intervals_end_by_the_clock),
		screen_test(an_interval_has_what_came_in_it),
		screen_test(lives_in_an_interval),
		screen_test(many_that_end),
		screen_test(a_pause),
		screen_test(intervals_of_other_lengths),
		screen_test(a_pipe_that_ends),
		screen_test(it_falls_behind),
		screen_test(a_crowd_that_goes),
		screen_test(total_times_of_intervals),
		screen_test(power_of_two_cores),
		screen_test(an_empty_log),
		screen_test(losses_have_a_line),
		screen_test(unknown_time_and_power),
		screen_test(blocks_of_many_cpus),
		screen_test(blocks_are_as_high_as_cpus_are_busy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
