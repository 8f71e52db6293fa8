// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the progress of a conversion: what its line says at which time, and when there is no line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "../../../userspace/convert/progress.h"

#define SECOND 1000000000ull
#define MS 1000000ull
/* With this time of the beginning, the number of the second changes before the first line. */
#define BEGIN (100 * SECOND + 900 * MS)

static bool terminal;
static u64 clock_now;

/* These functions are the clock and the terminal that progress.c sees. */
int isatty(int fd)
{
	return fd == 2 && terminal;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	(void)clock;
	time->tv_sec = (time_t)(clock_now / SECOND);
	time->tv_nsec = (long)(clock_now % SECOND);
	return 0;
}

static char *text;

/*
 * Calls progress_at() at a time after the beginning, or progress_end() if @done is negative, and compares what is
 * written.
 */
static void check_written(u64 after, long long done, const char *expected)
{
	FILE *before = stderr;
	size_t size;

	clock_now = BEGIN + after;
	stderr = open_memstream(&text, &size);
	if (done < 0)
		progress_end();
	else
		progress_at((u64)done);
	fclose(stderr);
	stderr = before;
	assert_string_equal(text, expected);
	free(text);
}

static void begin_progress(bool on, u64 total)
{
	terminal = on;
	clock_now = BEGIN;
	progress_begin(total);
}

/* Each byte of the rest takes as long as each byte that is done. A second that has begun counts. */
static void rest_is_estimated(void **state)
{
	(void)state;
	begin_progress(true, 1000000);
	/* 0.2 s for 250,000 bytes are 0.6 s for the rest. */
	check_written(200 * MS, 250000, "\r\033[K25 %, 1 s left");
	/* 10.5 s for 400,000 are 15.75 s for 600,000. */
	check_written(10500 * MS, 400000, "\r\033[K40 %, 16 s left");
	/* 30 s for 999,999 are 30 us for one: 99.9999 % are not 100. */
	check_written(30000 * MS, 999999, "\r\033[K99 %, 1 s left");
	check_written(31000 * MS, 1000000, "\r\033[K100 %, 1 s left");
	/* 32.5 s for two bytes are 16,249,967.5 s for 999,998. */
	check_written(32500 * MS, 2, "\r\033[K0 %, 16249968 s left");
	check_written(32500 * MS, -1, "\r\033[K");
}

/* There are no more than five lines in a second. The first one comes after a fifth of a second, too. */
static void steps_are_few(void **state)
{
	(void)state;
	begin_progress(true, 1000000);
	check_written(0, 500000, "");
	check_written(200 * MS - 1, 500000, "");
	check_written(200 * MS, 500000, "\r\033[K50 %, 1 s left");
	check_written(200 * MS, 500000, "");
	check_written(400 * MS - 1, 500000, "");
	check_written(400 * MS, 500000, "\r\033[K50 %, 1 s left");
	check_written(900 * MS, 500000, "\r\033[K50 %, 1 s left");
	check_written(1000 * MS, 500000, "");
	check_written(1100 * MS, 500000, "\r\033[K50 %, 2 s left");
	check_written(1100 * MS, -1, "\r\033[K");
}

/* Where the rest is unknown, the line tells what is done, in whole millions of bytes. */
static void without_a_rest(void **state)
{
	(void)state;
	begin_progress(true, 0);
	check_written(200 * MS, 999999, "\r\033[K0 MB");
	check_written(400 * MS, 7000000, "\r\033[K7 MB");
	check_written(400 * MS, -1, "\r\033[K");
	begin_progress(true, 1000000);
	check_written(200 * MS, 0, "\r\033[K0 MB");
	/* A file that grows has more bytes than it had at the beginning. */
	check_written(400 * MS, 1000001, "\r\033[K1 MB");
	check_written(600 * MS, -1, "\r\033[K");
}

/* The end removes the line once, and only if there is one. No line comes after it. */
static void ends_with_its_line(void **state)
{
	(void)state;
	begin_progress(true, 1000000);
	check_written(100 * MS, 500000, "");
	check_written(100 * MS, -1, "");
	begin_progress(true, 1000000);
	check_written(500 * MS, 500000, "\r\033[K50 %, 1 s left");
	check_written(500 * MS, -1, "\r\033[K");
	check_written(500 * MS, -1, "");
	check_written(900 * MS, 500000, "");
	/* The line of one conversion does not count for the next conversion. */
	begin_progress(true, 1000000);
	check_written(500 * MS, 500000, "\r\033[K50 %, 1 s left");
	begin_progress(true, 1000000);
	check_written(100 * MS, -1, "");
}

static void without_a_terminal(void **state)
{
	(void)state;
	begin_progress(false, 1000000);
	check_written(500 * MS, 500000, "");
	check_written(500 * MS, -1, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rest_is_estimated),
		cmocka_unit_test(steps_are_few),
		cmocka_unit_test(without_a_rest),
		cmocka_unit_test(ends_with_its_line),
		cmocka_unit_test(without_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
