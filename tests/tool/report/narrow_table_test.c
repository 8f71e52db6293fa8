// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables on a terminal of 60 columns: what gives way, how far, what is left out, and how courses are drawn. */
#include <stdarg.h>
#include <sys/ioctl.h>

#include "output/output.h"
#include "printed.h"
#include "views/rows.h"
#include "views/turn_sums.h"

#define ROOM 60

int isatty(int fd)
{
	return fd == STDOUT_FILENO;
}

/* It is asked once. */
int ioctl(int fd, unsigned long request, ...)
{
	struct winsize *size;
	va_list args;

	assert_int_equal(request, TIOCGWINSZ);
	va_start(args, request);
	size = va_arg(args, struct winsize *);
	va_end(args);
	*size = (struct winsize){ .ws_row = 24, .ws_col = ROOM };
	return 0;
}

static struct table_rows table;

#define FORTY "0123456789abcdefghijklmnopqrstuvwxyz<>()"
#define BLOCKS_8 "████████"
#define SPACES_15 "               "

static struct cell course_of(const float *values, size_t count)
{
	return (struct cell){ .number = count, .course = values };
}

static void print_table(void)
{
	table_put_text(&table);
	table_free(&table);
}

/* ---- courses and names give way --------------------------------------------------------- */

static const struct column two_names[] = {
	{ "first", "first", CELL_TEXT }, { "hidden", NULL, CELL_TEXT }, { "second", "second", CELL_TEXT }, {
		"course", "course", CELL_COURSE },
};

static float full[32] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1 };

/* Prints a row of these texts and a course of so many blocks. */
static const char *row_of(const char *first, const char *second, size_t blocks)
{
	const char *text;

	table_begin(&table, two_names, 4);
	table_row(&table, (struct cell[]){ CELL_WORD(first), CELL_WORD("nobody sees this"), CELL_WORD(second),
		course_of(full, blocks) });
	print_table();
	text = printed_text();
	return strchr(text, '\n') + 1;
}

static void a_line_has_room(void **state)
{
	/* 20 + 2 + 6 + 2 + 30, and one more. */
	assert_string_equal(row_of("01234567890123456789", "second", 30),
			    "01234567890123456789  second  " BLOCKS_8 BLOCKS_8 BLOCKS_8 "██████\n");
	assert_string_equal(row_of("01234567890123456789", "second", 31),
			    "01234567890123456789  second  " BLOCKS_8 BLOCKS_8 BLOCKS_8 "██████\n");
	assert_string_equal(row_of("01234567890123456789", "second", 29),
			    "01234567890123456789  second  " BLOCKS_8 BLOCKS_8 BLOCKS_8 "█████\n");
}

/* Courses first, to eight blocks; then names, to 15 characters, the first one first. */
static void what_gives_way(void **state)
{
	assert_string_equal(row_of(FORTY, "second", 32), FORTY "  second  " BLOCKS_8 "██\n");
	assert_string_equal(row_of(FORTY, "second", 9), FORTY "  second  " BLOCKS_8 "█\n");
	assert_string_equal(row_of(FORTY, "eightlet", 9), FORTY "  eightlet  " BLOCKS_8 "\n");
	assert_string_equal(row_of(FORTY, "nineletter", 9),
		"0123456789abcdefghijklmnopqrstuvwxyz<>  nineletter  " BLOCKS_8 "\n");
	assert_string_equal(row_of(FORTY, FORTY, 10), "0123456789abcde  0123456789abcdefghijklmnopqrstuvw  " BLOCKS_8
		"\n");
	/* One that is longer than 40 is cut in any case. */
	assert_string_equal(row_of(FORTY "more", "x", 1), FORTY "  x       █\n");
}

static void a_title_does_not_give_way(void **state)
{
	static const struct column columns[] = {
		{ "a", "a title of 21 letters", CELL_TEXT }, { "b", "b", CELL_TEXT }, { "c", "a title of eleven",
			CELL_COURSE },
	};

	table_begin(&table, columns, 3);
	table_row(&table, (struct cell[]){ CELL_WORD(FORTY), CELL_WORD(FORTY), course_of(full, 32) });
	print_table();
	/* 21 + 2 + 18 + 2 + 17. */
	assert_printed("a title of 21 letters  b                   a title of eleven\n"
		       "0123456789abcdefghijk  0123456789abcdefgh  " BLOCKS_8 BLOCKS_8 "█\n");
}

/* ---- columns that are left out ---------------------------------------------------------- */

static const struct column numbers[] = {
	{ "one", "ONE", CELL_NUMBER }, { "two", "TWO", CELL_NUMBER }, { "three", "THREE", CELL_NUMBER }, { "four",
		"FOUR", CELL_NUMBER },
	{ "five", "FIVE", CELL_NUMBER },
};

static void print_numbers(size_t width, u64 number, const char *spare)
{
	struct cell cells[5];
	size_t i;

	for (i = 0; i < 5; i++)
		cells[i] = CELL_EXACT(number);
	table_begin(&table, numbers, width);
	table.spare = spare;
	table_row(&table, cells);
	print_table();
}

static void columns_without_room(void **state)
{
	/* 5 x 10 + 8 have room, 5 x 11 + 8 have not, but 4 x 11 + 6 have. */
	print_numbers(5, 1234567890, "two");
	assert_printed("       ONE         TWO       THREE        FOUR        FIVE\n"
		       "1234567890  1234567890  1234567890  1234567890  1234567890\n");
	print_numbers(5, 12345678901, "two");
	assert_printed("        ONE        THREE         FOUR         FIVE\n"
		       "12345678901  12345678901  12345678901  12345678901\n(no room for: TWO)\n");
	/* In the order of the keys, as many as it takes. */
	print_numbers(5, 123456789012345, "five two one");
	assert_printed("            ONE            THREE             FOUR\n"
		       "123456789012345  123456789012345  123456789012345\n(no room for: TWO, FIVE)\n");
	/* More cannot be left out. */
	print_numbers(5, 123456789012345678, "fiv fives one");
	assert_printed("               TWO               THREE                FOUR                FIVE\n"
		       "123456789012345678  123456789012345678  123456789012345678  123456789012345678\n(no room "
			"for: ONE)\n");
	print_numbers(4, 123456789012345, NULL);
	assert_printed("            ONE              TWO            THREE             FOUR\n"
		       "123456789012345  123456789012345  123456789012345  123456789012345\n");
}

/* ---- the reports ------------------------------------------------------------------------ */

#define SECOND 1000000000ull
#define MS 1000000ull

static const struct bcoslog_account_process ten = {
	.id = 10, .name = "ten", .name_length = 3, .start = SECOND, .end = 2 * SECOND, .ended = true, .status = 3,
	.time = 25 * MS, .turns = 2,
};

static void reports_without_some_columns(void **state)
{
	struct latency_sums waits = { .offs = 1, .off_sum = 25 * MS, .off_longest = 25 * MS,
		.off_longest_at = SECOND };
	struct report report = { .form = TABLE_TEXT, .account = bcoslog_account_new(NULL) };
	struct turn_sums *sums = calloc(1, sizeof(*sums));
	struct bcoslog_account_process process = ten;

	assert_true(report.account && sums);
	turn_sums_begin(false);
	turn_sums_add(sums, 0, SECOND, SECOND + 25 * MS, false);
	process.user = sums;
	turn_sums_row(&process);
	assert_int_equal(turn_sums_print(NULL, false, TABLE_TEXT), 0);
	assert_printed("process  name  turns  on CPUs     mean  longest           at\n"
		       "     10  ten       1  25.0 ms  25.0 ms  25.0 ms  1.000000000\n"
		       "(no room for: shortest, moves, deviation)\n");
	latency_begin(&table);
	process.user = &waits;
	latency_row(&table, &process);
	print_table();
	assert_printed("process  name  of   times     mean  longest           at\n"
		       "     10  ten   off      1  25.0 ms  25.0 ms  1.000000000\n(no room for: on CPUs, woken by)\n");
	processes_begin(&table, true);
	processes_row(&table, &ten, &(struct bcoslog_bounds){ 0 }, "");
	print_table();
	assert_printed("process  name        began        ended  how\n"
		       "     10  ten   1.000000000  2.000000000  exit code 3\n(no room for: on CPUs, turns)\n");
	bcoslog_account_free(report.account);
}

/* ---- courses ---------------------------------------------------------------------------- */

static const struct column courses[] = {
	{ "name", "name", CELL_TEXT }, { "course", "course", CELL_COURSE }, { "number", "number", CELL_NUMBER }, {
		"last", "last", CELL_COURSE },
};

static void blocks_of_values(void **state)
{
	const float values[] = { 0, 0.001f, 0.0625f, 0.1874f, 0.1876f, 0.5f, 0.93f, 0.94f, 1, 1.1f, -1 };
	const float two[] = { 1, 0.5f };

	table_begin(&table, courses, 4);
	table_row(&table, (struct cell[]){ CELL_WORD("a"), course_of(values, 11), CELL_EXACT(5), course_of(two, 2) });
	table_row(&table, (struct cell[]){ CELL_WORD("b"), course_of(two, 2), CELL_EXACT(123456789), course_of(values,
		0) });
	table_row(&table, (struct cell[]){ CELL_NONE, course_of(values, 0), CELL_NONE, course_of(values, 0) });
	print_table();
	assert_printed("name  course          number  last\n"
		       "a      ▁▁▁▂▄▇███?          5  █▄\n"
		       "b     █▄           123456789\n"
		       "\n");
}

/* A block that stands for several values has the mean of those that are known. */
static void blocks_of_several_values(void **state)
{
	float values[64];
	const char *text;
	size_t i;

	for (i = 0; i < 64; i++)
		values[i] = i < 16 ? 0.5f : i < 32 ? (i & 1 ? 1 : 0) : i < 48 ? (i & 1 ? 1 : -1) : -1;
	table_begin(&table, courses + 1, 2);
	table_row(&table, (struct cell[]){ course_of(values, 64), CELL_EXACT(12345678901234567890ull) });
	print_table();
	text = printed_text();
	/* 64 values are 38 blocks, so a block has one or two. */
	assert_int_equal(strncmp(strchr(text, '\n') + 1, "▄▄▄▄▄▄▄▄▄", strlen("▄▄▄▄▄▄▄▄▄")), 0);
	assert_non_null(strstr(text, "?????????  12345678901234567890\n"));
	/* Every other one of the values 32 to 47 is known. The blocks 19 and 25 have an unknown one by itself. */
	assert_non_null(strstr(text, "?█████?███?"));
	assert_int_equal(table_columns(strchr(text, '\n') + 1, strlen(strchr(text, '\n') + 1) - 1), ROOM);
}

static void marks_below_courses(void **state)
{
	struct cell marked = course_of(full, 4), plain = course_of(full, 2), other = course_of(full, 3);

	marked.imprecise = 1 << 1 | 1 << 3;
	other.imprecise = 1;
	table_begin(&table, courses, 4);
	table_row(&table, (struct cell[]){ CELL_WORD("abcdef"), marked, CELL_EXACT(5), plain });
	table_row(&table, (struct cell[]){ CELL_WORD("b"), plain, CELL_EXACT(6), other });
	print_table();
	assert_printed("name    course  number  last\n"
		       "abcdef  ████         5  ██\n"
		       "b       ██           6  ███\n"
		       "         ~ ~            ~\n"
		       "(~ marks blocks of times that are known less precisely than a block is wide)\n");
	table_begin(&table, courses, 4);
	table_row(&table, (struct cell[]){ CELL_WORD("b"), plain, CELL_EXACT(6), plain });
	print_table();
	assert_printed("name  course  number  last\nb     ██           6  ██\n");
}

static char printed[2 * OUTPUT_SIZE];
static size_t printed_size;

static void keep_printed(const char *bytes, size_t size, void (*put)(const void *bytes, size_t size))
{
	assert_true(printed_size + size < sizeof(printed));
	if (size)
		memcpy(printed + printed_size, bytes, size);
	printed_size += size;
	printed[printed_size] = '\0';
}

/* A table is whole wherever in the buffer it begins. */
static void tables_where_the_buffer_ends(void **state)
{
	struct cell marked = course_of(full, 4);
	size_t used;

	marked.imprecise = 1;
	output.encode = keep_printed;
	for (used = OUTPUT_SIZE - OUTPUT_ROOM - 50; used <= OUTPUT_SIZE; used++) {
		printed_size = 0;
		memset(output.buffer, 'f', used);
		output.used = used;
		table_begin(&table, courses, 4);
		table_row(&table, (struct cell[]){ CELL_WORD("a"), marked, CELL_EXACT(5), course_of(full, 2) });
		table_row(&table, (struct cell[]){ CELL_WORD("abcd\x01"), course_of(full, 0), CELL_EXACT(123456789), marked });
		print_table();
		output_flush();
		assert_string_equal(printed + used,
				    "name      course     number  last\n"
				    "a         ████            5  ██\n"
				    "abcd\\x01          123456789  ████\n"
				    "          ~                  ~\n"
				    "(~ marks blocks of times that are known less precisely than a block is wide)\n");
	}
	output.encode = NULL;
}

static void csv_where_the_buffer_ends(void **state)
{
	struct cell marked = course_of(full, 2);
	size_t used;

	marked.imprecise = 3;
	output.encode = keep_printed;
	for (used = OUTPUT_SIZE - 60; used <= OUTPUT_SIZE; used++) {
		printed_size = 0;
		memset(output.buffer, 'f', used);
		output.used = used;
		table_begin(&table, courses, 4);
		table_row(&table, (struct cell[]){ CELL_WORD("a"), marked, CELL_EXACT(5), course_of(full, 0) });
		assert_int_equal(table_end(&table, TABLE_CSV), 0);
		output_flush();
		assert_string_equal(printed + used,
				    "name,course,number,last\r\n\"a\",1.0000~ 1.0000~,5,\r\n");
	}
	output.encode = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_has_room),
		cmocka_unit_test(what_gives_way),
		cmocka_unit_test(a_title_does_not_give_way),
		cmocka_unit_test(columns_without_room),
		cmocka_unit_test(reports_without_some_columns),
		cmocka_unit_test(blocks_of_values),
		cmocka_unit_test(blocks_of_several_values),
		cmocka_unit_test(marks_below_courses),
		cmocka_unit_test(tables_where_the_buffer_ends),
		cmocka_unit_test(csv_where_the_buffer_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
