// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests statements in the library: the wall clock, and whether a statement adds something.  Expectations are by hand.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bcoslog.h"

static union {
	struct bcos_generic event;
	char room[1024];
} made;

static const struct bcos_entry *make_event(uint16_t type, uint32_t source, uint64_t time, uint32_t precision,
					   uint32_t id, const char *text)
{
	size_t length = strlen(text);

	memset(&made, 0, sizeof(made));
	made.event.header = (struct bcos_entry){
		.size = (uint16_t)((0x19 + length + 3) & ~3ul), .type = type, .source = source, .time = time,
		.precision = precision };
	made.event.event_id = id;
	made.event.severity = 0x40;
	memcpy(made.room + 0x19, text, length);
	return &made.event.header;
}

static const struct bcos_entry *clock_says(uint64_t time, uint32_t precision, const char *text)
{
	return make_event(0x0010, 0, time, precision, 0xC0000010, text);
}

static void test_wall_clock(void **state)
{
	struct bcoslog_wall wall = { 1, 2, 3 };

	assert_true(bcoslog_wall_clock(clock_says(7500000000, 20, "wall clock 1700000000.000000123"), &wall));
	assert_int_equal(wall.boot, 7500000000);
	assert_int_equal(wall.utc, 1700000000000000123);
	assert_int_equal(wall.precision, 20);
	/* These times are before and after the reading of the clock. */
	assert_int_equal(bcoslog_wall_time(&wall, 7500000000), 1700000000000000123);
	assert_int_equal(bcoslog_wall_time(&wall, 7500000001), 1700000000000000124);
	assert_int_equal(bcoslog_wall_time(&wall, 0), 1699999992500000123);
	assert_int_equal(bcoslog_wall_time(&wall, UINT64_MAX), UINT64_MAX);
	/* A machine that does not know the time begins with 1970. */
	assert_true(bcoslog_wall_clock(clock_says(5000, 1, "wall clock 0.000001000"), &wall));
	assert_int_equal(wall.utc, 1000);
	assert_int_equal(bcoslog_wall_time(&wall, 4000), 0);
	assert_int_equal(bcoslog_wall_time(&wall, 3999), 0);
	/* This is the last second that there is. */
	assert_true(bcoslog_wall_clock(clock_says(0, 1, "wall clock 18446744072.999999999"), &wall));
	assert_int_equal(wall.utc, 18446744072999999999ull);
}

static void test_what_is_none(void **state)
{
	static const char *const texts[] = {
		"", "wall clock", "wall clock ", "wall clock 5", "wall clock 5.", "wall clock .000000000",
		"wall clock 5.00000000", "wall clock 5.0000000000", "wall clock 5.00000000x", "wall clock -5.000000000",
		"wall clock 5.000000000 ", "wall clock  5.000000000", "Wall clock 5.000000000", "boot 5.000000000",
		"wall clock 18446744073.000000000", "wall clock 99999999999999999999999999.000000000",
		"wall clock 0x5.000000000", "wall clock 5,000000000",
	};
	struct bcoslog_wall wall = { 1, 2, 3 };
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_false(bcoslog_wall_clock(clock_says(9, 1, texts[i]), &wall));
	/* A program can say anything, but only about itself, and the ID means something else for other subjects. */
	assert_false(bcoslog_wall_clock(make_event(0x0010, 4711, 9, 1, 0xC0000010, "wall clock 5.000000000"), &wall));
	assert_false(bcoslog_wall_clock(make_event(0x4010, 0, 9, 1, 0xC0000010, "wall clock 5.000000000"), &wall));
	assert_false(bcoslog_wall_clock(make_event(0x0010, 0, 9, 1, 0xC0000011, "wall clock 5.000000000"), &wall));
	/* An entry is no event because of its size alone. */
	assert_false(bcoslog_wall_clock(&(struct bcos_entry){ .size = 20, .type = 0x4001 }, &wall));
	assert_int_equal(wall.boot, 1);
	assert_int_equal(wall.utc, 2);
	assert_int_equal(wall.precision, 3);
}

static void test_which_are(void **state)
{
	assert_true(bcoslog_is_statement(clock_says(1, 1, "wall clock 5.000000000")));
	assert_true(bcoslog_is_statement(make_event(0x0010, 0, 1, 1, 0xC0000011, "boot x")));
	assert_true(bcoslog_is_statement(make_event(0x0010, 0, 1, 1, 0xC0000012, "host x")));
	assert_true(bcoslog_is_statement(make_event(0x0010, 0, 1, 1, 0xC0000013, "kernel x")));
	assert_true(bcoslog_is_statement(make_event(0x0010, 0, 1, 1, 0xC0000014, "bcos_evlog x")));
	assert_true(bcoslog_is_statement(make_event(0x4010, 3, 1, 1, 0x80000003, "class mask")));
	assert_false(bcoslog_is_statement(make_event(0x0010, 1, 1, 1, 0xC0000012, "host x")));
	assert_false(bcoslog_is_statement(make_event(0x0010, 0, 1, 1, 0xC0000015, "host x")));
	assert_false(bcoslog_is_statement(make_event(0x4010, 3, 1, 1, 0x80000001, "lost")));
	assert_false(bcoslog_is_statement(make_event(0x0010, 0, 1, 1, 0, "line of the kernel's log")));
	assert_string_equal(bcoslog_event(0x0010, 0xC0000010), "wall clock");
	assert_string_equal(bcoslog_event(0x0010, 0xC0000012), "host name");
}

/* Return: was it a repetition?  Either way the state knows it from here on. */
static bool is_repeated(struct bcoslog_state *log, const struct bcos_entry *entry)
{
	enum bcoslog_news news = bcoslog_state_compare(log, entry);

	assert_true(news == BCOSLOG_NEWS || news == BCOSLOG_REPEATED);
	assert_int_equal(bcoslog_state_apply(log, entry), 0);
	assert_int_equal(bcoslog_state_compare(log, entry),
			 bcoslog_is_statement(entry) ? BCOSLOG_REPEATED : BCOSLOG_NEWS);
	return news == BCOSLOG_REPEATED;
}

static void test_repetitions(void **state)
{
	struct bcoslog_state *log = bcoslog_state_new();

	assert_false(is_repeated(log, make_event(0x0010, 0, 10, 1, 0xC0000012, "host a")));
	assert_true(is_repeated(log, make_event(0x0010, 0, 20, 5, 0xC0000012, "host a")));
	assert_false(is_repeated(log, make_event(0x0010, 0, 30, 1, 0xC0000013, "host a")));
	assert_false(is_repeated(log, make_event(0x0010, 0, 40, 1, 0xC0000012, "host ab")));
	assert_false(is_repeated(log, make_event(0x0010, 0, 50, 1, 0xC0000012, "host a")));
	/* Only the new mask of a change of the classes counts. */
	assert_false(is_repeated(log,
				 make_event(0x4010, 0, 60, 1, 0x80000003,
					    "class mask 0x3f -> 0x1e: assign off, api off")));
	assert_true(is_repeated(log, make_event(0x4010, 1, 70, 1, 0x80000003, "class mask 0x1f -> 0x1e: assign off")));
	assert_false(is_repeated(log, make_event(0x4010, 1, 80, 1, 0x80000003, "class mask 0x1e -> 0x1f: assign on")));
	/* Other events are always new. */
	assert_false(is_repeated(log, make_event(0x0010, 0, 90, 1, 0, "a line")));
	assert_false(is_repeated(log, make_event(0x0010, 0, 90, 1, 0, "a line")));
	/* After the notice that entries were overwritten unread, nothing is known. */
	assert_true(is_repeated(log, make_event(0x0010, 0, 95, 1, 0xC0000012, "host a")));
	assert_int_equal(bcoslog_state_apply(log, make_event(0x6010, 0xC0000000, 99, 1, 0x80000002, "missed")), 0);
	assert_false(is_repeated(log, make_event(0x0010, 0, 99, 1, 0xC0000012, "host a")));
	bcoslog_state_free(log);
}

static void test_clock_repetitions(void **state)
{
	struct bcoslog_state *log = bcoslog_state_new();
	char text[400] = "boot ";

	assert_null(bcoslog_state_wall(log));
	assert_false(is_repeated(log, clock_says(1000, 5, "wall clock 100.000001000")));
	/* The wall clock went on as time did, then within its uncertainty, and then it did not. */
	assert_true(is_repeated(log, clock_says(2000, 5, "wall clock 100.000002000")));
	assert_int_equal(bcoslog_state_wall(log)->boot, 2000);
	assert_true(is_repeated(log, clock_says(3000, 5, "wall clock 100.000003005")));
	assert_false(is_repeated(log, clock_says(4000, 5, "wall clock 100.000004011")));
	assert_true(is_repeated(log, clock_says(5000, 5, "wall clock 100.000005006")));
	assert_false(is_repeated(log, clock_says(6000, 5, "wall clock 100.000006000")));
	assert_int_equal(bcoslog_state_wall(log)->utc, 100000006000);
	/* A malformed statement changes nothing. */
	assert_int_equal(bcoslog_state_compare(log, clock_says(7000, 5, "wall clock soon")), BCOSLOG_NEWS);
	assert_int_equal(bcoslog_state_apply(log, clock_says(7000, 5, "wall clock soon")), 0);
	assert_int_equal(bcoslog_state_wall(log)->utc, 100000006000);
	/* A text that is longer than the state keeps is never a repetition, and does no harm. */
	memset(text + 5, 'x', sizeof(text) - 6);
	assert_int_equal(bcoslog_state_apply(log, make_event(0x0010, 0, 10, 1, 0xC0000011, text)), 0);
	assert_int_equal(bcoslog_state_compare(log, make_event(0x0010, 0, 10, 1, 0xC0000011, text)), BCOSLOG_NEWS);
	bcoslog_state_free(log);
}

/* While assignments are off, the state does not know what a CPU runs. */
static void test_assignments_off(void **state)
{
	const struct bcos_process_name name = { { 24, 0x0000, 5, 1, 1 } };
	const struct bcos_cpu_online online = { { 24, 0x4000, 0, 1, 1 }, 0 };
	const struct bcos_assign_cpu assign = { { 24, 0x4002, 0, 2, 1 }, 5 };
	struct bcoslog_state *log = bcoslog_state_new();
	struct {
		struct bcos_process_name name;
		char text[4];
	} sh = { name, "sh" };

	assert_int_equal(bcoslog_state_apply(log, &sh.name.header), 0);
	assert_int_equal(bcoslog_state_apply(log, &online.header), 0);
	assert_int_equal(bcoslog_state_apply(log, &assign.header), 0);
	assert_int_equal(bcoslog_state_apply(log,
					     make_event(0x4010, 0, 3, 1, 0x80000003,
							"class mask 0x1f -> 0xd: irq off")),
			 0);
	assert_true(bcoslog_cpu(log, 0)->assigned);
	assert_int_equal(bcoslog_process(log, 5)->cpus, 1);
	assert_int_equal(bcoslog_state_apply(log,
					     make_event(0x4010, 0, 4, 1, 0x80000003,
							"class mask 0xd -> 0xc: assign off")), 0);
	assert_false(bcoslog_cpu(log, 0)->assigned);
	assert_int_equal(bcoslog_process(log, 5)->cpus, 0);
	assert_int_equal(bcoslog_state_apply(log, &assign.header), 0);
	assert_true(bcoslog_cpu(log, 0)->assigned);
	assert_int_equal(bcoslog_state_apply(log,
			make_event(0x4010, 0, 4, 1, 0x80000003, "class mask 0xd -> 0x21e: assign off")), 0);
	assert_false(bcoslog_cpu(log, 0)->assigned);
	assert_int_equal(bcoslog_state_apply(log, &assign.header), 0);
	/* The masks differ in one digit, which decides. */
	assert_int_equal(bcoslog_state_apply(log,
					     make_event(0x4010, 0, 4, 1, 0x80000003,
							"class mask 0x13 -> 0x11: irq off")),
			 0);
	assert_true(bcoslog_cpu(log, 0)->assigned);
	assert_int_equal(bcoslog_state_apply(log,
			make_event(0x4010, 0, 4, 1, 0x80000003, "class mask 0x11 -> 0x10: assign off")), 0);
	assert_false(bcoslog_cpu(log, 0)->assigned);
	assert_int_equal(bcoslog_state_apply(log, &assign.header), 0);
	assert_int_equal(bcoslog_state_apply(log,
					     make_event(0x4010, 0, 4, 1, 0x80000003,
							"class mask 0x1 -> 0: assign off")),
			 0);
	assert_false(bcoslog_cpu(log, 0)->assigned);
	assert_int_equal(bcoslog_state_apply(log, &assign.header), 0);
	/* A text that is no number says nothing of assignments. */
	assert_int_equal(bcoslog_state_apply(log,
			make_event(0x4010, 0, 4, 1, 0x80000003, "class mask 0x1 -> 0x-00000000: assign off")), 0);
	assert_int_equal(bcoslog_state_apply(log,
			make_event(0x4010, 0, 4, 1, 0x80000003, "class mask 0x1 -> 0xg00000000: assign off")), 0);
	assert_true(bcoslog_cpu(log, 0)->assigned);
	bcoslog_state_free(log);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wall_clock),
		cmocka_unit_test(test_what_is_none),
		cmocka_unit_test(test_which_are),
		cmocka_unit_test(test_repetitions),
		cmocka_unit_test(test_clock_repetitions),
		cmocka_unit_test(test_assignments_off),
	};

	return cmocka_run_group_tests_name("statement", tests, NULL, NULL);
}
