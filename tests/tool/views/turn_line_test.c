// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lines of turns: for people on a terminal of 90 columns, as JSON, and as RFC 4180. */
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>

#include "failing_memory.h"
#include "output/output.h"
#include "printed.h"
#include "output/times.h"
#include "views/turn_line.h"

int isatty(int fd)
{
	return fd == STDOUT_FILENO;
}

/* It is asked once. */
int ioctl(int fd, unsigned long request, ...)
{
	struct winsize *size;
	va_list args;

	va_start(args, request);
	size = va_arg(args, struct winsize *);
	va_end(args);
	*size = (struct winsize){ .ws_row = 24, .ws_col = 90 };
	return 0;
}

#define TEN "0123456789"
#define BEGIN "     1.500000000    3    5000.0 us    1500 ns    20.0 ms  10 "

static struct bcoslog_account_process process = { .id = 10 }, twenty = { .id = 20 };
static struct turn turn;
static struct turn_form form;

static void name_it(struct bcoslog_account_process *of, const char *name)
{
	of->name = name;
	of->name_length = strlen(name);
}

static int begin_turn(void **state)
{
	name_it(&process, "ten");
	name_it(&twenty, "twenty");
	turn = (struct turn){ .begin = 1500000000, .end = 1520000000, .cpu = 3, .process = &process, .thread = 11,
		.off = 5000000, .waited = 1500, .left = BCOS_STATES };
	form = (struct turn_form){ .form = TABLE_TEXT };
	output.used = 0;
	return 0;
}

/* Runs it in a process of its own, since the head is printed once, and a foot tells of all lines before it. */
#define assert_alone(expected, statement) do { \
		int status_; \
		pid_t child_ = fork(); \
		assert_true(child_ >= 0); \
		if (!child_) { \
			statement; \
			_exit(strcmp(printed_text(), expected) != 0); \
		} \
		assert_int_equal(waitpid(child_, &status_, 0), child_); \
		assert_int_equal(status_, 0); \
	} while (0)

static void use_wall_clock(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
	time_mode = TIME_WALL;
	wall = (struct bcoslog_wall){ .boot = 1000000000, .utc = 1700000000000000000, .precision = 1 };
	wall_known = true;
}

/* ---- heads ----------------------------------------------------------------------------------- */

static void head_of(enum table_form of, bool threads, bool dates)
{
	form.form = of;
	form.threads = threads;
	if (dates)
		use_wall_clock();
	turn_head(&form);
	turn_head(&form);
}

#define CSV_END ",off_ns,waited_ns,cpu_ns,left,woken_by,waker,waker_thread,next,next_name"

static void heads_of_tables(void **state)
{
	assert_alone("            time  CPU          off    waited       ran  process\n", head_of(TABLE_TEXT, false, false));
	assert_alone("            time  CPU          off    waited       ran  thread of process\n",
		     head_of(TABLE_TEXT, true, false));
	assert_alone("                      time  CPU          off    waited       ran  process\n",
		     head_of(TABLE_TEXT, false, true));
	assert_alone("begin,end,cpu,process,name" CSV_END "\r\n", head_of(TABLE_CSV, false, false));
	assert_alone("begin,end,begin_wall,end_wall,cpu,process,name,thread" CSV_END ",next_thread\r\n",
		     head_of(TABLE_CSV, true, true));
	assert_alone("", head_of(TABLE_JSON, false, false));
}

/* ---- for people -------------------------------------------------------------------------------- */

/* Prints a line in whose foot these parts appear: its name fills it, or leaves no room for the waker. */
static void line_without(bool left, bool next, bool waker)
{
	name_it(&process, TEN TEN TEN);
	form.next = next;
	if (left)
		turn.left = BCOS_STATE_BLOCKED;
	turn.next = (struct successor){ .known = next, .id = BCOS_PROCESS_IDLE };
	turn.preempted = waker;
	turn_put(&turn, &form);
	output.used = 0;
	turn_foot();
}

static void feet_of_tables(void **state)
{
	assert_alone("", line_without(false, false, false));
	assert_alone("(no room for: how it ended)\n", line_without(true, false, false));
	assert_alone("(no room for: then)\n", line_without(false, true, false));
	assert_alone("(no room for: woken by)\n", line_without(false, false, true));
	assert_alone("(no room for: how it ended, then)\n", line_without(true, true, false));
	assert_alone("(no room for: how it ended, woken by)\n", line_without(true, false, true));
	assert_alone("(no room for: then, woken by)\n", line_without(false, true, true));
	assert_alone("(no room for: how it ended, then, woken by)\n", line_without(true, true, true));
}

static void assert_line(const char *expected)
{
	assert_int_equal(turn_put(&turn, &form), 0);
	assert_printed(expected);
}

/* The fields before the ID have 56 columns, and the ID has 5, so there are 29 for the rest. */
static void fields_of_lines(void **state)
{
	assert_int_equal(turn_put(&turn, &form), 0);
	assert_printed("            time  CPU          off    waited       ran  process\n" BEGIN "ten\n");
	assert_line(BEGIN "ten\n");
	turn.off = turn.waited = 0;
	turn.part = true;
	assert_line("     1.500000000    3                          >=20.0 ms  10 ten\n");
	turn.process = NULL;
	turn.part = false;
	turn.cpu = 12345;
	assert_line("     1.500000000 12345                            20.0 ms  idle\n");
	turn.process = &process;
	turn.cpu = 3;
	form.threads = true;
	assert_line("     1.500000000    3                            20.0 ms  11 of 10 ten\n");
}

static void names_are_cut(void **state)
{
	name_it(&process, TEN TEN "012345678");
	assert_line(BEGIN TEN TEN "012345678\n");
	name_it(&process, TEN TEN TEN);
	assert_line(BEGIN TEN TEN "012345678\n");
}

static void how_turns_end(void **state)
{
	static const char *const words[] = { "preempted", "blocked", "blocked hard", "woken", "stopped", "dead" };
	char expected[200];
	u32 i;

	for (i = 0; i < 6; i++) {
		turn.left = BCOS_STATE_RUNS + i;
		snprintf(expected, sizeof(expected), BEGIN "ten, %s\n", words[i]);
		assert_line(expected);
	}
	turn.left = BCOS_STATES;
	assert_line(BEGIN "ten\n");
	/* This is all the room that there is. */
	turn.left = BCOS_STATE_BLOCKED;
	name_it(&process, TEN TEN);
	assert_line(BEGIN TEN TEN ", blocked\n");
	name_it(&process, TEN TEN "0");
	assert_line(BEGIN TEN TEN "0\n");
}

static void next_processes(void **state)
{
	turn.next = (struct successor){ .known = true, .id = 20, .process = &twenty, .thread = 21 };
	assert_line(BEGIN "ten\n");
	form.next = true;
	assert_line(BEGIN "ten, then 20 twenty\n");
	turn.next.process = NULL;
	assert_line(BEGIN "ten, then 20 \n");
	turn.next.id = BCOS_PROCESS_IDLE;
	assert_line(BEGIN "ten, then idle\n");
	turn.next.known = false;
	assert_line(BEGIN "ten\n");
	/* 13 columns, ten for the words before, and 6 for the name. */
	turn.next = (struct successor){ .known = true, .id = 20, .process = &twenty, .thread = 21 };
	name_it(&process, TEN "012");
	assert_line(BEGIN TEN "012, then 20 twenty\n");
	name_it(&process, TEN "0123");
	assert_line(BEGIN TEN "0123\n");
	/* A shorter part that follows has room. */
	turn.left = BCOS_STATE_RUNS;
	turn.next.process = NULL;
	name_it(&process, TEN);
	assert_line(BEGIN TEN ", preempted\n");
	turn.left = BCOS_STATES;
	turn.preempted = true;
	name_it(&process, TEN "012");
	assert_line(BEGIN TEN "012, then 20 \n");
	turn.preempted = false;
	name_it(&process, "ten");
	form.threads = true;
	assert_line("     1.500000000    3    5000.0 us    1500 ns    20.0 ms  11 of 10 ten, then 21 of 20 \n");
	turn.next.thread = 0;
	turn.next.process = &twenty;
	assert_line("     1.500000000    3    5000.0 us    1500 ns    20.0 ms  11 of 10 ten, then 20 twenty\n");
}

static void wakers_of_turns(void **state)
{
	turn.waker = (struct bcoslog_waker){ .by = BCOSLOG_WOKEN_BY_INTERRUPT };
	assert_line(BEGIN "ten, woken by an interrupt\n");
	turn.preempted = true;
	assert_line(BEGIN "ten, preempted before\n");
	turn.preempted = false;
	turn.waker = (struct bcoslog_waker){ .by = BCOSLOG_WOKEN_BY_THREAD, .process = 5, .thread = 6 };
	name_it(&process, "");
	/* 29 columns are enough, and 28 are not. */
	assert_line(BEGIN ", woken by process 5 thread 6\n");
	name_it(&process, "x");
	assert_line(BEGIN "x\n");
}

static void the_wall_clock(void **state)
{
	use_wall_clock();
	turn.left = BCOS_STATE_BLOCKED;
	/* The fields before the rest have 10 columns more. */
	name_it(&process, TEN);
	assert_line("2023-11-14 22:13:20.500000    3    5000.0 us    1500 ns    20.0 ms  10 " TEN ", blocked\n");
	name_it(&process, TEN "0");
	assert_line("2023-11-14 22:13:20.500000    3    5000.0 us    1500 ns    20.0 ms  10 " TEN "0\n");
	name_it(&process, TEN TEN);
	assert_line("2023-11-14 22:13:20.500000    3    5000.0 us    1500 ns    20.0 ms  10 " TEN "012345678\n");
	form.form = TABLE_CSV;
	name_it(&process, "ten");
	assert_line("1500000000,1520000000,2023-11-14T22:13:20.500000000Z,2023-11-14T22:13:20.520000000Z,3,10,\"ten\","
		    "5000000,1500,20000000,blocked,,,,,\r\n");
	time_mode = TIME_BOOT;
}

/* ---- for programs --------------------------------------------------------------------------------- */

static void turns_as_csv(void **state)
{
	form.form = TABLE_CSV;
	assert_line("1500000000,1520000000,3,10,\"ten\",5000000,1500,20000000,,,,,,\r\n");
	turn.off = turn.waited = 0;
	turn.left = BCOS_STATE_RUNS;
	turn.waker = (struct bcoslog_waker){ .by = BCOSLOG_WOKEN_BY_INTERRUPT, .process = 5, .thread = 6 };
	turn.next = (struct successor){ .known = true, .id = 20, .process = &twenty, .thread = 21 };
	assert_line("1500000000,1520000000,3,10,\"ten\",,,20000000,preempted,an interrupt,,,20,\"twenty\"\r\n");
	form.threads = true;
	turn.waker.by = BCOSLOG_WOKEN_BY_THREAD;
	assert_line("1500000000,1520000000,3,10,\"ten\",11,,,20000000,preempted,process 5 thread 6,5,6,20,\"twenty\",21\r\n");
	turn.next = (struct successor){ .known = true, .id = BCOS_PROCESS_IDLE };
	turn.process = NULL;
	assert_line("1500000000,1520000000,3,,\"idle\",11,,,20000000,preempted,process 5 thread 6,5,6,,\"idle\",\r\n");
	form.threads = false;
	turn.next = (struct successor){ .known = true, .id = 20 };
	assert_line("1500000000,1520000000,3,,\"idle\",,,20000000,preempted,process 5 thread 6,5,6,20,\r\n");
	turn.next = (struct successor){ .known = false, .id = 20, .process = &twenty };
	assert_line("1500000000,1520000000,3,,\"idle\",,,20000000,preempted,process 5 thread 6,5,6,,\r\n");
}

#define TIMES "{\"begin\":1500000000,\"end\":1520000000,\"cpu\":3,"

static void turns_as_json(void **state)
{
	form.form = TABLE_JSON;
	assert_line(TIMES "\"process\":10,\"name\":\"ten\",\"off_ns\":5000000,\"waited_ns\":1500,\"preempted\":false,"
		    "\"woken_by\":null,\"cpu_ns\":20000000,\"left\":null}\n");
	turn.off = turn.waited = 0;
	turn.part = true;
	turn.left = BCOS_STATE_DEAD;
	turn.waker.by = BCOSLOG_WOKEN_BY_INTERRUPT;
	turn.next = (struct successor){ .known = true, .id = BCOS_PROCESS_IDLE };
	assert_line(TIMES "\"process\":10,\"name\":\"ten\",\"off_ns\":null,\"waited_ns\":null,\"preempted\":null,"
		    "\"woken_by\":{\"interrupt\":true},\"cpu_ns\":20000000,\"cpu_ns_at_least\":true,\"left\":\"dead\","
		    "\"next\":null,\"next_name\":\"idle\"}\n");
	form.threads = true;
	turn.part = false;
	turn.preempted = true;
	turn.waker = (struct bcoslog_waker){ .by = BCOSLOG_WOKEN_BY_THREAD, .process = 5, .thread = 6 };
	turn.next = (struct successor){ .known = true, .id = 20, .process = &twenty, .thread = 21 };
	assert_line(TIMES "\"process\":10,\"name\":\"ten\",\"thread\":11,\"off_ns\":null,\"waited_ns\":null,"
		    "\"preempted\":true,\"woken_by\":{\"process\":5,\"thread\":6},\"cpu_ns\":20000000,\"left\":\"dead\","
		    "\"next\":20,\"next_name\":\"twenty\",\"next_thread\":21}\n");
	turn.process = NULL;
	turn.next.process = NULL;
	turn.next.thread = 0;
	assert_line(TIMES "\"process\":null,\"name\":\"idle\",\"thread\":11,\"off_ns\":null,\"waited_ns\":null,"
		    "\"preempted\":true,\"woken_by\":{\"process\":5,\"thread\":6},\"cpu_ns\":20000000,\"left\":\"dead\","
		    "\"next\":20}\n");
	form.threads = false;
	turn.waited = 1;
	turn.next = (struct successor){ .known = true, .id = 20, .thread = 21 };
	assert_line(TIMES "\"process\":null,\"name\":\"idle\",\"off_ns\":null,\"waited_ns\":1,"
		    "\"preempted\":true,\"woken_by\":{\"process\":5,\"thread\":6},\"cpu_ns\":20000000,\"left\":\"dead\","
		    "\"next\":20}\n");
}

/* Whichever allocation fails, there is the whole object, or none and a sentence. */
static void json_without_memory(void **state)
{
	static char whole[OUTPUT_SIZE + 1];
	unsigned int which, failed = 0;
	int r, kept;
	FILE *file;

	form.form = TABLE_JSON;
	turn.waker = (struct bcoslog_waker){ .by = BCOSLOG_WOKEN_BY_THREAD, .process = 5, .thread = 6 };
	assert_int_equal(turn_put(&turn, &form), 0);
	strcpy(whole, printed_text());
	for (which = 1; which < 1000; which++) {
		file = begin_complaints(&kept);
		failing = which;
		r = turn_put(&turn, &form);
		if (failing) {
			failing = 0;
			end_complaints(file, kept);
			break;
		}
		if (!r) {
			assert_string_equal(end_complaints(file, kept), "");
			assert_printed(whole);
			continue;
		}
		assert_int_equal(r, -ENOMEM);
		assert_string_equal(end_complaints(file, kept), "bcoslog: no memory for a turn as JSON\n");
		assert_printed("");
		failed++;
	}
	/* Each of the values takes memory. */
	assert_true(failed > 10);
	assert_true(which < 1000);
}

#define turn_test(test) cmocka_unit_test_setup(test, begin_turn)

int main(void)
{
	/* The heads and feet are first, since lines print a head, and note what they had no room for. */
	const struct CMUnitTest tests[] = {
		turn_test(heads_of_tables),
		turn_test(feet_of_tables),
		turn_test(fields_of_lines),
		turn_test(names_are_cut),
		turn_test(how_turns_end),
		turn_test(next_processes),
		turn_test(wakers_of_turns),
		turn_test(the_wall_clock),
		turn_test(turns_as_csv),
		turn_test(turns_as_json),
		turn_test(json_without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
