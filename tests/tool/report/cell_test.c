// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Cells of tables: numbers at the bounds of their units, and texts of any width. */
#include <float.h>

#include "printed.h"
#include "output/times.h"
#include "report/table/table.h"

static struct clock shown;

static void assert_cell(enum cell_kind kind, struct cell cell, const char *expected)
{
	char text[TABLE_CELL];

	assert_int_equal(table_cell_text(&shown, text, &cell, kind), strlen(expected));
	assert_string_equal(text, expected);
}

/* A unit begins where four digits of the one before it are not enough. */
static void numbers_have_the_unit_that_fits(void **state)
{
	static const struct {
		enum cell_kind kind;
		u64 number;
		const char *text;
	} cases[] = {
		{ CELL_SPAN, 0, "0 ns" }, { CELL_SPAN, 1, "1 ns" }, { CELL_SPAN, 9999, "9999 ns" }, { CELL_SPAN, 10000, "10.0 us" },
		{ CELL_SPAN, 10049, "10.0 us" }, { CELL_SPAN, 10050, "10.1 us" }, { CELL_SPAN, 9999949, "9999.9 us" },
		{ CELL_SPAN, 9999999, "10000.0 us" }, { CELL_SPAN, 10000000, "10.0 ms" }, { CELL_SPAN, 10049999, "10.0 ms" },
		{ CELL_SPAN, 10050000, "10.1 ms" }, { CELL_SPAN, 9999999999, "10000.0 ms" }, { CELL_SPAN, 10000000000, "10.0 s" },
		{ CELL_SPAN, 12345678901, "12.3 s" }, { CELL_SPAN, UINT64_MAX, "18446744073.7 s" },
		{ CELL_BYTES, 0, "0 B" }, { CELL_BYTES, 10239, "10239 B" }, { CELL_BYTES, 10240, "10.0 KiB" },
		{ CELL_BYTES, 10240 * 1024ull - 1024, "10239.0 KiB" }, { CELL_BYTES, 10240 * 1024ull, "10.0 MiB" },
		{ CELL_BYTES, 10240ull << 20, "10.0 GiB" }, { CELL_BYTES, 10240ull << 30, "10.0 TiB" },
		{ CELL_BYTES, 10240ull << 40, "10.0 PiB" }, { CELL_BYTES, 10240ull << 50, "10.0 EiB" },
		{ CELL_BYTES, UINT64_MAX, "16.0 EiB" },
		{ CELL_NUMBER, UINT64_MAX, "18446744073709551615" }, { CELL_NUMBER, 7, "7" },
		{ CELL_HEX, 10, "0x0000000A" }, { CELL_HEX, 0xC0000011, "0xC0000011" }, { CELL_TIME, 1000000005, "1.000000005" },
		{ CELL_SINCE, 1234567, "1.234567" }, { CELL_SINCE, 0, "0.000000" }, { CELL_SINCE, (u64)-1, "-0.000001" },
		{ CELL_SINCE, (u64)-2000003, "-2.000003" }, { CELL_SINCE, 1ull << 63, "-9223372036854.775808" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_cell(cases[i].kind, CELL_EXACT(cases[i].number), cases[i].text);
	assert_cell(CELL_SHARE, CELL_REAL_EXACT(0.12345), "12.3 %");
	assert_cell(CELL_SHARE, CELL_REAL_EXACT(1), "100.0 %");
	assert_cell(CELL_REAL, CELL_REAL_EXACT(1.5), "1.500");
	assert_cell(CELL_REAL, ((struct cell){ .stated = true, .real = 1.5, .cores = 1 }), "1.500 + 1 core unknown");
	assert_cell(CELL_REAL, ((struct cell){ .stated = true, .real = 1.5, .cores = 2 }), "1.500 + 2 cores unknown");
}

static void what_is_not_known_is_marked(void **state)
{
	struct cell least = { .stated = true, .least = true, .number = 10240 };
	enum cell_kind kind;

	for (kind = CELL_NUMBER; kind <= CELL_REAL; kind++) {
		assert_cell(kind, CELL_NONE, "");
		assert_cell(kind, (struct cell){ .stated = true, .unknown = true, .number = 3 }, "?");
		assert_cell(kind, (struct cell){ .stated = true, .unknown = true, .least = true }, "?");
		assert_cell(kind, (struct cell){ .stated = true, .unknown = true, .absent = true }, "");
	}
	assert_cell(CELL_NUMBER, least, ">=10240");
	assert_cell(CELL_BYTES, least, ">=10.0 KiB");
	assert_cell(CELL_SPAN, least, ">=10.2 us");
	assert_cell(CELL_SINCE, least, ">=0.010240");
	least.real = 0.25;
	assert_cell(CELL_SHARE, least, ">=25.0 %");
	assert_cell(CELL_REAL, least, ">=0.250");
}

/* The largest number has 309 digits, and a cell 124 beside the mark of a bound. */
static void a_number_that_is_too_long_is_cut(void **state)
{
	struct cell cell = { .stated = true, .real = DBL_MAX, .length = 5 };
	char text[TABLE_CELL + 1];

	text[TABLE_CELL] = 'x';
	assert_int_equal(table_cell_text(&shown, text, &cell, CELL_REAL), TABLE_CELL - 4);
	assert_int_equal(strlen(text), TABLE_CELL - 4);
	assert_int_equal(text[TABLE_CELL], 'x');
}

/* ---- texts --------------------------------------------------------------------------- */

/* Escapes take as many columns as they have characters, and a character of several bytes takes one. */
static void a_text_takes_a_column_for_each_character(void **state)
{
	static const struct {
		const char *text;
		size_t columns;
	} cases[] = {
		{ "", 0 }, { "ab ~", 4 }, { "\xC3\xA4" "b", 2 }, { "\xE2\x96\x81\xF0\x9F\x98\x80", 2 },
		{ "a\\b", 4 }, { "a\x1B" "b", 6 }, { "\x7F", 4 }, { "\x01", 4 }, { "\t\n\r", 6 },
		/* U+0085; U+202E and U+2066; but not U+00A0, U+2010 and U+2027. */
		{ "\xC2\x85" "a", 7 }, { "\xE2\x80\xAE\xE2\x81\xA6", 12 }, { "\xC2\xA0\xE2\x80\x90\xE2\x80\xA7", 3 },
		/* The beginning of a character alone. */
		{ "\xC2", 1 }, { "\xE2\x80", 1 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(table_columns(cases[i].text, strlen(cases[i].text)), cases[i].columns);
}

static void a_text_is_cut_between_characters(void **state)
{
	const char *text = "a\xC3\xA4" "b\\\xE2\x96\x81";
	static const size_t bytes[] = { 0, 1, 3, 4, 4, 5, 8, 8 };
	size_t width;

	for (width = 0; width < sizeof(bytes) / sizeof(bytes[0]); width++)
		assert_int_equal(table_cut(text, strlen(text), width), bytes[width]);
}

/* Whoever makes a cell of a measure says what losses do to the value; else nobody can take it for exact. */
static void a_measure_without_stated_bounds_is_unknown(void **state)
{
	static const struct column columns[] = {
		{ "a", "a", CELL_COUNT }, { "b", "b", CELL_SPAN }, { "c", "c", CELL_SHARE }, { "d", "d", CELL_REAL },
		{ "e", "e", CELL_BYTES }, { "f", "f", CELL_NUMBER }, { "g", "g", CELL_COUNT },
	};
	struct session session = { .form = TABLE_CSV };
	struct table_rows table;

	table_begin(&table, columns, 7);
	table_row(&table, (struct cell[]){ CELL_OF(1), CELL_OF(2), CELL_OF(3), CELL_OF(4), CELL_OF(5), CELL_OF(6), CELL_EXACT(7) });
	assert_int_equal(table_end(&table, &session), 0);
	assert_printed("a,b,c,d,e,f,g\r\n,,,,,6,7\r\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_measure_without_stated_bounds_is_unknown),
		cmocka_unit_test(numbers_have_the_unit_that_fits),
		cmocka_unit_test(what_is_not_known_is_marked),
		cmocka_unit_test(a_number_that_is_too_long_is_cut),
		cmocka_unit_test(a_text_takes_a_column_for_each_character),
		cmocka_unit_test(a_text_is_cut_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
