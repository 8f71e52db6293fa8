// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lines on the terminal: which characters of a text ncurses has on its screen, and how they look. */
#include "made_terminal.h"

static void assert_on_screen(int line, const wchar_t *expected)
{
	wchar_t text[2048];
	size_t length;

	assert_int_not_equal(mvinnwstr(line, 0, text, 2047), ERR);
	for (length = wcslen(text); length && text[length - 1] == L' '; length--)
		;
	text[length] = L'\0';
	assert_int_equal(length, wcslen(expected));
	assert_int_equal(wcscmp(text, expected), 0);
}

#define assert_line_is(text, shift, expected) do { \
		put_line(text, sizeof(text) - 1, 2, shift, LOOK_PLAIN); \
		assert_on_screen(2, expected); \
	} while (0)

static void a_line_is_cut_at_both_ends(void **state)
{
	begin_screen();
	assert_line_is("01234567890123456789", 0, L"01234567890123456789");
	assert_line_is("012345678901234567890", 0, L"01234567890123456789");
	assert_line_is("012345678901234567890", 1, L"12345678901234567890");
	assert_line_is("short", 0, L"short");
	assert_line_is("short", 2, L"ort");
	assert_line_is("short", 5, L"");
	assert_line_is("short", 9, L"");
	assert_line_is("", 0, L"");
	/* The lines above and below are others. */
	put_line("above", 5, 1, 0, LOOK_PLAIN);
	put_line("last", 4, ROWS - 1, 0, LOOK_PLAIN);
	put_line("none", 4, ROWS, 0, LOOK_PLAIN);
	assert_on_screen(0, L"");
	assert_on_screen(1, L"above");
	assert_on_screen(2, L"");
	assert_on_screen(ROWS - 1, L"last");
	put_line("0123456789012345678901234", 25, ROWS - 2, 0, LOOK_PLAIN);
	assert_on_screen(ROWS - 1, L"last");
}

/* A character of two columns is there or not: it is never half of it. */
static void characters_have_their_widths(void **state)
{
	begin_screen();
	assert_line_is("\u65e5\u672cx", 0, L"\u65e5\u672cx");
	assert_line_is("\u65e5\u672cx", 1, L"\u672cx");
	assert_line_is("\u65e5\u672cx", 2, L"\u672cx");
	assert_line_is("\u65e5\u672cx", 3, L"x");
	assert_line_is("012345678901234567\u65e5", 0, L"012345678901234567\u65e5");
	assert_line_is("0123456789012345678\u65e5x", 0, L"0123456789012345678");
	/* One without a width stands with the one before it. */
	assert_line_is("e\u0301z", 0, L"e\u0301z");
	assert_line_is("e\u0301z", 1, L"z");
	/* Neither control characters nor bytes that are no UTF-8 reach the terminal. */
	assert_line_is("a\x01\x1B\0z", 0, L"a???z");
	assert_line_is("\u2588\xE2\x96", 0, L"\u2588??");
	assert_line_is("\xFFz", 0, L"?z");
	assert_line_is("\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1", 1, L"???????????????????");
	assert_line_is("a\xC2\x85z", 0, L"a?z");
	assert_line_is("a\xC2\x85z", 2, L"z");
}

static void a_terminal_that_knows_ascii_alone(void **state)
{
	set_terminal("vt100", "C", COLUMNS);
	begin_screen();
	assert_line_is("a~\u2581\u2584\u2588", 0, L"a~148");
	/* The block before the first one, the one after the last one, and a character of another group. */
	assert_line_is("\u2580\u2589\u2601\u20ac", 0, L"????");
	assert_line_is("\xE1\x96\x81|\xE2\x96", 0, L"?|?");
	assert_line_is("\x80z", 0, L"?z");
	assert_line_is("\u00e4\U0001F600z", 0, L"??z");
}

static void a_line_ends_before_the_widest_screen(void **state)
{
	static char text[1100];
	static wchar_t expected[1100];

	memset(text, 'a', sizeof(text));
	wmemset(expected, L'a', 1023);
	set_terminal("vt100", "C.UTF-8", 1100);
	begin_screen();
	put_line(text, sizeof(text), 0, 0, LOOK_PLAIN);
	assert_on_screen(0, expected);
}

/* A look is that of the whole line. */
static void line_looks(void **state)
{
	static const attr_t attributes[] = {
		[LOOK_PLAIN] = A_NORMAL, [LOOK_STRONG] = A_BOLD, [LOOK_HEAD] = A_REVERSE, [LOOK_WARNING] = A_BOLD,
			[LOOK_MARKED] = A_REVERSE,
	};
	enum screen_look look;
	short front, back;
	int column;

	begin_screen();
	for (look = LOOK_PLAIN; look <= LOOK_MARKED; look++) {
		put_line("x", 1, 3, 0, look);
		for (column = 0; column < COLUMNS; column += COLUMNS - 1) {
			assert_int_equal(mvinch(3, column) & A_ATTRIBUTES & ~A_COLOR, attributes[look]);
			assert_int_equal(PAIR_NUMBER(mvinch(3, column)), look == LOOK_WARNING ? LOOK_WARNING : 0);
		}
	}
	assert_int_equal(pair_content(LOOK_WARNING, &front, &back), OK);
	assert_int_equal(front, COLOR_YELLOW);
	assert_int_equal(back, -1);
}

/* Where colours are not wanted, or there are none, a warning is bold alone. */
static void without_colours(void **state)
{
	static const struct {
		const char *term, *none;
		int pair;
	} cases[] = {
		{ "xterm-256color", "1", 0 }, { "vt100", NULL, 0 }, { "xterm-256color", "", LOOK_WARNING },
	};
	size_t i;

	for (i = 0; i < 3; i++) {
		if (cases[i].none)
			setenv("NO_COLOR", cases[i].none, 1);
		else
			unsetenv("NO_COLOR");
		set_terminal(cases[i].term, "C.UTF-8", COLUMNS);
		begin_screen();
		put_line("x", 1, 3, 0, LOOK_WARNING);
		assert_int_equal(mvinch(3, 0) & A_BOLD, A_BOLD);
		assert_int_equal(PAIR_NUMBER(mvinch(3, 0)), cases[i].pair);
		screen_end();
	}
}

static int run_group(void)
{
	const struct CMUnitTest tests[] = {
		terminal_test(a_line_is_cut_at_both_ends),
		terminal_test(characters_have_their_widths),
		terminal_test(a_terminal_that_knows_ascii_alone),
		terminal_test(a_line_ends_before_the_widest_screen),
		terminal_test(line_looks),
		terminal_test(without_colours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
	return run_on_terminal(run_group);
}
