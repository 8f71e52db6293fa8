// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests entries in columns: bytes by hand from bcoslog(5), there and back, and columns that are damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "archive/format/columns.h"

/*
 * The rows are Assign CPU 1 to process 9, CPU Offline 2, which is shorter, and a Set Process Name with "Abc" after its
 * value.
 */
static const u8 rows[] = {
	24, 0, 0x02, 0x40,  1, 0, 0, 0,  0x04, 0x03, 0x02, 0x01, 0x10, 0, 0, 0,  7, 0, 0, 0,  9, 0, 0, 0,
	20, 0, 0x01, 0x40,  2, 0, 0, 0,  0x05, 0x03, 0x02, 0x01, 0x10, 0, 0, 0,  0, 1, 0, 0,
	28, 0, 0x00, 0x00,  3, 0, 0, 0,  0x04, 0x03, 0x02, 0x01, 0x10, 0, 0, 0,  0, 0, 2, 0,  'A', 'b', 'c', 'd', 'e',
	0, 0, 0,
};

static const u8 columns[] = {
	0, 0, 1, 0,  3, 0, 0, 0,  2, 0, 0, 0,  72, 0, 0, 0,
	24, 0, 0x02, 0x40,  20, 0, 0x01, 0x40,  28, 0, 0x00, 0x00,
	1, 0, 0, 0,  2, 0, 0, 0,  3, 0, 0, 0,
	7, 0, 0, 0,  0, 1, 0, 0,  0, 0, 2, 0,
	9, 0, 0, 0,  'A', 'b', 'c', 'd',
	/* The first time, then a difference that is 1 more, then one that is 1 less. */
	0x10, 0, 0, 0,  0, 0, 0, 0,  0xFF, 0xFF, 0xFF, 0xFF,
	0x04, 0x01, 0xFF,  0x03, 0, 0xFF,  0x02, 0, 0xFF,  0x01, 0, 0xFF,
	'e', 0, 0, 0,
};

static void by_hand(void **state)
{
	u8 there[sizeof(columns)], back[sizeof(rows)];

	(void)state;
	assert_int_equal(sizeof(columns), sizeof(rows) + COLUMNS_HEAD);
	assert_true(columns_put(there, rows, sizeof(rows)));
	assert_memory_equal(there, columns, sizeof(columns));
	assert_true(columns_begin(columns, sizeof(columns)));
	assert_false(columns_begin(rows, sizeof(rows)));
	assert_int_equal(columns_get(back, sizeof(back), columns, sizeof(columns)), sizeof(rows));
	assert_memory_equal(back, rows, sizeof(rows));
}

static void no_rows_at_all(void **state)
{
	u8 there[COLUMNS_HEAD], back[1];

	(void)state;
	assert_true(columns_put(there, rows, 0));
	assert_int_equal(columns_get(back, 0, there, sizeof(there)), 0);
}

static void what_is_no_row(void **state)
{
	u8 there[sizeof(columns)], wrong[sizeof(rows)];
	size_t size;

	(void)state;
	for (size = 1; size < sizeof(rows); size++)
		assert_int_equal(columns_put(there, rows, size), size == 24 || size == 44);
	memcpy(wrong, rows, sizeof(rows));
	wrong[24] = 19;
	assert_false(columns_put(there, wrong, sizeof(wrong)));
	wrong[24] = 0;
	assert_false(columns_put(there, wrong, sizeof(wrong)));
}

/* A part of the head says too much or too little, or a size does. */
static void what_are_no_columns(void **state)
{
	u8 back[sizeof(rows)], wrong[sizeof(columns)];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(columns); i++)
		assert_int_equal(columns_get(back, sizeof(back), columns, i), -EBADMSG);
	assert_int_equal(columns_get(back, sizeof(back) - 1, columns, sizeof(columns)), -EBADMSG);
	for (i = 0; i < COLUMNS_HEAD + 12; i++) {
		/* Types are not judged here. */
		if (i >= COLUMNS_HEAD && (i - COLUMNS_HEAD) % 4 >= 2)
			continue;
		memcpy(wrong, columns, sizeof(columns));
		wrong[i]++;
		assert_int_equal(columns_get(back, sizeof(back), wrong, sizeof(wrong)), -EBADMSG);
		wrong[i] -= 2;
		assert_int_equal(columns_get(back, sizeof(back), wrong, sizeof(wrong)), -EBADMSG);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(no_rows_at_all),
		cmocka_unit_test(what_is_no_row),
		cmocka_unit_test(what_are_no_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
