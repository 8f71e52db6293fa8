// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Stretches of absolute time: those of drawings, which become wider as the log goes on, and the rows of --every. */
#include "printed.h"
#include "bcoslog_account.h"
#include "svg/svg.h"
#include "views/buckets.h"

/* ---- the stretches of a drawing ------------------------------------------------------ */

static struct timeline timeline;

static void begin_timeline(u64 fixed)
{
	memset(&timeline, 0, sizeof(timeline));
	timeline.fixed = fixed;
}

/* Asserts that a series has these sums in the first stretches, and nothing after them. */
static void assert_sums(unsigned int series, const double *sums, size_t count)
{
	size_t i;

	for (i = 0; i < TIMELINE_BUCKETS; i++)
		assert_float_equal(timeline.sum[i][series], i < count ? sums[i] : 0, 1e-9);
}

#define ASSERT_SUMS(series, ...) \
	assert_sums(series, (const double []){ __VA_ARGS__ }, sizeof((double []){ __VA_ARGS__ }) / sizeof(double))

/* From 250 to 450, in stretches of 100: a quarter, a half and a quarter of it. */
static void an_amount_is_spread_evenly(void **state)
{
	begin_timeline(100);
	timeline_add(&timeline, 250, 250, 450, 1, 20);
	ASSERT_SUMS(1, 5, 10, 5);
	ASSERT_SUMS(0, 0);
	assert_int_equal(timeline.first, 2);
	assert_int_equal(timeline.count, 3);
	assert_int_equal(timeline.width, 100);
	timeline_add(&timeline, 250, 300, 400, 1, 3);
	ASSERT_SUMS(1, 5, 13, 5);
	timeline_add(&timeline, 250, 290, 310, 4, 3);
	ASSERT_SUMS(4, 1.5, 1.5);
	ASSERT_SUMS(1, 5, 13, 5);
	assert_int_equal(timeline.count, 3);
	assert_false(timeline.overflow);
}

static void a_moment_is_in_the_stretch_that_begins_with_it(void **state)
{
	begin_timeline(100);
	timeline_add(&timeline, 250, 300, 300, 0, 7);
	ASSERT_SUMS(0, 0, 7);
	assert_int_equal(timeline.count, 2);
	timeline_add(&timeline, 250, 299, 299, 0, 2);
	ASSERT_SUMS(0, 2, 7);
	assert_int_equal(timeline.count, 2);
}

static void nothing_is_before_the_origin(void **state)
{
	begin_timeline(100);
	timeline_add(&timeline, 250, 249, 260, 0, 7);
	timeline_add(&timeline, 250, 270, 260, 0, 7);
	ASSERT_SUMS(0, 0);
	assert_int_equal(timeline.count, 0);
	timeline_add(&timeline, 250, 250, 251, 0, 7);
	ASSERT_SUMS(0, 7);
}

/* There are 256 of them: the last one of 100 each ends at 25600. */
static void fixed_stretches_are_no_more_than_there_is_room_for(void **state)
{
	begin_timeline(100);
	timeline_add(&timeline, 0, 25500, 25600, 0, 1);
	timeline_add(&timeline, 0, 25599, 25599, 0, 1);
	assert_int_equal(timeline.count, 256);
	assert_float_equal(timeline.sum[255][0], 2, 1e-9);
	assert_false(timeline.overflow);
	timeline_add(&timeline, 0, 25600, 25600, 0, 1);
	assert_true(timeline.overflow);
	assert_int_equal(timeline.count, 256);
	begin_timeline(100);
	timeline_add(&timeline, 0, 0, 25601, 0, 1);
	assert_true(timeline.overflow);
}

/*
 * Stretches of 1024 from 3072 on, which become twice as wide when the 257th is needed: the first one, number 3, becomes a
 * part of number 1, and 4 and 5 become number 2.
 */
static void others_become_wider(void **state)
{
	begin_timeline(0);
	timeline_add(&timeline, 3072, 3072, 4096, 2, 1);
	timeline_add(&timeline, 3072, 4096, 6144, 2, 4);
	ASSERT_SUMS(2, 1, 2, 2);
	assert_int_equal(timeline.width, 1024);
	assert_int_equal(timeline.first, 3);
	/* The last moment that there is room for, in the stretch 258. */
	timeline_add(&timeline, 3072, 259 * 1024 - 1, 259 * 1024 - 1, 3, 8);
	assert_int_equal(timeline.width, 1024);
	assert_int_equal(timeline.count, 256);
	timeline_add(&timeline, 3072, 259 * 1024, 259 * 1024, 2, 16);
	assert_int_equal(timeline.width, 2048);
	assert_int_equal(timeline.first, 1);
	/* The number 258 became 129, which is the 129th, and 259 is a part of it, too. */
	assert_int_equal(timeline.count, 129);
	assert_float_equal(timeline.sum[0][2], 1, 1e-9);
	assert_float_equal(timeline.sum[1][2], 4, 1e-9);
	assert_float_equal(timeline.sum[2][2], 0, 1e-9);
	assert_float_equal(timeline.sum[128][2], 16, 1e-9);
	assert_float_equal(timeline.sum[128][3], 8, 1e-9);
	assert_false(timeline.overflow);
	/* Where the first one is number 5, that becomes number 2. */
	begin_timeline(0);
	timeline_add(&timeline, 5120, 5120, 6144, 0, 1);
	timeline_add(&timeline, 5120, 5120, 6144, 4, 3);
	timeline_add(&timeline, 5120, 300 * 1024, 300 * 1024, 1, 2);
	assert_int_equal(timeline.first, 2);
	ASSERT_SUMS(0, 1);
	ASSERT_SUMS(4, 3);
	assert_float_equal(timeline.sum[148][1], 2, 1e-9);
	assert_int_equal(timeline.count, 149);
}

static void a_log_of_ages_fits(void **state)
{
	begin_timeline(0);
	timeline_add(&timeline, 0, 0, UINT64_MAX, 0, 64);
	/* The width is a power of two times 1024, so that 256 of them reach to 2^64. */
	assert_true(timeline.width == 1ull << 56);
	assert_int_equal(timeline.count, 256);
	assert_float_equal(timeline.sum[0][0], 0.25, 1e-9);
	assert_float_equal(timeline.sum[255][0], 0.25, 1e-9);
}

static void stretches_end_with_the_window(void **state)
{
	begin_timeline(100);
	timeline_add(&timeline, 250, 250, 450, 0, 20);
	assert_int_equal(timeline_from(&timeline, 0, 250), 250);
	assert_int_equal(timeline_to(&timeline, 0, 450), 300);
	assert_int_equal(timeline_from(&timeline, 1, 250), 300);
	assert_int_equal(timeline_to(&timeline, 1, 450), 400);
	assert_int_equal(timeline_to(&timeline, 2, 450), 450);
	assert_int_equal(timeline_to(&timeline, 2, 500), 500);
	assert_int_equal(timeline_to(&timeline, 2, 501), 500);
	assert_int_equal(timeline_to(&timeline, 2, 399), 399);
	assert_int_equal(timeline_from(&timeline, 2, 399), 400);
}

/* ---- the rows of --every --------------------------------------------------------------- */

static void a_width_is_a_duration(void **state)
{
	struct buckets buckets = { .size = 8 };

	assert_complains("", buckets_take(&buckets, "10ms") == 0);
	assert_int_equal(buckets.every, 10000000);
	assert_names("--every", "0", buckets_take(&buckets, "0s") == -1);
	assert_names("--every", "\"x\"", buckets_take(&buckets, "x") == -1);
}

/* From 250 on in stretches of 100: the first one has the number 2. */
static void each_stretch_has_a_place(void **state)
{
	struct buckets buckets = { .size = sizeof(u64), .every = 100 };
	u64 *first, *at;
	int i;

	first = buckets_at(&buckets, 250, 299);
	assert_non_null(first);
	assert_int_equal(buckets.first, 2);
	assert_int_equal(buckets.last, 2);
	*first = 5;
	at = buckets_at(&buckets, 250, 300);
	assert_ptr_equal(at, first + 1);
	assert_int_equal(buckets.last, 3);
	/* Those that are new have nothing, and the others are kept. */
	at = buckets_at(&buckets, 250, 200 + 100 * 10000);
	assert_non_null(at);
	assert_int_equal(buckets.last, 10002);
	first = buckets_at(&buckets, 250, 250);
	assert_int_equal(*first, 5);
	for (i = 1; i <= 10000; i++)
		assert_int_equal(first[i], 0);
	assert_ptr_equal(buckets_at(&buckets, 250, 200 + 100 * 10000 + 99), first + 10000);
	assert_int_equal(buckets.last, 10002);
	assert_false(buckets.failed);
	free(buckets.of);
}

/* There are at most 2^17; what buckets_print() says then is in the golden cases. */
static void there_is_an_end_of_stretches(void **state)
{
	struct buckets buckets = { .size = 1, .every = 1 };

	assert_non_null(buckets_at(&buckets, 0, (1 << 17) - 1));
	assert_false(buckets.failed);
	free(buckets.of);
	buckets = (struct buckets){ .size = 1, .every = 1 };
	assert_null(buckets_at(&buckets, 0, 1 << 17));
	assert_int_equal(buckets.last, 1 << 17);
	assert_false(buckets.failed);
}

static void a_stretch_ends_before_the_end_or_with_it(void **state)
{
	struct buckets buckets = { .every = 100 };

	assert_int_equal(buckets_end(&buckets, 250, 450), 300);
	assert_int_equal(buckets_end(&buckets, 300, 450), 400);
	assert_int_equal(buckets_end(&buckets, 410, 450), 450);
	assert_int_equal(buckets_end(&buckets, 410, 500), 500);
	assert_true(buckets_end(&buckets, UINT64_MAX - 10, UINT64_MAX) == UINT64_MAX);
}

/* A loss from 100 to 200, and one of no length at 300. */
static void what_was_lost_is_known_by_its_time(void **state)
{
	struct buckets buckets = { .every = 1 };
	int i;

	buckets_unknown(&buckets, 1, 100, 200);
	buckets_unknown(&buckets, 2, 300, 300);
	assert_int_equal(buckets_lost(&buckets, 0, 100), 0);
	assert_int_equal(buckets_lost(&buckets, 0, 101), 1);
	assert_int_equal(buckets_lost(&buckets, 199, 250), 1);
	assert_int_equal(buckets_lost(&buckets, 200, 300), 0);
	assert_int_equal(buckets_lost(&buckets, 150, 301), 3);
	assert_int_equal(buckets_lost(&buckets, 300, 400), 2);
	assert_int_equal(buckets_lost(&buckets, 301, 400), 0);
	/* There is room for 256; those after it extend the last one. */
	for (i = 2; i < 255; i++)
		buckets_unknown(&buckets, 4, 1000, 1001);
	buckets_unknown(&buckets, 8, 5000, 6000);
	buckets_unknown(&buckets, 16, 4000, 5500);
	buckets_unknown(&buckets, 32, 5500, 7000);
	assert_int_equal(buckets_lost(&buckets, 1000, 1001), 4);
	assert_int_equal(buckets_lost(&buckets, 3999, 4000), 0);
	assert_int_equal(buckets_lost(&buckets, 4000, 4001), 56);
	assert_int_equal(buckets_lost(&buckets, 6999, 7001), 56);
	assert_int_equal(buckets_lost(&buckets, 7000, 7001), 0);
	assert_int_equal(buckets_lost(&buckets, 100, 101), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_amount_is_spread_evenly),
		cmocka_unit_test(a_moment_is_in_the_stretch_that_begins_with_it),
		cmocka_unit_test(nothing_is_before_the_origin),
		cmocka_unit_test(fixed_stretches_are_no_more_than_there_is_room_for),
		cmocka_unit_test(others_become_wider),
		cmocka_unit_test(a_log_of_ages_fits),
		cmocka_unit_test(stretches_end_with_the_window),
		cmocka_unit_test(a_width_is_a_duration),
		cmocka_unit_test(each_stretch_has_a_place),
		cmocka_unit_test(there_is_an_end_of_stretches),
		cmocka_unit_test(a_stretch_ends_before_the_end_or_with_it),
		cmocka_unit_test(what_was_lost_is_known_by_its_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
