// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages for people: labels, lines that are wrapped at 80 columns, and what is cut in them. */
#include "output/output.h"
#include "printed.h"
#include "views/story/page.h"

#define MARGIN "             "
/* There are 67 columns beside the margin. */
#define SIXTY "012345678901234567890123456789012345678901234567890123456789"

static void assert_page(const char *label, const char *line, const char *expected)
{
	page_begin(label);
	put_string(line);
	page_end();
	assert_printed(expected);
}

static void labels_and_lines(void **state)
{
	assert_page("ended", "1.9", "  ended      1.9\n");
	assert_page("a long label", "x", "  a long labelx\n");
	assert_page("", "x", MARGIN "x\n");
	assert_page("empty", "", "  empty      \n");
}

static void lines_are_wrapped(void **state)
{
	assert_page("", SIXTY "1234567", MARGIN SIXTY "1234567\n");
	assert_page("", SIXTY "12345678", MARGIN SIXTY "1234567\n" MARGIN "8\n");
	assert_page("", SIXTY " 23456789", MARGIN SIXTY "\n" MARGIN "23456789\n");
	assert_page("", SIXTY "1234567 9", MARGIN SIXTY "1234567\n" MARGIN "9\n");
	assert_page("", SIXTY "123456 89", MARGIN SIXTY "123456\n" MARGIN "89\n");
	assert_page("", "one " SIXTY " three " SIXTY SIXTY,
		    MARGIN "one " SIXTY "\n" MARGIN "three\n" MARGIN SIXTY "0123456\n" MARGIN
		    "78901234567890123456789012345678901234567890123456789\n");
	/* Spaces at its end begin no other line. */
	assert_page("", SIXTY "1234567   ", MARGIN SIXTY "1234567\n");
	/* Characters are counted, and not bytes. */
	assert_page("", SIXTY "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4", MARGIN SIXTY
		"\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\n");
	assert_page("", SIXTY "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4",
		    MARGIN SIXTY "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\n" MARGIN "\u00e4\n");
}

static char written[1 << 18];
static size_t written_size;

static void keep_written(const char *bytes, size_t size, void (*put)(const void *bytes, size_t size))
{
	assert_true(written_size + size < sizeof(written));
	if (size)
		memcpy(written + written_size, bytes, size);
	written_size += size;
	written[written_size] = '\0';
}

/* A line has 67 bytes of it, and 14 more for margin and end. */
static void a_long_line_is_whole_wherever_it_begins(void **state)
{
	static char line[PAGE_ROOM];
	size_t filler, i;

	memset(line, 'l', sizeof(line));
	output.encode = keep_written;
	for (filler = OUTPUT_SIZE - PAGE_ROOM - 3 * OUTPUT_ROOM; filler <= OUTPUT_SIZE; filler += 61) {
		written_size = 0;
		memset(output.buffer, 'f', filler);
		output.used = filler;
		page_begin("");
		put_bytes(line, sizeof(line));
		page_end();
		output_flush();
		/* 244 lines of 67 bytes, and one of 36. */
		assert_int_equal(written_size, filler + PAGE_ROOM + 245 * 14);
		for (i = 0; i < filler; i++)
			assert_int_equal(written[i], 'f');
		for (i = 0; i < 244; i++)
			assert_int_equal(written[filler + 81 * i + 80], '\n');
	}
	output.encode = NULL;
}

static void parts_of_a_line(void **state)
{
	char text[1100], expected[1100];

	page_time(1900000000);
	assert_printed("1.900000000");
	page_span(10000);
	assert_printed("10.0 us");
	page_process(12, NULL, 0);
	assert_printed("process 12");
	page_process(12, "a\"b", 3);
	assert_printed("process 12 \"a\\\"b\"");
	page_format("%d and %s", 5, "six");
	assert_printed("5 and six");
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	page_format("%s", text);
	snprintf(expected, sizeof(expected), "%.255s", text);
	assert_printed(expected);
	page_quoted(text, 1024);
	snprintf(expected, sizeof(expected), "\"%.1024s\"", text);
	assert_printed(expected);
	page_quoted(text, 1025);
	snprintf(expected, sizeof(expected), "\"%.1024s\"...", text);
	assert_printed(expected);
	/* Whole characters. */
	memcpy(text + 1023, "\u00e4", 2);
	page_quoted(text, 1025);
	snprintf(expected, sizeof(expected), "\"%.1023s\"...", text);
	assert_printed(expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_and_lines),
		cmocka_unit_test(lines_are_wrapped),
		cmocka_unit_test(a_long_line_is_whole_wherever_it_begins),
		cmocka_unit_test(parts_of_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
