// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Parts of the output: complaints that are held back, processes as lines show them, and functions of the kernel by
 * name.
 */
#include <sys/syscall.h>

#include "output/calls.h"
#include "output/complain.h"
#include "output/line.h"
#include "output/output.h"
#include "output/process.h"
#include "printed.h"
#include "made_log.h"
#include "output/terminal.h"

/* ---- complaints ------------------------------------------------------------------------------------- */

static char said[1 << 16];

/* Standard error as it is written from here to said_end(). */
static FILE *said_file;
static int usual_errors;

static void begin_to_hear(void)
{
	said_file = begin_complaints(&usual_errors);
}

static const char *what_was_said(void)
{
	ssize_t size;

	fflush(stderr);
	size = pread(STDERR_FILENO, said, sizeof(said) - 1, 0);
	assert_true(size >= 0);
	said[size] = '\0';
	assert_int_equal(ftruncate(STDERR_FILENO, 0), 0);
	assert_int_equal(lseek(STDERR_FILENO, 0, SEEK_SET), 0);
	return said;
}

static void stop_hearing(void)
{
	end_complaints(said_file, usual_errors);
}

/* Says a sentence that is a line of @size bytes, with its beginning and end. */
static void complain_bytes(size_t size, char letter)
{
	char text[1024];

	memset(text, letter, sizeof(text));
	complain("%.*s", (int)(size - strlen("bcoslog: \n")), text);
}

static void complaints_are_lines(void **state)
{
	char text[1100], expected[1100];

	begin_to_hear();
	complain("%s is %d", "it", 5);
	assert_string_equal(what_was_said(), "bcoslog: it is 5\n");
	/* A long one is cut. */
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	complain("%s", text);
	snprintf(expected, sizeof(expected), "bcoslog: %.1023s\n", text);
	assert_string_equal(what_was_said(), expected);
	stop_hearing();
}

static void complaints_are_held_back(void **state)
{
	begin_to_hear();
	complain_hold(true);
	complain("first");
	complain("second");
	assert_string_equal(what_was_said(), "");
	complain_hold(false);
	assert_string_equal(what_was_said(), "bcoslog: first\nbcoslog: second\n");
	complain("third");
	assert_string_equal(what_was_said(), "bcoslog: third\n");
	complain_hold(false);
	assert_string_equal(what_was_said(), "");
	complain_hold(true);
	complain("fourth");
	complain_hold(false);
	assert_string_equal(what_was_said(), "bcoslog: fourth\n");
	stop_hearing();
}

/* There is room for 16383 bytes; what has none is left out. */
static void as_many_complaints_as_there_is_room_for(void **state)
{
	const char *text;
	int i;

	begin_to_hear();
	complain_hold(true);
	for (i = 0; i < 16; i++)
		complain_bytes(1023, 'a');
	complain_bytes(17, 'b');
	complain_bytes(16, 'c');
	complain_bytes(15, 'd');
	complain_bytes(11, 'e');
	assert_string_equal(what_was_said(), "");
	complain_hold(false);
	text = what_was_said();
	assert_int_equal(strlen(text), 16383);
	assert_string_equal(text + 16368, "bcoslog: ddddd\n");
	/* There is room again. */
	complain_hold(true);
	complain_bytes(1000, 'f');
	complain_hold(false);
	assert_int_equal(strlen(what_was_said()), 1000);
	stop_hearing();
}

/* ---- processes -------------------------------------------------------------------------------------- */

static struct bcoslog_state *names;
static struct made made;

static void tell_names(const struct bcos_entry *entry)
{
	assert_int_equal(bcoslog_state_apply(names, entry), 0);
}

static int begin_names(void **state)
{
	process_forget_all();
	names = bcoslog_state_new();
	return !names;
}

static int end_names(void **state)
{
	bcoslog_state_free(names);
	return 0;
}

/* Once it is put together, and then it is kept. */
static void assert_process(u32 id, const char *expected)
{
	put_process(names, id);
	assert_printed(expected);
	put_process(names, id);
	assert_printed(expected);
}

static void processes_by_number_and_name(void **state)
{
	tell_names(made_name(&made, BCOS_SET_PROCESS_NAME, 10, 1, "ten"));
	tell_names(made_name(&made, BCOS_SET_PROCESS_NAME, 11, 1, "\x01\x02"));
	tell_names(made_name(&made, BCOS_SET_PROCESS_NAME, 12, 1, "\"\""));
	tell_names(made_name(&made, BCOS_SET_PROCESS_NAME, 13, 1, "a\\b"));
	tell_names(made_name(&made, BCOS_SET_PROCESS_NAME, 14, 1, "ab\x7F"));
	tell_names(made_name(&made, BCOS_SET_PROCESS_NAME, 15, 1, ""));
	tell_names(made_name(&made, BCOS_SET_PROCESS_NAME, 16, 1, "\"a"));
	assert_process(10, "process 10 \"ten\"");
	assert_process(11, "process 11 \"\\x01\\x02\"");
	assert_process(12, "process 12 \"\\\"\\\"\"");
	assert_process(13, "process 13 \"a\\\\b\"");
	assert_process(14, "process 14 \"ab\\x7F\"");
	assert_process(15, "process 15 \"\"");
	assert_process(16, "process 16 \"\\\"a\"");
	assert_process(17, "process 17 (unnamed)");
	/* 4096 numbers further, others take their places. */
	tell_names(made_name(&made, BCOS_SET_PROCESS_NAME, 10 + 4096, 1, "other"));
	assert_process(10 + 4096, "process 4106 \"other\"");
	assert_process(10, "process 10 \"ten\"");
	assert_process(10 + 2 * 4096, "process 8202 (unnamed)");
	assert_process(10, "process 10 \"ten\"");
}

/* The longest that are kept have 27 bytes, and the longest numbers ten digits. */
static void long_names(void **state)
{
	char name[64], expected[128];
	int length;

	for (length = 20; length < 40; length++) {
		memset(name, 'n', sizeof(name));
		name[length] = '\0';
		tell_names(made_name(&made, BCOS_SET_PROCESS_NAME, 2147483647, 1, name));
		process_forget_all();
		snprintf(expected, sizeof(expected), "process 2147483647 \"%s\"", name);
		assert_process(2147483647, expected);
	}
}

static const struct bcos_entry *name_entry(u16 type, u32 id, const char *name)
{
	return made_name(&made, type, id, 5, name);
}

/* A name that is kept holds until an entry changes it. */
static void names_are_kept_until_they_change(void **state)
{
	tell_names(name_entry(BCOS_SET_PROCESS_NAME, 10, "before"));
	tell_names(name_entry(BCOS_SET_PROCESS_NAME, 11, "eleven"));
	assert_process(10, "process 10 \"before\"");
	assert_process(11, "process 11 \"eleven\"");
	tell_names(name_entry(BCOS_SET_PROCESS_NAME, 10, "after"));
	tell_names(name_entry(BCOS_SET_PROCESS_NAME, 11, "new"));
	assert_process(10, "process 10 \"before\"");
	process_forget(made_word(&made, BCOS_ASSIGN_CPU, 10, 5, 10));
	process_forget(made_event(&made, BCOS_GENERIC_DEVICE, 10, 5, 1, 0x40, "not missed"));
	assert_process(10, "process 10 \"before\"");
	process_forget(name_entry(BCOS_SET_PROCESS_NAME, 10, "after"));
	assert_process(10, "process 10 \"after\"");
	assert_process(11, "process 11 \"eleven\"");
	process_forget(name_entry(BCOS_HIST_SET_PROCESS_NAME, 11, "new"));
	assert_process(11, "process 11 \"new\"");
	tell_names(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 10, 6, 0));
	process_forget(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 10, 6, 0));
	assert_process(10, "process 10 (unnamed)");
	/* A reader that missed entries knows no name any more. */
	tell_names(name_entry(BCOS_SET_PROCESS_NAME, 11, "newest"));
	assert_process(11, "process 11 \"new\"");
	process_forget(made_event(&made, BCOS_GENERIC_DEVICE, 0xC0000000, 7, BCOS_EVENT_MISSED, BCOS_SEVERITY_ERROR,
		"missed 5 entries"));
	assert_process(11, "process 11 \"newest\"");
	tell_names(name_entry(BCOS_SET_PROCESS_NAME, 11, "last"));
	process_forget_all();
	assert_process(11, "process 11 \"last\"");
}

static char lines[1 << 17];
static size_t lines_size;

static void keep_lines(const char *bytes, size_t size, void (*put)(const void *bytes, size_t size))
{
	assert_true(lines_size + size < sizeof(lines));
	if (size)
		memcpy(lines + lines_size, bytes, size);
	lines_size += size;
	lines[lines_size] = '\0';
}

/* A line is whole wherever in the buffer it begins. */
static void assert_line(const struct bcos_entry *entry, const char *expected)
{
	size_t used;

	output.encode = keep_lines;
	for (used = OUTPUT_SIZE - OUTPUT_ROOM - 64; used <= OUTPUT_SIZE; used += 7) {
		lines_size = 0;
		memset(output.buffer, 'f', used);
		output.used = used;
		line_entry(names, entry);
		output_flush();
		assert_string_equal(lines + used, expected);
	}
	output.encode = NULL;
}

static void lines_of_names(void **state)
{
	tell_names(made_name(&made, BCOS_SET_PROCESS_NAME, 10, 1, "ten"));
	tell_names(made_device(&made, BCOS_SET_DEVICE_NAME, 3, 1, 10, "sda"));
	assert_line(made_name(&made, BCOS_SET_PROCESS_NAME, 10, 5, "ten"),
		    "      0.000000005  Set Process Name     process 10 \"ten\"\n");
	/* It is as long as the one before, and another one. */
	assert_line(made_name(&made, BCOS_SET_PROCESS_NAME, 10, 5, "two"),
		    "      0.000000005  Set Process Name     process 10 \"two\" (was \"ten\")\n");
	assert_line(made_name(&made, BCOS_SET_PROCESS_NAME, 10, 5, "tens"),
		    "      0.000000005  Set Process Name     process 10 \"tens\" (was \"ten\")\n");
	assert_line(made_device(&made, BCOS_SET_DEVICE_NAME, 3, 5, 0, "sdb"),
		    "      0.000000005  Set Device Name      device 0x00000003 \"sdb\" (was \"sda\")\n");
	assert_line(made_device(&made, BCOS_SET_DEVICE_NAME, 4, 5, 10, "sdb"),
		    "      0.000000005  Set Device Name      device 0x00000004 \"sdb\", driver process 10 \"ten\"\n");
}

static void lines_where_the_buffer_ends(void **state)
{
	static char text[196], expected[8192];
	u32 numbers[59];
	size_t i, used;

	tell_names(made_name(&made, BCOS_SET_PROCESS_NAME, 10, 1, "ten"));
	assert_line(made_word(&made, BCOS_ASSIGN_CPU, 1, 5, 10),
		    "      0.000000005  Assign CPU           CPU 1 -> process 10 \"ten\"\n");
	memset(text, 1, 190);
	used = (size_t)sprintf(expected, "      0.000000005  Generic CPU          CPU 1: info 0x40, event 0x00000007, \"");
	for (i = 0; i < 190; i++)
		used += (size_t)sprintf(expected + used, "\\x01");
	sprintf(expected + used, "\"\n");
	assert_line(made_event(&made, BCOS_GENERIC_CPU, 1, 5, 7, 0x40, text), expected);
	/* Lists have any length. */
	for (i = 0; i < 59; i++)
		numbers[i] = 1999999999;
	used = (size_t)sprintf(expected, "      0.000000005  Kernel API           process 10 \"ten\": calls");
	for (i = 0; i < 59; i++)
		used += (size_t)sprintf(expected + used, " 1999999999");
	sprintf(expected + used, "\n");
	assert_line(made_entry(&made, BCOS_KERNEL_API, 10, 5, numbers, sizeof(numbers)), expected);
	used = (size_t)sprintf(expected, "      0.000000005  Core Online          core 3: idle power 2 mW, busy +4 mW, performance");
	for (i = 0; i < 16; i++)
		used += (size_t)sprintf(expected + used, " 1999999999");
	sprintf(expected + used, "\n");
	assert_line(made_core(&made, BCOS_CORE_ONLINE, 3, 5, 1, 2, numbers, 16), expected);
}

/* ---- functions -------------------------------------------------------------------------------------- */

static void functions_by_name(void **state)
{
	u32 number;

	assert_string_equal(call_name(SYS_read), "read");
	assert_string_equal(call_name(SYS_openat), "openat");
#ifdef __x86_64__
	/* i386 has other numbers. */
	assert_string_equal(call_name(BCOS_FUNCTION_COMPAT | 3), "read");
#endif
	/* After the last one there is none. */
	for (number = 400; number < 5000; number++) {
		call_name(number);
		call_name(BCOS_FUNCTION_COMPAT | number);
	}
	assert_null(call_name(4999));
	assert_null(call_name(BCOS_FUNCTION_COMPAT | 4999));
	assert_null(call_name(~BCOS_FUNCTION_COMPAT));
	assert_null(call_name(~0u));
}

/* ---- historical entries that are only counted ---------------------------------------------------------- */

static void fold_source(u16 type, u32 source)
{
	struct bcos_entry entry = { .type = type, .source = source };

	fold_entry(&entry);
}

static void counts_of_what_is_known(void **state)
{
	fold_end();
	assert_printed("");
	fold_source(BCOS_HIST_SET_PROCESS_NAME, BCOS_PROCESS_KERNEL);
	fold_end();
	assert_printed("");
	fold_source(BCOS_HIST_SET_PROCESS_NAME, BCOS_PROCESS_KERNEL);
	fold_source(BCOS_HIST_SET_PROCESS_NAME, 11);
	fold_source(BCOS_HIST_SET_PROCESS_NAME, 12);
	fold_source(BCOS_HIST_SET_DEVICE_NAME, 11);
	fold_source(BCOS_SET_PROCESS_NAME, 13);
	fold_end();
	assert_printed("2 processes, 1 device known; --all shows them\n");
	fold_source(BCOS_HIST_SET_DEVICE_NAME, 11);
	fold_source(BCOS_HIST_SET_DEVICE_NAME, 12);
	fold_end();
	assert_printed("0 processes, 2 devices known; --all shows them\n");
}

#define names_test(test) cmocka_unit_test_setup_teardown(test, begin_names, end_names)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(complaints_are_lines),
		cmocka_unit_test(complaints_are_held_back),
		cmocka_unit_test(as_many_complaints_as_there_is_room_for),
		names_test(processes_by_number_and_name),
		names_test(long_names),
		names_test(names_are_kept_until_they_change),
		names_test(lines_of_names),
		names_test(lines_where_the_buffer_ends),
		cmocka_unit_test(functions_by_name),
		cmocka_unit_test(counts_of_what_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
