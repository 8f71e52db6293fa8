// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The window of bcoslog around as it is printed: its bounds, who and what each line names, and what is cut. */
#include "failing_memory.h"
#include "output/output.h"
#include "printed.h"
#include "views/around/around.h"

static struct happening one;
static struct window window;

static int begin_window(void **state)
{
	memset(&one, 0, sizeof(one));
	window = (struct window){ .moment = 1000000000, .span = 5000000, .until = 1005000000 };
	window.happenings = (struct happenings){ .of = &one, .count = 1, .room = 1 };
	output.used = 0;
	return 0;
}

static void name_it(const char *name)
{
	recent_name_it(&one.use, name, strlen(name));
}

static void make_entry(enum happening_kind kind, u16 subject, u32 id, const char *text)
{
	memset(&one, 0, sizeof(one));
	one = (struct happening){ .begin = 1000001000, .end = 1000001000, .kind = kind, .subject = subject, .id = id,
		.text = (char *)text, .length = text ? strlen(text) : 0 };
}

static void make_turn(enum bcoslog_use use, u32 process, u64 end)
{
	memset(&one, 0, sizeof(one));
	one = (struct happening){ .begin = 1000001000, .end = end, .kind = HAPPENS_TURN, .subject = BCOS_SUBJECT_CPU,
		.id = 3, .use = { .use = use, .process = process } };
}

/* Asserts that the last line, which is the only row of the table, is this one. */
static void assert_row(const char *expected)
{
	const char *text, *at;

	assert_int_equal(window_text(&window), 0);
	text = printed_text();
	at = text + strlen(text) - 1;
	assert_int_equal(*at, '\n');
	while (at > text && at[-1] != '\n')
		at--;
	assert_string_equal(at, expected);
}

#define EVENT "0.001000       event  "

static void bounds_of_the_window(void **state)
{
	assert_int_equal(window_begin(&window), 995000000);
	assert_int_equal(window_end(&window), 1005000000);
	window.moment = 5000000;
	assert_int_equal(window_begin(&window), 0);
	window.moment = 4999999;
	assert_int_equal(window_begin(&window), 0);
	window.moment = 5000001;
	assert_int_equal(window_begin(&window), 1);
	/* The greatest time is the end of what goes on. */
	window.moment = UINT64_MAX - 4999999;
	assert_true(window_end(&window) == UINT64_MAX - 1);
	window.moment = UINT64_MAX - 5000001;
	assert_true(window_end(&window) == UINT64_MAX - 1);
	window.moment = UINT64_MAX - 5000002;
	assert_true(window_end(&window) == UINT64_MAX - 2);
}

static void whole_pages(void **state)
{
	make_entry(HAPPENS_EVENT, BCOS_SUBJECT_PROCESS, 10, "text");
	name_it("ten");
	assert_int_equal(window_text(&window), 0);
	assert_printed("Around 1.000000000, 5 ms before and after\n\n"
		       "      ms  CPU\n"
		       "0.001000       event  ten (10)  text\n");
	window.map_only = true;
	assert_int_equal(window_text(&window), 0);
	assert_printed("Around 1.000000000, 5 ms before and after\n");
}

/* 16 bytes of a name are shown, in whole characters. */
static void names_of_subjects(void **state)
{
	make_entry(HAPPENS_EVENT, BCOS_SUBJECT_PROCESS, 10, "text");
	name_it("0123456789abcdef");
	assert_row(EVENT "0123456789abcdef (10)  text\n");
	name_it("0123456789abcdefg");
	assert_row(EVENT "0123456789abcdef (10)  text\n");
	name_it("0123456789abcde\u00e4");
	assert_row(EVENT "0123456789abcde (10)  text\n");
	one.subject = BCOS_SUBJECT_DEVICE;
	assert_row(EVENT "0123456789abcde  text\n");
	name_it("0123456789abcdefg");
	assert_row(EVENT "0123456789abcdef  text\n");
	name_it("");
	assert_row(EVENT "0x0000000A  text\n");
	one.subject = BCOS_SUBJECT_CORE;
	assert_row(EVENT "core 10  text\n");
	one.subject = BCOS_SUBJECT_CPU;
	assert_row("0.001000   10  event  CPU 10  text\n");
}

static void turns_of_a_cpu(void **state)
{
	make_turn(BCOSLOG_USE_IDLE, 0, 1000001050);
	assert_row("0.001000    3  runs  idle  50 ns\n");
	make_turn(BCOSLOG_USE_UNKNOWN, 0, 1000001050);
	assert_row("0.001000    3  runs  ?  50 ns\n");
	make_turn(BCOSLOG_USE_KERNEL, 0, 1000001050);
	name_it("kernel");
	assert_row("0.001000    3  runs  kernel (0)  50 ns\n");
	make_turn(BCOSLOG_USE_PROCESS, 10, HAPPENING_OPEN);
	name_it("0123456789abcdefg");
	assert_row("0.001000    3  runs  0123456789abcdef (10)  and beyond\n");
}

/* 27 bytes of a text are shown, 23 of a former name. */
static void texts_of_each_kind(void **state)
{
	make_entry(HAPPENS_EVENT, BCOS_SUBJECT_CORE, 5, "012345678901234567890123456");
	assert_row(EVENT "core 5  012345678901234567890123456\n");
	make_entry(HAPPENS_EVENT, BCOS_SUBJECT_CORE, 5, "0123456789012345678901234567");
	assert_row(EVENT "core 5  012345678901234567890123456\n");
	make_entry(HAPPENS_EVENT, BCOS_SUBJECT_CORE, 5, "");
	one.number = 0x22;
	assert_row(EVENT "core 5  event 0x00000022\n");
	make_entry(HAPPENS_CALLS, BCOS_SUBJECT_CORE, 5, "read write");
	assert_row("0.001000       calls  core 5  read write\n");
	make_entry(HAPPENS_CALLS, BCOS_SUBJECT_CORE, 5, "");
	one.number = 0x22;
	assert_row("0.001000       calls  core 5\n");
	make_entry(HAPPENS_NAMED, BCOS_SUBJECT_CORE, 5, "01234567890123456789012");
	assert_row("0.001000       is named  core 5  was 01234567890123456789012\n");
	make_entry(HAPPENS_NAMED, BCOS_SUBJECT_CORE, 5, "012345678901234567890123");
	assert_row("0.001000       is named  core 5  was 01234567890123456789012\n");
	make_entry(HAPPENS_BEGINS, BCOS_SUBJECT_CORE, 5, NULL);
	assert_row("0.001000       begins  core 5\n");
	make_entry(HAPPENS_INTERRUPT, BCOS_SUBJECT_CORE, 5, NULL);
	one.number = 7;
	assert_row("0.001000       interrupt  core 5  IRQ 7\n");
	one.kind = HAPPENS_INPUT;
	assert_row("0.001000       input  core 5  7 bytes\n");
	one.kind = HAPPENS_OUTPUT;
	assert_row("0.001000       output  core 5  7 bytes\n");
	one.kind = HAPPENS_ENDS;
	assert_row("0.001000       ends  core 5  exit code 7\n");
}

static bool lacks_memory(void)
{
	bool lacks;

	failing = 1;
	lacks = window_text(&window) == -ENOMEM;
	failing = 0;
	return lacks;
}

static void maps_without_memory(void **state)
{
	make_turn(BCOSLOG_USE_IDLE, 0, 1000001050);
	assert_complains("bcoslog: no memory for the map of CPUs\n", lacks_memory());
	assert_printed("Around 1.000000000, 5 ms before and after\n");
}

#define window_test(test) cmocka_unit_test_setup(test, begin_window)

int main(void)
{
	const struct CMUnitTest tests[] = {
		window_test(bounds_of_the_window),
		window_test(whole_pages),
		window_test(names_of_subjects),
		window_test(turns_of_a_cpu),
		window_test(texts_of_each_kind),
		window_test(maps_without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
