// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The map of the turns of CPUs: which letter each of its 64 cells shows, what the letters mean, and the marks. */
#include "failing_memory.h"
#include "output/output.h"
#include "printed.h"
#include "views/around/map.h"
#include "report/course/imprecise.h"

#define MARGIN "             "
#define ROW(cpu) "  CPU " #cpu "      "
#define TEN "          "
/* The moment is the begin of the cell 32. */
#define MIDDLE MARGIN TEN TEN TEN "  v\n"
#define FIFTEEN "               "
#define THIRTY_TWO(c) c c c c c c c c c c c c c c c c c c c c c c c c c c c c c c c c

static struct happening of[80];
static struct happenings all;

static int begin_map(void **state)
{
	memset(of, 0, sizeof(of));
	/* The first one is no longer kept. */
	of[0] = (struct happening){ .kind = HAPPENS_TURN, .id = 99, .end = 1 << 30, .use = { .use = BCOSLOG_USE_IDLE } };
	all = (struct happenings){ .of = of, .first = 1, .room = 80 };
	output.used = 0;
	return 0;
}

static void add_turn(u32 cpu, u64 begin, u64 end, enum bcoslog_use use, u32 process, const char *name)
{
	struct happening *turn = &of[all.first + all.count++];

	*turn = (struct happening){ .kind = HAPPENS_TURN, .subject = BCOS_SUBJECT_CPU, .id = cpu, .begin = begin, .end = end,
		.use = { .use = use, .process = process, .serial = process } };
	recent_name_it(&turn->use, name, strlen(name));
}

static void add_process(u32 cpu, u64 begin, u64 end, u32 process, const char *name)
{
	add_turn(cpu, begin, end, BCOSLOG_USE_PROCESS, process, name);
}

static void assert_map(u64 begin, u64 end, u64 known, u64 moment, const char *expected)
{
	assert_int_equal(map_print(&all, begin, end, known, moment), 0);
	assert_printed(expected);
}

/* ---- letters --------------------------------------------------------------------------------- */

/* A cell is 10 ns. The first one of two that share a cell equally has the letter. */
static void rows_and_letters(void **state)
{
	add_turn(1, 0, 10, BCOSLOG_USE_IDLE, 0, "");
	add_turn(1, 10, 20, BCOSLOG_USE_KERNEL, 0, "kernel");
	add_turn(1, 20, 30, BCOSLOG_USE_UNKNOWN, 0, "");
	add_process(0, 0, 315, 10, "ten");
	of[all.first + all.count++] = (struct happening){ .kind = HAPPENS_INTERRUPT, .id = 7, .begin = 5, .end = 5 };
	add_process(0, 315, 640, 20, "a\n");
	add_process(1, 60, 70, 10, "ten");
	assert_map(0, 640, 640, 320, MIDDLE
		   ROW(0) THIRTY_TWO("A") THIRTY_TWO("B") "\n"
		   ROW(1) ".0?   A\n"
		   MARGIN "A ten (10), B a\\n (20), 0 kernel, . idle, ? unknown\n");
}

static void the_longest_use_without_a_change(void **state)
{
	add_process(0, 0, 4, 10, "a");
	add_process(0, 4, 7, 20, "b");
	add_process(0, 7, 10, 20, "b");
	/* All are equally long. */
	add_process(0, 10, 13, 10, "a");
	add_process(0, 13, 16, 20, "b");
	add_process(0, 16, 19, 10, "a");
	/* Only its time in the same cell counts. */
	add_process(0, 19, 22, 20, "b");
	add_process(0, 22, 26, 10, "a");
	add_process(0, 26, 38, 20, "b");
	/* Two turns are one use, in whichever cell. */
	add_process(0, 40, 44, 10, "a");
	add_process(0, 44, 47, 20, "b");
	add_process(0, 47, 50, 20, "b");
	assert_map(0, 640, 640, 0, MARGIN "v\n" ROW(0) "BAABB\n" MARGIN "A a (10), B b (20)\n");
}

/* A turn outside has no letter. A part in the window and in the log is shown. */
static void turns_are_cut(void **state)
{
	add_process(0, 900, 1000, 10, "before");
	add_process(0, 990, 1020, 20, "b");
	add_process(0, 1040, 1090, 40, "after");
	add_process(0, 1030, 1090, 30, "c");
	assert_map(1000, 1640, 1040, 1639, MARGIN TEN TEN TEN TEN TEN TEN "   v\n" ROW(0) "AA B\n"
		   MARGIN "A b (20), B c (30)\n");
	/* The end of the window is one, too. */
	assert_map(1000, 1640, 5000, 1000, MARGIN "v\n" ROW(0) "AA CBBBBB\n"
		   MARGIN "A b (20), B after (40), C c (30)\n");
}

static void processes_of_one_id(void **state)
{
	add_process(0, 0, 10, 10, "a");
	add_process(0, 10, 20, 10, "b");
	of[all.first + 1].use.serial = 11;
	add_process(0, 20, 30, 10, "a");
	assert_map(0, 640, 640, 0, MARGIN "v\n" ROW(0) "ABA\n" MARGIN "A a (10), B b (10)\n");
}

static void letters_that_nothing_shows(void **state)
{
	add_turn(0, 0, 6, BCOSLOG_USE_IDLE, 0, "");
	add_process(0, 6, 10, 10, "a");
	add_process(0, 10, 20, 20, "b");
	add_process(0, 20, 23, 30, "c");
	add_process(0, 23, 30, 40, "d");
	assert_map(0, 640, 640, 0, MARGIN "v\n" ROW(0) ".BD\n" MARGIN "B b (20), D d (40), . idle\n");
	all.count = 1;
	assert_map(0, 640, 640, 0, MARGIN "v\n" ROW(0) ".\n" MARGIN ". idle\n");
}

/* There are 52 letters. */
static void processes_without_letters(void **state)
{
	static const char row[] = ROW(0) "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz**Az\n";
	const char *text;
	u64 i;

	for (i = 0; i < 54; i++)
		add_process(0, 10 * i, 10 * i + 10, (u32)(100 + i), "x");
	add_process(0, 540, 550, 100, "x");
	add_process(0, 550, 560, 151, "x");
	assert_int_equal(map_print(&all, 0, 640, 640, 0), 0);
	text = printed_text();
	assert_non_null(strstr(text, row));
	assert_non_null(strstr(text, "\n" MARGIN "A x (100), B x (101), C x (102), "));
	assert_non_null(strstr(text, "z x (151), * others\n"));
	assert_null(strstr(text, "(152)"));
}

static void nothing_to_draw(void **state)
{
	assert_map(0, 640, 640, 0, "");
	of[all.first + all.count++] = (struct happening){ .kind = HAPPENS_INTERRUPT, .id = 7, .begin = 5, .end = 5 };
	assert_map(0, 640, 640, 0, "");
	add_turn(3, 700, 800, BCOSLOG_USE_IDLE, 0, "");
	assert_map(0, 640, 640, 0, MARGIN "v\n  CPU 3\n" MARGIN "\n");
}

/* There are 16 cells for each of the 4 ns, and the last of them is the only one in which time passes. */
static void a_window_of_few_nanoseconds(void **state)
{
	add_process(0, 90, 102, 10, "a");
	add_process(0, 102, 200, 20, "b");
	assert_map(100, 104, 104, 102, MIDDLE ROW(0) FIFTEEN "A" FIFTEEN "A" FIFTEEN "B" FIFTEEN "B\n"
		   MARGIN "A a (10), B b (20)\n");
	assert_map(100, 100, 200, 100, MARGIN "v\n" ROW(0) FIFTEEN " " FIFTEEN " " FIFTEEN " " FIFTEEN "A\n"
		   MARGIN "A a (10)\n");
}

static void no_memory(void **state)
{
	add_process(0, 0, 10, 10, "a");
	add_process(1, 0, 10, 20, "b");
	failing = 1;
	assert_int_equal(map_print(&all, 0, 640, 640, 0), -ENOMEM);
	failing = 2;
	assert_int_equal(map_print(&all, 0, 640, 640, 0), -ENOMEM);
	assert_printed("");
	/* Nothing of it is left. */
	all.count = 1;
	assert_map(0, 640, 640, 0, MARGIN "v\n" ROW(0) "A\n" MARGIN "A a (10)\n");
}

/* ---- marks ------------------------------------------------------------------------------------- */

/*
 * A cell is 100 ns. The first entry happened from 10250 to 10400, which is the begin of the cell 4. The second one is as
 * precise as a cell is wide. The log ends at 13000, the begin of the cell 30. Entries are noted once and in order, so
 * this test is the last one.
 */
static void imprecise_cells(void **state)
{
	imprecise_note(10250, 150);
	imprecise_note(11000, 100);
	imprecise_note(12000, 5000);
	add_turn(0, 10000, 10100, BCOSLOG_USE_IDLE, 0, "");
	assert_map(10000, 16400, 13000, 10000, MARGIN "v\n" ROW(0) ".\n"
		   MARGIN "  ~~~               ~~~~~~~~~~~\n" MARGIN ". idle, ~ imprecise\n");
	all.count = 0;
	add_turn(0, 10, 20, BCOSLOG_USE_IDLE, 0, "");
	assert_map(10000, 16400, 10300, 10000, MARGIN "v\n  CPU 0\n" MARGIN "  ~~\n" MARGIN "~ imprecise\n");
	/* Until 20004 a cell is less than 1 ns. */
	imprecise_note(20001, 5);
	assert_map(20000, 20004, 20004, 20000, MARGIN "v\n  CPU 0\n"
		   MARGIN FIFTEEN " ~~~~~~~~~~~~~~~~" THIRTY_TWO("~") "\n" MARGIN "~ imprecise\n");
}

#define map_test(test) cmocka_unit_test_setup(test, begin_map)

int main(void)
{
	const struct CMUnitTest tests[] = {
		map_test(rows_and_letters),
		map_test(the_longest_use_without_a_change),
		map_test(turns_are_cut),
		map_test(processes_of_one_id),
		map_test(letters_that_nothing_shows),
		map_test(processes_without_letters),
		map_test(nothing_to_draw),
		map_test(a_window_of_few_nanoseconds),
		map_test(no_memory),
		map_test(imprecise_cells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
