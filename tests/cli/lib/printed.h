/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Keeps the output and the complaints of parts of the tool for their tests, in the buffer of standard output. */
#ifndef TEST_PRINTED_H
#define TEST_PRINTED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bcoslog.h"
#include "core/host/user.h"
#include "output/output.h"

/**
 * printed_text - take what was printed since the last call
 *
 * Return: the text, which is valid until the next call.
 */
static inline const char *printed_text(void)
{
	static char text[OUTPUT_SIZE + 1];

	memcpy(text, output.buffer, output.used);
	text[output.used] = '\0';
	output.used = 0;
	return text;
}

/* Asserts that exactly this was printed since the last call. */
#define assert_printed(expected) assert_string_equal(printed_text(), expected)

/**
 * begin_complaints - begin to collect what is written to standard error
 *
 * The caller calls end_complaints() afterwards.
 */
static inline FILE *begin_complaints(int *kept)
{
	FILE *file = tmpfile();

	assert_non_null(file);
	fflush(stderr);
	*kept = dup(STDERR_FILENO);
	assert_true(*kept >= 0);
	assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
	return file;
}

/**
 * end_complaints - end to collect what is written to standard error
 *
 * Return: what was written, which is valid until the next call.
 */
static inline const char *end_complaints(FILE *file, int kept)
{
	static char text[4096];
	size_t length;

	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	rewind(file);
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = '\0';
	fclose(file);
	return text;
}

/*
 * Asserts that a condition holds, and that its evaluation complains of exactly this; "" means that it does not
 * complain.
 */
#define assert_complains(expected, condition) do { \
		int kept_; \
		FILE *file_ = begin_complaints(&kept_); \
		bool holds_ = (condition); \
		assert_string_equal(end_complaints(file_, kept_), expected); \
		assert_true(holds_); \
	} while (0)

/* Asserts that a condition holds, and that its evaluation complains in one sentence that names an option and a value. */
#define assert_names(option, value, condition) do { \
		int kept_; \
		FILE *file_ = begin_complaints(&kept_); \
		bool holds_ = (condition); \
		const char *said_ = end_complaints(file_, kept_); \
		assert_true(holds_); \
		assert_non_null(strstr(said_, option)); \
		assert_non_null(strstr(said_, value)); \
		assert_ptr_equal(strchr(said_, '\n'), said_ + strlen(said_) - 1); \
	} while (0)

#endif
