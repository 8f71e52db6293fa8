/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Each cmocka test includes this first. */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include "feed.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void check_failed(void)
{
	fail();
}

/* If feed_check() fails, only the test that called it fails, and the others still run. */
static __attribute__((constructor)) void check_hook(void)
{
	feed_failed = check_failed;
}

#define check_text(feed, from, expected) assert_string_equal(feed_text(feed, from, false), expected)
#define check_history(feed, from, expected) assert_string_equal(feed_text(feed, from, true), expected)

#endif
