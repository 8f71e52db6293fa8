// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Shapes and texts of drawings, the axis of time, and what is marked along it. */
#include "made_drawing.h"
#include "failing_memory.h"
#include "output/output.h"
#include "svg/rows.h"
#include "report/course/imprecise.h"

/* ---- shapes and texts ------------------------------------------------------------------------------- */

static void a_drawing_is_a_document(void **state)
{
	const char *text;

	svg_begin("a <b> & \"c\"", 100, 50.5);
	svg_end();
	text = take_drawn();
	assert_true(has_line(text,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 50.5\" width=\"100\" height=\"50.5\" "
			"role=\"img\">\n"
		"<title>a &lt;b&gt; &amp; &quot;c&quot;</title>\n<style>\n"));
	assert_string_equal(strstr(text, "</pattern>"), "</pattern></defs>\n"
		"<text class=\"title\" x=\"16\" y=\"28\">a &lt;b&gt; &amp; &quot;c&quot;</text>\n</svg>\n");
}

static void drawn_shapes(void **state)
{
	svg_rect("in", 1, 2.5, 3.25, 1e7, NULL);
	assert_drawn("<rect class=\"in\" x=\"1\" y=\"2.5\" width=\"3.25\" height=\"1e+07\"/>\n");
	svg_rect("out", 1, 2, 3, 4, "<\x01&\"\\");
	assert_drawn("<rect class=\"out\" x=\"1\" y=\"2\" width=\"3\" "
		"height=\"4\"><title>&lt;\\x01&amp;&quot;\\\\</title></rect>\n");
	svg_line("axis", 1, 2, 3, 4);
	assert_drawn("<line class=\"axis\" x1=\"1\" y1=\"2\" x2=\"3\" y2=\"4\"/>\n");
	svg_path_begin("first");
	svg_path_point(1, 2, true);
	svg_path_point(3.5, 4, false);
	svg_path_end();
	assert_drawn("<path class=\"first\" d=\"M1 2L3.5 4\"/>\n");
	svg_note("note", 1, 2, "%d > %s", 3, "a&b");
	assert_drawn("<text class=\"note\" x=\"1\" y=\"2\">3 &gt; a&amp;b</text>\n");
}

static void assert_text(const char *text, size_t length, const char *expected)
{
	char whole[1024];

	snprintf(whole, sizeof(whole), "<text class=\"label\" x=\"0\" y=\"0\">%s</text>\n", expected);
	svg_text("label", 0, 0, text, length);
	assert_drawn(whole);
}

/* A text of the log has 64 bytes at most, whole characters, and no characters that XML has not. */
static void texts_of_the_log(void **state)
{
	static const char sixty[] = "012345678901234567890123456789012345678901234567890123456789";
	char text[80], expected[80];

	assert_text("", 0, "");
	assert_text("abc", 2, "ab");
	snprintf(text, sizeof(text), "%sabcdef", sixty);
	snprintf(expected, sizeof(expected), "%sabcd", sixty);
	assert_text(text, 66, expected);
	snprintf(text, sizeof(text), "%sabc\xC3\xA4", sixty);
	snprintf(expected, sizeof(expected), "%sabc", sixty);
	assert_text(text, 65, expected);
	assert_text("\xEF\xBF\xBE\xEF\xBF\xBFz\xEF\xBF\xBE", 10, "\xEF\xBF\xBD\xEF\xBF\xBDz\xEF\xBF\xBD");
	assert_text("\xEF\xBF\xBD\xEF\xBF\xBC\xEF\xBE\xBE\xEE\xBF\xBE", 12,
		"\xEF\xBF\xBD\xEF\xBF\xBC\xEF\xBE\xBE\xEE\xBF\xBE");
	assert_text("a\n\t\x7F", 4, "a\\n\\t\\x7F");
}

/* Wherever the buffer of the output ends, nothing is lost. */
static void texts_at_the_end_of_the_buffer(void **state)
{
	static const char dangerous[] =
		"\x01\x02\x03\x04\"\"\"\"&&&&\x05\x06\x07\x08<<<<\x0e\x0f>>>>\x10\x11"
		"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"";
	char expected[1024], long_note[2048], note[256] = "";
	size_t filler;

	svg_text("label", 0, 0, dangerous, sizeof(dangerous) - 1);
	strcpy(expected, take_drawn());
	/* Our own sentences have up to 255 bytes, and each of them may become six. */
	memset(note, '"', 255);
	svg_note("note", 0, 0, "%s", note);
	strcpy(long_note, take_drawn());
	for (filler = OUTPUT_SIZE - 3200; filler <= OUTPUT_SIZE; filler++) {
		memset(output.buffer, 'x', filler);
		output.used = filler;
		svg_note("note", 0, 0, "%s", note);
		assert_string_equal(take_drawn() + filler, long_note);
	}
	for (filler = OUTPUT_SIZE - 2200; filler <= OUTPUT_SIZE; filler++) {
		memset(output.buffer, 'x', filler);
		output.used = filler;
		svg_text("label", 0, 0, dangerous, sizeof(dangerous) - 1);
		assert_string_equal(take_drawn() + filler, expected);
	}
}

/* ---- the axis of time ------------------------------------------------------------------------------- */

static void the_axis_has_ten_ticks_at_most(void **state)
{
	char line[128];
	const char *text;
	int i;

	begin_report(SECOND, 2 * SECOND);
	chart_begin(&report, "title", 2, 44);
	text = take_shapes();
	for (i = 0; i <= 10; i++) {
		snprintf(line, sizeof(line), "<line class=\"grid\" x1=\"%d\" y1=\"60\" x2=\"%d\" y2=\"156\"/>\n"
			 "<text class=\"tick\" x=\"%d\" y=\"170\">%.6g s</text>\n", 200 + 74 * i, 200 + 74 * i,
				200 + 74 * i, i / 10.0);
		text = strstr(text, line);
		assert_non_null(text);
	}
	assert_string_equal(text + strlen(line), "<line class=\"axis\" x1=\"200\" y1=\"156\" x2=\"940\" y2=\"156\"/>\n"
			    "<text class=\"note\" x=\"200\" y=\"188\">since 1.000000000 s since boot</text>\n");
}

static void assert_ticks(u64 span, const char *second, const char *last)
{
	const char *text, *at;
	char tick[64];

	begin_report(SECOND, SECOND + span);
	chart_begin(&report, "title", 1, 20);
	text = take_shapes();
	at = strstr(strstr(text, "class=\"tick\"") + 1, "class=\"tick\"");
	snprintf(tick, sizeof(tick), "y=\"102\">%s</text>", second);
	assert_int_equal(strncmp(strstr(at, "y="), tick, strlen(tick)), 0);
	for (at = text; strstr(at + 1, "class=\"tick\""); at = strstr(at + 1, "class=\"tick\""))
		;
	snprintf(tick, sizeof(tick), "y=\"102\">%s</text>", last);
	assert_int_equal(strncmp(strstr(at, "y="), tick, strlen(tick)), 0);
}

static void ticks_have_the_unit_of_their_step(void **state)
{
	assert_ticks(10 * SECOND, "1 s", "10 s");
	assert_ticks(11 * SECOND, "2 s", "10 s");
	assert_ticks(20 * SECOND, "2 s", "20 s");
	assert_ticks(22 * SECOND - 1, "2 s", "20 s");
	assert_ticks(22 * SECOND, "5 s", "20 s");
	assert_ticks(55 * SECOND - 1, "5 s", "50 s");
	assert_ticks(55 * SECOND, "10 s", "50 s");
	assert_ticks(SECOND - 1, "0.1 s", "0.9 s");
	assert_ticks(500 * MS, "50 ms", "500 ms");
	assert_ticks(MS, "0.1 ms", "1 ms");
	assert_ticks(MS / 2, "50 us", "500 us");
	assert_ticks(1000, "0.1 us", "1 us");
	assert_ticks(10, "0.001 us", "0.01 us");
}

static void places_of_moments(void **state)
{
	begin_report(SECOND, 2 * SECOND);
	chart_begin(&report, "title", 1, 20);
	assert_true(chart_x(0) == 200 && chart_x(SECOND) == 200);
	assert_true(chart_x(1500 * MS) == 570 && chart_x(1750 * MS) == 755);
	assert_true(chart_x(2 * SECOND) == 940 && chart_x(UINT64_MAX) == 940);
	take_drawn();
	begin_report(SECOND, SECOND);
	chart_begin(&report, "title", 1, 20);
	assert_true(chart_x(SECOND) == 200 && chart_x(2 * SECOND) == 200);
	assert_non_null(strstr(take_shapes(), ">0 us</text>\n<line class=\"axis\""));
}

static void names_of_rows(void **state)
{
	chart_rows(3, 44);
	chart_name(2, "name", 4);
	assert_drawn("<text class=\"label\" x=\"192\" y=\"174\">name</text>\n");
	chart_rows(3, 30);
	chart_name(0, "name", 3);
	assert_drawn("<text class=\"label\" x=\"192\" y=\"77\">nam</text>\n");
	chart_rows(3, 31);
	chart_name(0, "name", 4);
	assert_drawn("<text class=\"label\" x=\"192\" y=\"86\">name</text>\n");
}

/* ---- what is marked --------------------------------------------------------------------------------- */

#define LOSS(x, width) "<rect class=\"loss\" x=\"" x "\" y=\"60\" width=\"" width \
	"\" height=\"28\"><title>the log does not tell of " \
	"all that happened here</title></rect>\n"

static void losses_of_some_kinds(void **state)
{
	size_t i;

	begin_report(SECOND, 2 * SECOND);
	chart_unknown(NULL, BCOSLOG_LOST_CALLS | BCOSLOG_LOST_LIVES, 1500 * MS, 1600 * MS);
	chart_unknown(NULL, BCOSLOG_LOST_TRANSFERS, 1200 * MS, 1300 * MS);
	chart_unknown(NULL, BCOSLOG_LOST_CALLS, 1700 * MS, 1701 * MS);
	chart_begin(&report, "title", 1, 20);
	take_drawn();
	chart_end(BCOSLOG_LOST_CALLS);
	assert_drawn(LOSS("570", "74") LOSS("718", "2") "</svg>\n");
	chart_end(BCOSLOG_LOST_TRANSFERS);
	assert_drawn(LOSS("348", "74") "</svg>\n");
	chart_end(0);
	assert_drawn("</svg>\n");
	/* There is room for 1024, and what comes after that is drawn with the last one. */
	for (i = 3; i < 1023; i++)
		chart_unknown(NULL, 0, SECOND, SECOND);
	chart_unknown(NULL, BCOSLOG_LOST_EVENTS, 1800 * MS, 1900 * MS);
	chart_unknown(NULL, BCOSLOG_LOST_DEVICES, 1850 * MS, 1890 * MS);
	chart_end(BCOSLOG_LOST_DEVICES);
	assert_drawn(LOSS("792", "74") "</svg>\n");
	chart_unknown(NULL, BCOSLOG_LOST_EVENTS, 1950 * MS, 2000 * MS);
	chart_end(BCOSLOG_LOST_EVENTS);
	assert_drawn(LOSS("792", "148") "</svg>\n");
}

#define IMPRECISE(x, width, precision) "<rect class=\"imprecise\" x=\"" x "\" y=\"60\" width=\"" width \
	"\" height=\"28\"><title>times " \
	"in here may be up to " precision " later</title></rect>\n"

static void what_is_not_known_so_well(void **state)
{
	begin_report(SECOND, 2 * SECOND);
	chart_begin(&report, "title", 1, 20);
	take_drawn();
	imprecise_note(1100 * MS, 100 * MS);
	imprecise_note(1400 * MS, 1000000);
	chart_imprecise(1000000);
	assert_drawn(IMPRECISE("274", "74", "100.0 ms"));
	chart_imprecise(999999);
	assert_drawn(IMPRECISE("274", "74", "100.0 ms") IMPRECISE("496", "2", "1000.0 us"));
	chart_imprecise(100 * MS);
	assert_drawn("");
}

static void assert_class(u64 width, u64 first, size_t bucket, const char *expected)
{
	static struct timeline timeline;
	char text[32];

	timeline.width = width;
	timeline.first = first;
	assert_string_equal(chart_class(text, sizeof(text), "in", &timeline, bucket), expected);
}

static void stretches_that_reach_out_of_the_window(void **state)
{
	begin_report(SECOND, 2 * SECOND);
	chart_begin(&report, "title", 1, 20);
	assert_class(100 * MS, 10, 0, "in");
	assert_class(100 * MS, 9, 0, "in partial");
	assert_class(100 * MS, 9, 1, "in");
	assert_class(100 * MS, 10, 9, "in");
	assert_class(100 * MS, 10, 10, "in partial");
	assert_class(300 * MS, 4, 2, "in partial");
}

static bool cannot_be(bool overflow)
{
	return chart_failed(overflow) == -ENOMEM;
}

static void a_drawing_that_cannot_be(void **state)
{
	assert_complains("bcoslog: no memory for the drawing\n", cannot_be(false));
	assert_complains("bcoslog: a drawing has at most 256 stretches of time: choose a wider --every, or a part "
		"of the log by "
			 "--since and --until\n", cannot_be(true));
}

/* ---- rows ------------------------------------------------------------------------------------------- */

static void rows_by_kind_and_id(void **state)
{
	static const struct {
		u32 kind;
		u64 id;
	} order[] = { { 0, 9 }, { 1, 1 }, { 1, 5 }, { 2, 0 }, { 2, 1ull << 40 } };
	struct svg_rows rows = { .fixed = 7 };
	struct svg_row *row;
	size_t i;

	svg_rows_sort(&rows);
	row = svg_row_of(&rows, 2, 1ull << 40);
	assert_int_equal(row->timeline.fixed, 7);
	svg_row_of(&rows, 1, 5);
	svg_row_of(&rows, 2, 0);
	svg_row_of(&rows, 0, 9);
	svg_row_of(&rows, 1, 1);
	assert_ptr_equal(svg_row_of(&rows, 2, 1ull << 40), row);
	assert_int_equal(rows.count, 5);
	svg_rows_sort(&rows);
	for (i = 0; i < 5; i++) {
		assert_int_equal(rows.of[i]->kind, order[i].kind);
		assert_int_equal(rows.of[i]->id, order[i].id);
	}
	assert_true(svg_rows_whole(&rows));
	for (i = 0; i < 5; i += 4) {
		rows.of[i]->timeline.overflow = true;
		assert_false(svg_rows_whole(&rows));
		rows.of[i]->timeline.overflow = false;
	}
	assert_complains("", !svg_rows_end(&rows));
	assert_null(rows.of);
	assert_int_equal(rows.count, 0);
	rows.failed = true;
	assert_false(svg_rows_whole(&rows));
	assert_complains("bcoslog: no memory for the drawing\n", svg_rows_end(&rows) == -ENOMEM);
	assert_false(rows.failed);
}

/* The widest stretches decide what is known well enough. */
static void stretches_of_several_widths(void **state)
{
	struct svg_rows rows = { 0 };
	struct svg_row *first, *last;

	begin_report(SECOND, 2 * SECOND);
	chart_begin(&report, "title", 1, 20);
	take_drawn();
	/* Notes stay, also those of other tests. */
	imprecise_note(1600 * MS, 500 * MS);
	svg_rows_imprecise(&rows);
	assert_non_null(strstr(take_drawn(), IMPRECISE("644", "296", "500.0 ms")));
	first = svg_row_of(&rows, 0, 1);
	last = svg_row_of(&rows, 0, 2);
	first->timeline.width = 500 * MS;
	last->timeline.width = MS;
	svg_rows_imprecise(&rows);
	assert_drawn("");
	first->timeline.width = 499 * MS;
	svg_rows_imprecise(&rows);
	assert_drawn(IMPRECISE("644", "296", "500.0 ms"));
	first->timeline.width = MS;
	last->timeline.width = 500 * MS;
	svg_rows_imprecise(&rows);
	assert_drawn("");
	assert_int_equal(svg_rows_end(&rows), 0);
}

static bool ends_without_memory(struct svg_rows *rows)
{
	return svg_rows_end(rows) == -ENOMEM;
}

static void rows_without_memory(void **state)
{
	struct svg_rows rows = { 0 };
	unsigned int number;

	for (number = 1; number <= 2; number++) {
		failing = number;
		assert_null(svg_row_of(&rows, 0, 1));
		assert_int_equal(failing, 0);
		assert_true(rows.failed);
		assert_int_equal(rows.count, 0);
		assert_complains("bcoslog: no memory for the drawing\n", ends_without_memory(&rows));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		drawing_test(a_drawing_is_a_document),
		drawing_test(drawn_shapes),
		drawing_test(texts_of_the_log),
		drawing_test(texts_at_the_end_of_the_buffer),
		drawing_test(the_axis_has_ten_ticks_at_most),
		drawing_test(ticks_have_the_unit_of_their_step),
		drawing_test(places_of_moments),
		drawing_test(names_of_rows),
		drawing_test(losses_of_some_kinds),
		drawing_test(what_is_not_known_so_well),
		drawing_test(stretches_that_reach_out_of_the_window),
		cmocka_unit_test(a_drawing_that_cannot_be),
		cmocka_unit_test(rows_by_kind_and_id),
		drawing_test(stretches_of_several_widths),
		cmocka_unit_test(rows_without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
