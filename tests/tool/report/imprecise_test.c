// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Stretches in which imprecise entries may have happened. The stretches stay from one test to the next. */
#include "printed.h"
#include "report/course/imprecise.h"

static u64 begins[4], ends[4];
static u32 precisions[4], marked;

static void keep_mark(u64 begin, u64 end, u32 precision)
{
	if (marked < 4) {
		begins[marked] = begin;
		ends[marked] = end;
		precisions[marked] = precision;
	}
	marked++;
}

static void mark_stretches(u64 width)
{
	marked = 0;
	imprecise_each(width, keep_mark);
}

static void assert_mark(u32 at, u64 begin, u64 end, u32 precision)
{
	assert_true(at < marked);
	assert_int_equal(begins[at], begin);
	assert_int_equal(ends[at], end);
	assert_int_equal(precisions[at], precision);
}

static void an_entry_may_happen_until_its_precision_is_over(void **state)
{
	assert_false(imprecise_in(0, UINT64_MAX, 0));
	imprecise_note(100, 50);
	assert_false(imprecise_in(0, 100, 10));
	assert_true(imprecise_in(0, 101, 10));
	assert_true(imprecise_in(110, 120, 10));
	assert_true(imprecise_in(150, 151, 10));
	assert_false(imprecise_in(151, 200, 10));
	assert_true(imprecise_in(0, 200, 49));
	assert_false(imprecise_in(0, 200, 50));
	mark_stretches(49);
	assert_int_equal(marked, 1);
	assert_mark(0, 100, 150, 50);
	mark_stretches(50);
	assert_int_equal(marked, 0);
}

static void stretches_that_meet_are_one(void **state)
{
	imprecise_note(120, 60);
	imprecise_note(130, 20);
	imprecise_note(180, 10);
	mark_stretches(0);
	assert_int_equal(marked, 1);
	assert_mark(0, 100, 190, 60);
	imprecise_note(191, 5);
	mark_stretches(0);
	assert_int_equal(marked, 2);
	assert_mark(0, 100, 190, 60);
	assert_mark(1, 191, 196, 5);
	assert_true(imprecise_in(191, 192, 4));
	assert_false(imprecise_in(191, 192, 5));
}

static void a_nanosecond_is_precise(void **state)
{
	imprecise_note(300, 0);
	imprecise_note(301, 1);
	assert_false(imprecise_in(200, 400, 0));
	imprecise_note(302, 2);
	assert_true(imprecise_in(200, 400, 0));
	assert_false(imprecise_in(305, 400, 0));
}

/* There is room for 65536 stretches, of which three are in use. */
static void the_most_precise_are_forgotten_first(void **state)
{
	u32 i;

	for (i = 3; i < 65536; i++)
		imprecise_note(10 * i + 1000, i % 2 ? 3 : 4);
	mark_stretches(0);
	assert_int_equal(marked, 65536);
	imprecise_note(1000000, 9);
	/* Those of 4 ns, of 5 ns and of 60 ns are left, and the new one: half of 65533, rounded down, and three. */
	mark_stretches(0);
	assert_int_equal(marked, 32766 + 3);
	assert_mark(0, 100, 190, 60);
	assert_mark(1, 191, 196, 5);
	assert_mark(2, 1040, 1044, 4);
	assert_false(imprecise_in(1030, 1034, 0));
	imprecise_note(1000100, 3);
	assert_false(imprecise_in(1000100, 1000200, 0));
	imprecise_note(1000200, 4);
	assert_true(imprecise_in(1000200, 1000201, 0));
}

static void a_stretch_ends_with_time(void **state)
{
	imprecise_note(UINT64_MAX - 5, 5);
	assert_true(imprecise_in(UINT64_MAX - 1, UINT64_MAX, 4));
	imprecise_note(UINT64_MAX - 4, 100);
	assert_true(imprecise_in(UINT64_MAX - 1, UINT64_MAX, 99));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_may_happen_until_its_precision_is_over),
		cmocka_unit_test(stretches_that_meet_are_one),
		cmocka_unit_test(a_nanosecond_is_precise),
		cmocka_unit_test(the_most_precise_are_forgotten_first),
		cmocka_unit_test(a_stretch_ends_with_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
