/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Draws a log whose entries the test gives. The test keeps what is drawn, whatever is written of the output meanwhile.
 */
#ifndef BCOS_TESTS_CLI_MADE_DRAWING_H
#define BCOS_TESTS_CLI_MADE_DRAWING_H

#include "printed.h"
#include "made_log.h"
#include "svg/chart.h"

#define SECOND 1000000000ull
#define MS 1000000ull

static char drawn[1 << 20];
static size_t drawn_size;
static struct report report;

static void keep_drawn(const char *bytes, size_t size, void (*put)(const void *bytes, size_t size))
{
	assert_true(drawn_size + size < sizeof(drawn));
	if (size)
		memcpy(drawn + drawn_size, bytes, size);
	drawn_size += size;
}

static inline int begin_drawing(void **state)
{
	output.used = drawn_size = 0;
	output.encode = keep_drawn;
	return 0;
}

static inline int end_drawing(void **state)
{
	output.used = 0;
	output.encode = NULL;
	bcoslog_account_free(report.account);
	report.account = NULL;
	return 0;
}

/* Begins a report of a log from @begin to @end, of which nothing else is known. */
static inline void begin_report(u64 begin, u64 end)
{
	struct made made;

	bcoslog_account_free(report.account);
	report.account = bcoslog_account_new(NULL);
	assert_non_null(report.account);
	assert_int_equal(bcoslog_account_entry(report.account, made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 0,
		"kernel")), 0);
	assert_int_equal(bcoslog_account_entry(report.account, made_event(&made, BCOS_GENERIC_PROCESS, 0, begin, 0,
		0x40, "a")), 0);
	assert_int_equal(bcoslog_account_entry(report.account, made_event(&made, BCOS_GENERIC_PROCESS, 0, end, 0,
		0x40, "b")), 0);
	bcoslog_account_end(report.account);
}

/* Returns everything that was drawn since the last call, as a string. */
static inline const char *take_drawn(void)
{
	output_flush();
	drawn[drawn_size] = '\0';
	drawn_size = 0;
	return drawn;
}

/* Returns what was drawn since the last call, without the begin that all drawings share. */
static inline const char *take_shapes(void)
{
	const char *text = take_drawn(), *end = strstr(text, "</defs>\n");

	return end ? end + strlen("</defs>\n") : text;
}

/* Returns what was drawn after the axis of time, or after the title if there is no axis. */
static inline const char *take_after_axis(void)
{
	const char *text = take_shapes(), *at = strstr(text, "s since boot</text>\n");

	at = at ? at : strstr(text, "</text>\n");
	assert_non_null(at);
	return strchr(at, '\n') + 1;
}

#define assert_drawn(expected) assert_string_equal(take_drawn(), expected)
#define assert_after_axis(expected) assert_string_equal(take_after_axis(), expected)

/* Has the text a line that begins with @line? */
static inline bool has_line(const char *text, const char *line)
{
	size_t length = strlen(line);

	for (; text; text = strchr(text, '\n'), text += !!text)
		if (!strncmp(text, line, length))
			return true;
	return false;
}

#define drawing_test(test) cmocka_unit_test_setup_teardown(test, begin_drawing, end_drawing)

#endif
