// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Amounts over time as lines of blocks, and which of the blocks are of times that are known poorly. */
#include "printed.h"
#include "bcoslog_account.h"
#include "report/course/course.h"
#include "report/course/imprecise.h"
#include "report/course/io_course.h"

static float values[COURSE_WIDTH];

static void assert_values(struct cell cell, const float *expected, size_t count)
{
	size_t i;

	assert_int_equal(cell.number, count);
	assert_ptr_equal(cell.course, values);
	for (i = 0; i < count; i++)
		assert_float_equal(values[i], expected[i], 1e-6);
}

#define ASSERT_VALUES(cell, ...) \
	assert_values(cell, (const float []){ __VA_ARGS__ }, sizeof((float []){ __VA_ARGS__ }) / sizeof(float))

/* From 2048 on in blocks of 1024, the first width: 512 of 1024 parts, then a block without anything, then one of all parts. */
static void a_course_of_shares(void **state)
{
	struct course course = { 0 };

	course_add(&course, 2048, 2048, 3072, (struct course_amount){ .part = 512, .whole = 1024 });
	course_add(&course, 2048, 4096, 5120, (struct course_amount){ .part = 3, .whole = 3 });
	assert_int_equal(course.width, 1024);
	assert_int_equal(course.first, 2);
	ASSERT_VALUES(course_cell(&course, 2048, 5120, values), 0.5, 0, 1);
	course_add(&course, 2048, 5120, 5121, (struct course_amount){ .unknown = 1 });
	ASSERT_VALUES(course_cell(&course, 2048, 5121, values), 0.5, 0, 1, -1);
	/* A share that is known in part is shown. */
	course_add(&course, 2048, 5121, 5122, (struct course_amount){ .part = 1, .whole = 4 });
	ASSERT_VALUES(course_cell(&course, 2048, 5122, values), 0.5, 0, 1, 0.25);
	/* It has the scale of the table, and ends with what it has: 4 of 7 parts. */
	ASSERT_VALUES(course_cell(&course, 2048, 60000, values), 0.5, 4.0f / 7);
	assert_int_equal(course.width, 2048);
}

static void an_amount_is_spread_evenly(void **state)
{
	struct course course = { 0 };

	course_add(&course, 100, 512, 2560, (struct course_amount){ .part = 8, .whole = 16, .unknown = 4 });
	assert_float_equal(course.part[0], 2, 1e-9);
	assert_float_equal(course.part[1], 4, 1e-9);
	assert_float_equal(course.part[2], 2, 1e-9);
	assert_float_equal(course.part[3], 0, 1e-9);
	assert_float_equal(course.whole[0], 4, 1e-9);
	assert_float_equal(course.whole[1], 8, 1e-9);
	assert_float_equal(course.unknown[1], 2, 1e-9);
	assert_float_equal(course.unknown[2], 1, 1e-9);
	/* All of it at a moment, nothing before the origin, nothing that ends before it begins. */
	course_add(&course, 100, 1024, 1024, (struct course_amount){ .part = 8 });
	course_add(&course, 100, 99, 1024, (struct course_amount){ .part = 8 });
	course_add(&course, 100, 1025, 1024, (struct course_amount){ .part = 8 });
	assert_float_equal(course.part[0], 2, 1e-9);
	assert_float_equal(course.part[1], 12, 1e-9);
	assert_float_equal(course.part[2], 2, 1e-9);
}

/* 32 blocks of 1024 from 3072 on reach to 35840; the first of them, number 3, is in number 1 of those of 2048. */
static void blocks_become_wider(void **state)
{
	struct course course = { 0 };

	course_add(&course, 3072, 3072, 4096, (struct course_amount){ .part = 1, .whole = 2 });
	course_add(&course, 3072, 4096, 6144, (struct course_amount){ .part = 2, .unknown = 6 });
	course_add(&course, 3072, 35839, 35839, (struct course_amount){ .part = 5 });
	assert_int_equal(course.width, 1024);
	assert_float_equal(course.part[31], 5, 1e-9);
	course_add(&course, 3072, 35839, 35840, (struct course_amount){ .part = 5 });
	assert_int_equal(course.width, 1024);
	course_reach(&course, 3072, 35840);
	assert_int_equal(course.width, 1024);
	course_add(&course, 3072, 35840, 35840, (struct course_amount){ .part = 7 });
	assert_int_equal(course.width, 2048);
	assert_int_equal(course.first, 1);
	assert_float_equal(course.part[0], 1, 1e-9);
	assert_float_equal(course.whole[0], 2, 1e-9);
	assert_float_equal(course.part[1], 2, 1e-9);
	assert_float_equal(course.unknown[1], 6, 1e-9);
	assert_float_equal(course.part[16], 17, 1e-9);
	assert_float_equal(course.part[17], 0, 1e-9);
}

static void a_course_of_ages_fits(void **state)
{
	struct course course = { 0 };

	course_add(&course, 0, UINT64_MAX, UINT64_MAX, (struct course_amount){ .part = 1 });
	course_add(&course, 0, 0, UINT64_MAX, (struct course_amount){ .part = 32 });
	assert_true(course.width == 1ull << 59);
	assert_float_equal(course.part[0], 1, 1e-9);
	assert_float_equal(course.part[31], 2, 1e-9);
}

/* Only a quarter of the last block is in the log, so half of the amount is twice the rate. */
static void a_course_of_rates(void **state)
{
	struct course course = { 0 };

	course_add(&course, 1024, 1024, 1024, (struct course_amount){ .part = 100 });
	course_add(&course, 1024, 3100, 3100, (struct course_amount){ .part = 50 });
	ASSERT_VALUES(course_rate_cell(&course, 1024, 3328, values), 0.5, 0, 1);
	/* The first block is in the log for its second half. */
	ASSERT_VALUES(course_rate_cell(&course, 1536, 3328, values), 1, 0, 1);
	course.unknown[1] = 1;
	course.unknown[0] = 1;
	ASSERT_VALUES(course_rate_cell(&course, 1024, 3328, values), 0.5, -1, 1);
}

/* The log ends where a block begins, and something happened at its end. */
static void what_happens_at_the_end_has_a_block(void **state)
{
	struct course course = { 0 };

	course_add(&course, 1024, 1100, 1100, (struct course_amount){ .part = 1 });
	ASSERT_VALUES(course_rate_cell(&course, 1024, 2048, values), 1);
	course_add(&course, 1024, 2048, 2048, (struct course_amount){ .part = 1 });
	ASSERT_VALUES(course_rate_cell(&course, 1024, 2048, values), 1.0f / 1024, 1);
}

static void nothing_has_no_rate(void **state)
{
	struct course course = { 0 };

	ASSERT_VALUES(course_rate_cell(&course, 1024, 3072, values), 0, 0);
	ASSERT_VALUES(course_rate_cell(&course, 1024, 1024, values), 0);
}

static void each_id_has_its_course(void **state)
{
	struct courses courses = { 0 };
	struct course *course;
	u32 id;

	for (id = 0; id < 100; id++) {
		course = courses_of(&courses, id * 7 % 100);
		assert_non_null(course);
		assert_int_equal(course->width, 0);
		course->width = id * 7 % 100 + 1;
	}
	assert_int_equal(courses.count, 100);
	for (id = 0; id < 100; id++)
		assert_int_equal(courses_of(&courses, id)->width, id + 1);
	assert_int_equal(courses.count, 100);
	assert_false(courses.failed);
	courses_free(&courses);
	assert_int_equal(courses.count, 0);
}

/* ---- times that are known poorly ------------------------------------------------------- */

static char marked[256];

static void note_mark(u64 begin, u64 end, u32 precision)
{
	size_t used = strlen(marked);

	snprintf(marked + used, sizeof(marked) - used, "%llu-%llu:%u ", (unsigned long long)begin, (unsigned long long)end, precision);
}

static void assert_marks(u64 width, const char *expected)
{
	marked[0] = '\0';
	imprecise_each(width, note_mark);
	assert_string_equal(marked, expected);
}

/* From 100 to 150, and, since they meet, from 200 to 260 and to 290; one nanosecond is precise. */
static void stretches_that_meet_are_one(void **state)
{
	imprecise_note(100, 50);
	imprecise_note(160, 1);
	imprecise_note(200, 60);
	imprecise_note(260, 30);
	imprecise_note(270, 2);
	imprecise_note(291, 2);
	assert_marks(1, "100-150:50 200-290:60 291-293:2 ");
	assert_marks(2, "100-150:50 200-290:60 ");
	assert_marks(50, "200-290:60 ");
	assert_marks(60, "");
	assert_false(imprecise_in(0, 100, 10));
	assert_true(imprecise_in(0, 101, 10));
	assert_true(imprecise_in(150, 160, 10));
	assert_false(imprecise_in(151, 200, 10));
	assert_true(imprecise_in(151, 201, 10));
	assert_true(imprecise_in(290, 291, 10));
	assert_false(imprecise_in(291, 400, 10));
	assert_true(imprecise_in(291, 400, 1));
	assert_false(imprecise_in(294, 400, 1));
	assert_false(imprecise_in(0, 400, 60));
}

/* Blocks of 1024 from 0 on: an entry of block 1 may be one of block 2. */
static void blocks_are_marked(void **state)
{
	struct course course = { 0 };
	struct cell cell;

	course_add(&course, 0, 0, 4096, (struct course_amount){ .part = 1, .whole = 1 });
	cell = course_cell(&course, 0, 4096, values);
	assert_int_equal(cell.imprecise, 0);
	imprecise_note(2040, 1025);
	cell = course_cell(&course, 0, 4096, values);
	assert_int_equal(cell.imprecise, 6);
	cell = course_rate_cell(&course, 0, 4096, values);
	assert_int_equal(cell.imprecise, 6);
}

/* There is room for 65536, of which four are there; then those below 4 ns are forgotten, and no more of them are noted. */
static void the_shortest_are_forgotten(void **state)
{
	u64 time = 10000;
	u32 i;

	for (i = 0; i < 65532; i++, time += 10)
		imprecise_note(time, 3);
	assert_true(imprecise_in(10000, 10001, 2));
	assert_true(imprecise_in(time - 10, time, 2));
	assert_true(imprecise_in(291, 292, 1));
	imprecise_note(time, 5);
	imprecise_note(time + 10, 3);
	imprecise_note(time + 20, 4);
	imprecise_note(UINT64_MAX - 5, 2000);
	assert_marks(1, "100-150:50 200-290:60 2040-3065:1025 665320-665325:5 665340-665344:4 "
			"18446744073709551610-18446744073709551615:2000 ");
	assert_false(imprecise_in(10000, 10001, 2));
	assert_false(imprecise_in(291, 292, 1));
	assert_true(imprecise_in(UINT64_MAX - 5, UINT64_MAX, 1024));
}

/* ---- courses of devices ------------------------------------------------------------------ */

static bool lost_first(u64 begin, u64 end)
{
	return begin < 1024 && end > 0;
}

/* Two devices, of which the report shows the second alone. */
static void a_device_without_a_row_draws_nothing(void **state)
{
	static const struct column columns[] = { { "id", "ID", CELL_NUMBER }, { "course", "bytes", CELL_COURSE } };
	struct bcoslog_account_device hidden = { .id = 1 }, shown = { .id = 2 };
	struct table_rows table;
	struct cell *cell;

	io_course_transfer(&shown, 0, 1500, 4);
	io_course_row(&shown, 0, 0);
	io_course_transfer(&hidden, 0, 3500, 100);
	io_course_transfer(&shown, 0, 2500, 8);
	table_begin(&table, columns, 2);
	table_row(&table, (struct cell[]){ CELL_EXACT(2), CELL_NONE });
	io_course_fill_devices(&table, 0, 4096, lost_first);
	assert_false(table.failed);
	cell = &table.cells[1];
	assert_int_equal(cell->number, 4);
	assert_float_equal(cell->course[0], -1, 1e-6);
	assert_float_equal(cell->course[1], 0.5, 1e-6);
	assert_float_equal(cell->course[2], 1, 1e-6);
	assert_float_equal(cell->course[3], 0, 1e-6);
	assert_int_equal(table.cells[0].number, 2);
	table_free(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_course_of_shares),
		cmocka_unit_test(an_amount_is_spread_evenly),
		cmocka_unit_test(blocks_become_wider),
		cmocka_unit_test(a_course_of_ages_fits),
		cmocka_unit_test(a_course_of_rates),
		cmocka_unit_test(what_happens_at_the_end_has_a_block),
		cmocka_unit_test(nothing_has_no_rate),
		cmocka_unit_test(each_id_has_its_course),
		cmocka_unit_test(a_device_without_a_row_draws_nothing),
		cmocka_unit_test(stretches_that_meet_are_one),
		cmocka_unit_test(blocks_are_marked),
		cmocka_unit_test(the_shortest_are_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
