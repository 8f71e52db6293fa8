// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Cells of tables, as people and programs get them: numbers at the bounds of their units, texts of any width, lines of blocks. */
#include <float.h>

#include "printed.h"
#include "output/times.h"
#include "report/table/table.h"

static void assert_cell(enum cell_kind kind, struct cell cell, const char *expected)
{
	char text[TABLE_CELL];

	assert_int_equal(table_cell_text(text, &cell, kind), strlen(expected));
	assert_string_equal(text, expected);
}

/* A unit begins where four digits of the one before it are not enough. */
static void durations_have_the_unit_that_fits(void **state)
{
	static const struct {
		u64 ns;
		const char *text;
	} spans[] = {
		{ 0, "0 ns" }, { 1, "1 ns" }, { 9999, "9999 ns" },
		{ 10000, "10.0 us" }, { 10049, "10.0 us" }, { 10050, "10.1 us" }, { 9999949, "9999.9 us" }, { 9999999, "10000.0 us" },
		{ 10000000, "10.0 ms" }, { 10049999, "10.0 ms" }, { 10050000, "10.1 ms" }, { 9999999999, "10000.0 ms" },
		{ 10000000000, "10.0 s" }, { 12345678901, "12.3 s" }, { UINT64_MAX, "18446744073.7 s" },
	};
	char text[TABLE_CELL], cut[6];
	size_t i;

	for (i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
		assert_cell(CELL_SPAN, CELL_EXACT(spans[i].ns), spans[i].text);
		assert_int_equal(table_span(text, sizeof(text), spans[i].ns), strlen(spans[i].text));
		assert_string_equal(text, spans[i].text);
	}
	table_span(cut, sizeof(cut), 12345678901);
	assert_string_equal(cut, "12.3 ");
}

static void bytes_have_the_unit_that_fits(void **state)
{
	assert_cell(CELL_BYTES, CELL_EXACT(0), "0 B");
	assert_cell(CELL_BYTES, CELL_EXACT(10239), "10239 B");
	assert_cell(CELL_BYTES, CELL_EXACT(10240), "10.0 KiB");
	assert_cell(CELL_BYTES, CELL_EXACT(10240 * 1024ull - 1024), "10239.0 KiB");
	assert_cell(CELL_BYTES, CELL_EXACT(10240 * 1024ull), "10.0 MiB");
	assert_cell(CELL_BYTES, CELL_EXACT(10240ull << 20), "10.0 GiB");
	assert_cell(CELL_BYTES, CELL_EXACT(10240ull << 30), "10.0 TiB");
	assert_cell(CELL_BYTES, CELL_EXACT(10240ull << 40), "10.0 PiB");
	assert_cell(CELL_BYTES, CELL_EXACT(10240ull << 50), "10.0 EiB");
	assert_cell(CELL_BYTES, CELL_EXACT(UINT64_MAX), "16.0 EiB");
}

static void numbers_of_other_kinds(void **state)
{
	struct cell cores = { .stated = true, .real = 1.5, .cores = 1 };

	assert_cell(CELL_NUMBER, CELL_EXACT(UINT64_MAX), "18446744073709551615");
	assert_cell(CELL_NUMBER, CELL_EXACT(7), "7");
	assert_cell(CELL_HEX, CELL_EXACT(10), "0x0000000A");
	assert_cell(CELL_HEX, CELL_EXACT(0xC0000011), "0xC0000011");
	assert_cell(CELL_TIME, CELL_EXACT(1000000005), "1.000000005");
	assert_cell(CELL_SINCE, CELL_EXACT(1234567), "1.234567");
	assert_cell(CELL_SINCE, CELL_EXACT(0), "0.000000");
	assert_cell(CELL_SINCE, CELL_EXACT((u64)-1), "-0.000001");
	assert_cell(CELL_SINCE, CELL_EXACT((u64)-2000003), "-2.000003");
	assert_cell(CELL_SINCE, CELL_EXACT(1ull << 63), "-9223372036854.775808");
	assert_cell(CELL_SHARE, CELL_REAL_EXACT(0.12345), "12.3 %");
	assert_cell(CELL_SHARE, CELL_REAL_EXACT(1), "100.0 %");
	assert_cell(CELL_REAL, CELL_REAL_EXACT(1.5), "1.500");
	assert_cell(CELL_REAL, cores, "1.500 + 1 core unknown");
	cores.cores = 2;
	assert_cell(CELL_REAL, cores, "1.500 + 2 cores unknown");
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
	assert_int_equal(table_cell_text(text, &cell, CELL_REAL), TABLE_CELL - 4);
	assert_int_equal(strlen(text), TABLE_CELL - 4);
	assert_int_equal(text[TABLE_CELL], 'x');
}

/* ---- texts --------------------------------------------------------------------------- */

static size_t columns_of(const char *text)
{
	return table_columns(text, strlen(text));
}

static void a_text_takes_a_column_for_each_character(void **state)
{
	assert_int_equal(columns_of(""), 0);
	assert_int_equal(columns_of("ab ~"), 4);
	assert_int_equal(columns_of("\xC3\xA4" "b"), 2);
	assert_int_equal(columns_of("\xE2\x96\x81\xF0\x9F\x98\x80"), 2);
	/* \\ and \x1B. */
	assert_int_equal(columns_of("a\\b"), 4);
	assert_int_equal(columns_of("a\x1B" "b"), 6);
	assert_int_equal(columns_of("\x7F"), 4);
	assert_int_equal(columns_of("\x01"), 4);
	/* \t, \n and \r; \u0085; \u202E and \u2066; but not U+00A0, U+2010 and U+2027. */
	assert_int_equal(columns_of("\t\n\r"), 6);
	assert_int_equal(columns_of("\xC2\x85" "a"), 7);
	assert_int_equal(columns_of("\xE2\x80\xAE\xE2\x81\xA6"), 12);
	assert_int_equal(columns_of("\xC2\xA0\xE2\x80\x90\xE2\x80\xA7"), 3);
	/* The beginning of a character alone. */
	assert_int_equal(columns_of("\xC2"), 1);
	assert_int_equal(columns_of("\xE2\x80"), 1);
}

static void a_text_is_cut_between_characters(void **state)
{
	const char *text = "a\xC3\xA4" "b\\\xE2\x96\x81";
	static const size_t bytes[] = { 0, 1, 3, 4, 4, 5, 8, 8 };
	size_t width;

	for (width = 0; width < sizeof(bytes) / sizeof(bytes[0]); width++)
		assert_int_equal(table_cut(text, strlen(text), width), bytes[width]);
}

/* ---- tables -------------------------------------------------------------------------- */

static const struct column columns[] = {
	{ "name", "name", CELL_TEXT },
	{ "id", "ID", CELL_NUMBER },
	{ "hidden", NULL, CELL_NUMBER },
	{ "kind", "kind of it", CELL_TEXT },
	{ "size", "much", CELL_BYTES },
	{ "share", "share", CELL_COURSE },
};

static void put_table(enum table_form form, u32 imprecise)
{
	static const float one[] = { 0, 0.01f, 0.5f, 1 }, other[] = { -1, 1.5f };
	struct cell cells[][6] = {
		{ CELL_WORD("alpha"), CELL_EXACT(7), CELL_EXACT(1), CELL_WORD("x"), { .stated = true, .least = true, .number = 5 },
		  { .number = 4, .course = one, .imprecise = imprecise } },
		{ CELL_WORD("b\"\x1B"), CELL_EXACT(12345), CELL_NONE, CELL_WORD(""), { .stated = true, .unknown = true }, { .number = 2, .course = other } },
	};
	struct table_rows table;

	table_begin(&table, columns, 6);
	table_row(&table, cells[0]);
	table_row(&table, cells[1]);
	assert_int_equal(table_end(&table, form), 0);
}

/* Numbers are to the right, texts and blocks to the left, two spaces apart. */
static void columns_are_as_wide_as_their_widest_cell(void **state)
{
	put_table(TABLE_TEXT, 0);
	assert_printed("name       ID  kind of it   much  share\n"
		       "alpha       7  x           >=5 B   ▁▄█\n"
		       "b\"\\x1B  12345                  ?  ?█\n");
}

/* Values 1 and 3 of the first row. */
static void imprecise_blocks_are_marked_below(void **state)
{
	put_table(TABLE_TEXT, 10);
	assert_printed("name       ID  kind of it   much  share\n"
		       "alpha       7  x           >=5 B   ▁▄█\n"
		       "b\"\\x1B  12345                  ?  ?█\n"
		       "                                   ~ ~\n"
		       "(~ marks blocks of times that are known less precisely than a block is wide)\n");
}

static void programs_get_all_columns(void **state)
{
	const char *text;

	put_table(TABLE_CSV, 8);
	assert_printed("name,id,hidden,kind,size,share,at_least\r\n"
		       "\"alpha\",7,1,\"x\",5,0.0000 0.0100 0.5000 1.0000~,\"size\"\r\n"
		       "\"b\"\"\\x1B\",12345,,\"\",,? 1.5000,\"\"\r\n");
	put_table(TABLE_JSON, 0);
	text = printed_text();
	assert_non_null(strstr(text, "{\"name\":\"alpha\",\"id\":7,\"hidden\":1,\"kind\":\"x\",\"size\":5,\"size_at_least\":true,\"share\":[0.0,"));
	assert_non_null(strstr(text, "{\"name\":\"b\\\"\\u001B\",\"id\":12345,\"hidden\":null,\"kind\":\"\",\"size\":null,\"share\":[null,1.5]}\n"));
	assert_null(strstr(text, "imprecise"));
	put_table(TABLE_JSON, 8);
	text = printed_text();
	assert_non_null(strstr(text, ",0.5,1.0],\"share_imprecise\":[false,false,false,true]}\n"));
	assert_null(strstr(text, "1.5],\"share_imprecise"));
}

/* As those of a core that went offline do: what is after them is where it is in other rows. */
static void blocks_may_end_early(void **state)
{
	static const struct column two[] = { { "one", "one", CELL_COURSE }, { "other", "other", CELL_COURSE } };
	static const float values[] = { 1, 1, 1, 1, 1 };
	struct cell cells[] = { { .number = 5, .course = values }, { .number = 5, .course = values } };
	struct table_rows table;

	table_begin(&table, two, 2);
	table_row(&table, cells);
	cells[0].number = 2;
	table_row(&table, cells);
	table_end(&table, TABLE_TEXT);
	assert_printed("one    other\n"
		       "█████  █████\n"
		       "██     █████\n");
}

/* A name is cut at 40 columns. */
static void a_long_name_is_cut(void **state)
{
	static const struct column two[] = { { "name", "name", CELL_TEXT }, { "id", "ID", CELL_NUMBER } };
	struct cell cells[] = { CELL_WORD("1234567890123456789012345678901234567890abc"), CELL_EXACT(1) };
	struct table_rows table;

	table_begin(&table, two, 2);
	table_row(&table, cells);
	table_end(&table, TABLE_TEXT);
	assert_printed("name                                      ID\n"
		       "1234567890123456789012345678901234567890   1\n");
	table_begin(&table, two, 2);
	table_row(&table, cells);
	table_end(&table, TABLE_CSV);
	assert_printed("name,id\r\n\"1234567890123456789012345678901234567890abc\",1\r\n");
}

static int by_number(const struct cell *left, const struct cell *right)
{
	return left->number < right->number ? -1 : 1;
}

/* More rows than there is room for at first. */
static void rows_are_sorted(void **state)
{
	static const struct column one[] = { { "id", "ID", CELL_NUMBER } };
	struct table_rows table;
	struct cell cell;
	u64 i;

	table_begin(&table, one, 1);
	for (i = 0; i < 150; i++) {
		cell = CELL_EXACT(i * 7 % 150);
		table_row(&table, &cell);
	}
	table_sort(&table, by_number);
	assert_int_equal(table.rows, 150);
	for (i = 0; i < 150; i++)
		assert_int_equal(table.cells[i].number, i);
	table_free(&table);
	assert_int_equal(table.rows, 0);
	table_end(&table, TABLE_TEXT);
	assert_printed("ID\n");
}

/* The keys of bounds, of which a sum with unknown cores is one. */
static void bounds_are_named(void **state)
{
	static const struct column three[] = { { "a", "a", CELL_REAL }, { "b", "b", CELL_REAL }, { "c", "c", CELL_SHARE } };
	struct cell cells[] = { { .stated = true, .real = 0.5, .cores = 3 }, CELL_REAL_EXACT(2), { .stated = true, .real = 0.25, .least = true } };
	struct table_rows table;

	table_begin(&table, three, 3);
	table_row(&table, cells);
	table_end(&table, TABLE_CSV);
	assert_printed("a,b,c,at_least\r\n0.5,2,0.25,\"a c\"\r\n");
	table_begin(&table, three, 3);
	cells[0].cores = 0;
	cells[2] = (struct cell){ .stated = true, .least = true, .absent = true };
	table_row(&table, cells);
	table_end(&table, TABLE_CSV);
	assert_printed("a,b,c\r\n0.5,2,\r\n");
}

/* 1000 s are 16 min 40 s after midnight, 1970. */
static void times_of_the_wall_clock_stand_beside_those_since_boot(void **state)
{
	static const struct column two[] = { { "at", "at", CELL_TIME }, { "span", "span", CELL_SPAN } };
	struct cell cells[] = { CELL_EXACT(5000000000), CELL_EXACT(1) };
	struct table_rows table;
	int i;

	time_mode = TIME_WALL;
	wall_forget();
	assert_int_equal(wall_add(&(struct bcoslog_wall){ .boot = 4000000000, .utc = 1000000000000 }), 0);
	for (i = 0; i < 2; i++) {
		table_begin(&table, two, 2);
		table_row(&table, cells);
		cells[0] = (struct cell){ .stated = true, .unknown = true };
		table_row(&table, cells);
		cells[0] = CELL_EXACT(5000000000);
		table_end(&table, i ? TABLE_JSON : TABLE_CSV);
		if (i)
			assert_printed("{\"at\":5000000000,\"at_wall\":\"1970-01-01T00:16:41.000000000Z\",\"span\":1}\n"
				       "{\"at\":null,\"span\":1}\n");
		else
			assert_printed("at,at_wall,span\r\n5000000000,\"1970-01-01T00:16:41.000000000Z\",1\r\n,,1\r\n");
	}
	time_mode = TIME_BOOT;
}

/* Whoever makes a cell of a measure says what losses do to the value; else nobody can take it for exact. */
static void a_measure_without_stated_bounds_is_unknown(void **state)
{
	static const struct column columns[] = {
		{ "a", "a", CELL_COUNT }, { "b", "b", CELL_SPAN }, { "c", "c", CELL_SHARE }, { "d", "d", CELL_REAL },
		{ "e", "e", CELL_BYTES }, { "f", "f", CELL_NUMBER }, { "g", "g", CELL_COUNT },
	};
	struct table_rows table;

	table_begin(&table, columns, 7);
	table_row(&table, (struct cell[]){ CELL_OF(1), CELL_OF(2), CELL_OF(3), CELL_OF(4), CELL_OF(5), CELL_OF(6), CELL_EXACT(7) });
	assert_int_equal(table_end(&table, TABLE_CSV), 0);
	assert_printed("a,b,c,d,e,f,g\r\n,,,,,6,7\r\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_measure_without_stated_bounds_is_unknown),
		cmocka_unit_test(durations_have_the_unit_that_fits),
		cmocka_unit_test(bytes_have_the_unit_that_fits),
		cmocka_unit_test(numbers_of_other_kinds),
		cmocka_unit_test(what_is_not_known_is_marked),
		cmocka_unit_test(a_number_that_is_too_long_is_cut),
		cmocka_unit_test(a_text_takes_a_column_for_each_character),
		cmocka_unit_test(a_text_is_cut_between_characters),
		cmocka_unit_test(columns_are_as_wide_as_their_widest_cell),
		cmocka_unit_test(imprecise_blocks_are_marked_below),
		cmocka_unit_test(programs_get_all_columns),
		cmocka_unit_test(blocks_may_end_early),
		cmocka_unit_test(a_long_name_is_cut),
		cmocka_unit_test(rows_are_sorted),
		cmocka_unit_test(bounds_are_named),
		cmocka_unit_test(times_of_the_wall_clock_stand_beside_those_since_boot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
