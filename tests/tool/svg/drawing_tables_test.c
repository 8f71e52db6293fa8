// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables as drawings: a bar for each row, or a stretch of time. */
#include "made_drawing.h"

static const struct column columns[] = {
	{ "process", "process", CELL_NUMBER }, { "name", "name", CELL_TEXT }, { "mean", "mean", CELL_SPAN }, {
		"longest", "longest", CELL_SPAN },
	{ "begin", "begin", CELL_TIME }, { "end", "end", CELL_TIME }, { "what", "what", CELL_TEXT }, { "class",
		"class", CELL_TEXT },
	{ "share", "share", CELL_SHARE }, { "real", "real", CELL_REAL },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))
enum { ID, NAME, MEAN, LONGEST, BEGIN, END, WHAT, CLASS, SHARE, REAL };

static struct table_rows table;

static void add_row(u64 id, const char *name, struct cell mean, struct cell longest, struct cell begin,
	struct cell end)
{
	table_row(&table, (struct cell[COLUMNS]){
		CELL_EXACT(id), CELL_WORD(name), mean, longest, begin, end, CELL_WORD("<what>"), CELL_WORD("critical"),
			CELL_REAL_EXACT(0.5),
		CELL_REAL_EXACT(1.5),
	});
}

static void add_bar(u64 id, const char *name, struct cell mean, struct cell longest)
{
	add_row(id, name, mean, longest, CELL_NONE, CELL_NONE);
}

static void add_span(u64 id, const char *name, struct cell begin, struct cell end)
{
	add_row(id, name, CELL_NONE, CELL_NONE, begin, end);
}

#define RECT(class, y, width) "<rect class=\"" class "\" x=\"200\" y=\"" #y "\" width=\"" #width "\" height=\"14\"/>\n"
#define LABEL(y, text) "<text class=\"label\" x=\"192\" y=\"" #y "\">" text "</text>\n"
#define NOTE(x, y, text) "<text class=\"note\" x=\"" #x "\" y=\"" #y "\">" text "</text>\n"
#define AXIS(y) "<line class=\"axis\" x1=\"200\" y1=\"60\" x2=\"200\" y2=\"" #y "\"/>\n"

/* The greatest value is 0.85 of 740 wide. */
static void drawn_bars(void **state)
{
	const struct cell unknown = { .unknown = true };
	const char *text;

	table_begin(&table, columns, COLUMNS);
	add_bar(1, "ten", CELL_EXACT(800), CELL_EXACT(1000));
	add_bar(2, "a name that is longer than that", CELL_EXACT(400), CELL_EXACT(400));
	add_bar(3, "x", unknown, CELL_EXACT(100));
	add_bar(4, "exactly as long as one", CELL_EXACT(500), CELL_NONE);
	assert_int_equal(chart_bars(&report, &table, &(struct bars){ "Title", ID, NAME, MEAN, LONGEST }), 0);
	text = take_drawn();
	assert_true(has_line(text,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 964 160\" width=\"964\" height=\"160\""));
	assert_string_equal(strstr(text, "Title</text>\n"), "Title</text>\n"
		LABEL(77, "ten (1)") RECT("more", 66, 629) RECT("process", 66, 503.2) NOTE(835, 77,
			"800 ns, longest 1000 ns")
		LABEL(97, "a name that is longer ... (2)") RECT("more", 86, 251.6) RECT("process", 86, 251.6)
		NOTE(457.6, 97, "400 ns, longest 400 ns")
		LABEL(117, "x (3)") RECT("more", 106, 62.9) RECT("unknown", 106, 40) NOTE(246, 117,
			"?, longest 100 ns")
		LABEL(137, "exactly as long as one (4)") RECT("more", 126, 0) RECT("process", 126, 314.5) NOTE(520.5,
			137, "500 ns, longest ")
		AXIS(144) "</svg>\n");
	assert_null(table.cells);
}

/* One value, none, and other names. */
static void other_bars(void **state)
{
	table_begin(&table, columns, COLUMNS);
	add_bar(1, "ten", CELL_EXACT(5), CELL_EXACT(1000));
	assert_int_equal(chart_bars(&report, &table, &(struct bars){ "Title", ID, NAME, MEAN, 0 }), 0);
	assert_after_axis(LABEL(77, "ten (1)") RECT("process", 66, 629) NOTE(835, 77, "5 ns") AXIS(84) "</svg>\n");
	table_begin(&table, columns, COLUMNS);
	add_bar(1, "ten", CELL_EXACT(0), CELL_EXACT(1000));
	assert_int_equal(chart_bars(&report, &table, &(struct bars){ "Title", WHAT, NAME, MEAN, 0 }), 0);
	assert_after_axis(LABEL(77, "ten (&lt;what&gt;)") RECT("process", 66, 0) NOTE(206, 77, "0 ns") AXIS(84)
		"</svg>\n");
	table_begin(&table, columns, COLUMNS);
	add_bar(1, "ten", CELL_EXACT(1), CELL_EXACT(1));
	add_bar(2, "", CELL_EXACT(1), CELL_EXACT(1));
	assert_int_equal(chart_bars(&report, &table, &(struct bars){ "Title", NAME, NAME, SHARE, REAL }), 0);
	assert_after_axis(LABEL(77, "ten") RECT("more", 66, 629) RECT("process", 66, 209.667) NOTE(835, 77,
		"50.0 %, longest 1.500")
			  LABEL(97, "") RECT("more", 86, 629) RECT("process", 86, 209.667) NOTE(835, 97,
				"50.0 %, longest 1.500")
			  AXIS(104) "</svg>\n");
}

/* The greatest value decides, however small it is. */
static void small_bars(void **state)
{
	table_begin(&table, columns, COLUMNS);
	add_bar(1, "ten", CELL_EXACT(1), CELL_EXACT(1));
	assert_int_equal(chart_bars(&report, &table, &(struct bars){ "Title", ID, NAME, SHARE, 0 }), 0);
	assert_after_axis(LABEL(77, "ten (1)") RECT("process", 66, 629) NOTE(835, 77, "50.0 %") AXIS(84) "</svg>\n");
}

static void the_first_two_hundred_bars(void **state)
{
	const char *text;
	u64 i;

	table_begin(&table, columns, COLUMNS);
	for (i = 0; i < 200; i++)
		add_bar(i, "many", CELL_EXACT(1), CELL_EXACT(1));
	assert_int_equal(chart_bars(&report, &table, &(struct bars){ "Title", ID, NAME, MEAN, 0 }), 0);
	assert_null(strstr(take_drawn(), "the table has all"));
	table_begin(&table, columns, COLUMNS);
	for (i = 0; i < 201; i++)
		add_bar(i, "many", CELL_EXACT(i == 200 ? 1000 : 1), CELL_EXACT(1));
	assert_int_equal(chart_bars(&report, &table, &(struct bars){ "Title", ID, NAME, MEAN, 0 }), 0);
	text = take_after_axis();
	/* The one that is left out is not the measure of the others. */
	assert_true(has_line(text, RECT("process", 66, 629)));
	assert_string_equal(strstr(text, LABEL(4057, "many (199)")), LABEL(4057, "many (199)") RECT("process", 4046,
		629)
			    NOTE(835, 4057, "1 ns") AXIS(4064) NOTE(16, 46,
				"the first 200 of 201; the table has all") "</svg>\n");
}

static bool lacks_memory(void)
{
	return chart_bars(&report, &table, &(struct bars){ "Title", ID, NAME, MEAN, 0 }) == -ENOMEM;
}

static void without_memory(void **state)
{
	table_begin(&table, columns, COLUMNS);
	add_bar(1, "ten", CELL_EXACT(1), CELL_EXACT(1));
	table.failed = true;
	assert_complains("bcoslog: no memory for the drawing\n", lacks_memory());
	assert_null(table.cells);
}

/* ---- stretches of time ------------------------------------------------------------------------------ */

#define SPAN(class, x, y, width, tip) \
	"<rect class=\"" class "\" x=\"" #x "\" y=\"" #y "\" width=\"" #width "\" height=\"14\"><title>" \
	tip "</title></rect>\n"

static void add_spans(void)
{
	begin_report(SECOND, 2 * SECOND);
	table_begin(&table, columns, COLUMNS);
	add_span(10, "ten", CELL_EXACT(1100 * MS), CELL_EXACT(1200 * MS));
	add_span(20, "twenty", CELL_NONE, CELL_EXACT(1500 * MS));
	add_span(10, "ten", CELL_EXACT(1500 * MS), CELL_NONE);
	add_span(30, "x", CELL_NONE, CELL_NONE);
}

static void stretches_of_one_id_are_in_one_line(void **state)
{
	add_spans();
	assert_int_equal(chart_spans(&report, &table, &(struct spans){ "Title", ID, NAME, BEGIN, END, 0, 0, 0, false }),
		0);
	assert_after_axis(
		LABEL(77, "ten (10)") SPAN("process", 274, 66, 74, "1.100000000 s to 1.200000000 s")
		LABEL(97, "twenty (20)") SPAN("process", 200, 86, 370, "since before")
		SPAN("process", 570, 66, 370, "still there")
		LABEL(117, "x (30)") SPAN("process", 200, 106, 740, "all the time") "</svg>\n");
}

static void or_in_lines_of_their_own(void **state)
{
	add_spans();
	assert_int_equal(chart_spans(&report, &table, &(struct spans){ "Title", ID, NAME, BEGIN, END, 0, 0, 0, true }),
		0);
	assert_after_axis(
		LABEL(77, "ten (10)") SPAN("process", 274, 66, 74, "1.100000000 s to 1.200000000 s")
		LABEL(97, "twenty (20)") SPAN("process", 200, 86, 370, "since before")
		LABEL(117, "ten (10)") SPAN("process", 570, 106, 370, "still there")
		LABEL(137, "x (30)") SPAN("process", 200, 126, 740, "all the time") "</svg>\n");
}

static void stretches_with_a_class_and_a_text(void **state)
{
	begin_report(SECOND, 2 * SECOND);
	table_begin(&table, columns, COLUMNS);
	add_span(10, "ten", CELL_EXACT(1100 * MS), CELL_EXACT(1100 * MS));
	assert_int_equal(chart_spans(&report, &table, &(struct spans){ "Title", ID, NAME, BEGIN, END, WHAT, CLASS,
		0, false }), 0);
	assert_after_axis(LABEL(77, "ten (10)") SPAN("critical", 274, 66, 1, "1.100000000 s, &lt;what&gt;")
		"</svg>\n");
}

static void as_many_lines_as_there_is_room_for(void **state)
{
	const char *text;
	u64 i;

	begin_report(SECOND, 2 * SECOND);
	table_begin(&table, columns, COLUMNS);
	for (i = 0; i < 200; i++)
		add_span(i, "many", CELL_NONE, CELL_NONE);
	add_span(0, "many", CELL_NONE, CELL_EXACT(SECOND));
	assert_int_equal(chart_spans(&report, &table, &(struct spans){ "Title", ID, NAME, BEGIN, END, 0, 0, 0, false }),
		0);
	text = take_after_axis();
	assert_true(has_line(text, SPAN("process", 200, 4046, 740, "all the time") SPAN("process", 200, 66, 1,
		"since before") "</svg>\n"));
	table_begin(&table, columns, COLUMNS);
	for (i = 0; i < 202; i++)
		add_span(i, "many", CELL_NONE, CELL_NONE);
	assert_int_equal(chart_spans(&report, &table, &(struct spans){ "Title", ID, NAME, BEGIN, END, 0, 0, 0, false }),
		0);
	text = take_after_axis();
	assert_true(has_line(text, SPAN("process", 200, 4046, 740, "all the time")
			     NOTE(16, 46, "the first 200 of 202; the table has all") "</svg>\n"));
}

/* Stretches beyond the first 4096 are left out, even if they need no other line. */
static void as_many_stretches_as_there_is_room_for(void **state)
{
	size_t rows, i;

	for (rows = 4096; rows <= 4097; rows++) {
		begin_report(SECOND, 2 * SECOND);
		table_begin(&table, columns, COLUMNS);
		for (i = 0; i < rows; i++)
			add_span(10, "ten", CELL_EXACT(1100 * MS), CELL_EXACT(1200 * MS));
		assert_int_equal(chart_spans(&report, &table, &(struct spans){ "Title", ID, NAME, BEGIN, END, 0, 0, 0, false }),
				 0);
		assert_int_equal(has_line(take_after_axis(), NOTE(16, 46, "the first 4096 of 4097; the table has all")),
				 rows == 4097);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		drawing_test(drawn_bars),
		drawing_test(other_bars),
		drawing_test(small_bars),
		drawing_test(the_first_two_hundred_bars),
		drawing_test(without_memory),
		drawing_test(stretches_of_one_id_are_in_one_line),
		drawing_test(or_in_lines_of_their_own),
		drawing_test(stretches_with_a_class_and_a_text),
		drawing_test(as_many_lines_as_there_is_room_for),
		drawing_test(as_many_stretches_as_there_is_room_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
