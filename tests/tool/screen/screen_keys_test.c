// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The terminal as a screen: where there can be one, which keys it gets, and that it is as before in the end. */
#include "made_terminal.h"
#include "output/complain.h"

/* ---- beginning and end ------------------------------------------------------------------------------ */

static void the_terminal_is_as_it_was(void **state)
{
	unsigned int open = count_descriptors();
	struct termios now;
	size_t height, width, used;
	char text[4096];

	begin_screen();
	assert_int_equal(tcgetattr(slave, &now), 0);
	assert_int_equal(now.c_lflag & (ICANON | ECHO | ISIG), ISIG);
	assert_int_equal(now.c_iflag & ICRNL, 0);
	assert_true(is_keypad(stdscr));
	assert_true(is_nodelay(stdscr));
	assert_true(is_leaveok(stdscr));
	assert_int_equal(get_escdelay(), 50);
	assert_int_equal(curs_set(0), 0);
	screen_size(&height, &width);
	assert_int_equal(height, ROWS);
	assert_int_equal(width, COLUMNS);
	put_line("visible", 7, 0, 0, LOOK_PLAIN);
	take_output(text, sizeof(text));
	screen_show();
	used = take_output(text, sizeof(text) - 1);
	text[used] = '\0';
	assert_non_null(strstr(text, "visible"));
	screen_end();
	assert_null(stdscr);
	assert_int_equal(tcgetattr(slave, &now), 0);
	assert_int_equal(now.c_lflag, before.c_lflag);
	assert_int_equal(now.c_iflag, before.c_iflag);
	assert_int_equal(now.c_oflag, before.c_oflag);
	/* Twice is as good as once. */
	screen_end();
	assert_int_equal(count_descriptors(), open);
}

/* Keys are the terminal's where standard input is the log; it is open as long as the screen is there. */
static void keys_of_the_terminal(void **state)
{
	unsigned int open;

	dup2(null, STDIN_FILENO);
	open = count_descriptors();
	assert_true(screen_possible());
	assert_int_equal(count_descriptors(), open);
	begin_screen();
	assert_int_equal(count_descriptors(), open + 1);
	assert_int_equal(key_after(0, 0, NULL), SCREEN_NO_KEY);
	assert_int_not_equal(answer.fd, STDIN_FILENO);
	press_keys("k", 1);
	assert_int_equal(screen_key(0), 'k');
	screen_end();
	assert_int_equal(count_descriptors(), open);
}

static bool complain_during_screen(void)
{
	begin_screen();
	complain("held back");
	return true;
}

static bool end_screen(void)
{
	screen_end();
	return true;
}

static void complaints_wait_for_the_end(void **state)
{
	assert_complains("", complain_during_screen());
	assert_complains("bcoslog: held back\n", end_screen());
}

/* A program that ends while its screen is there gives the terminal back. */
static void the_end_of_the_program(void **state)
{
	struct termios now;
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child) {
		screen_begin();
		exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(tcgetattr(slave, &now), 0);
	assert_int_equal(now.c_lflag, before.c_lflag);
}

static void where_there_can_be_one(void **state)
{
	assert_true(screen_possible());
	assert_null(cur_term);
	set_terminal("dumb", "C.UTF-8", COLUMNS);
	assert_false(screen_possible());
	assert_null(cur_term);
	set_terminal("no-such-terminal", "C.UTF-8", COLUMNS);
	assert_false(screen_possible());
	set_terminal("vt100", "C.UTF-8", COLUMNS);
	assert_true(screen_possible());
	dup2(null, STDOUT_FILENO);
	assert_false(screen_possible());
}

static bool begins_nowhere(void)
{
	return screen_begin() == -1;
}

#define NO_SCREEN "bcoslog: this terminal cannot be a screen: bcoslog top --once prints the table\n"

static void where_there_can_be_none(void **state)
{
	int status;
	pid_t child;

	set_terminal("no-such-terminal", "C.UTF-8", COLUMNS);
	assert_complains(NO_SCREEN, begins_nowhere());
	/* In a session without a terminal nobody can press a key. */
	set_terminal("xterm", "C.UTF-8", COLUMNS);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		setsid();
		dup2(null, STDIN_FILENO);
		dup2(null, STDERR_FILENO);
		_exit(screen_possible() ? 1 : screen_begin() == -1 ? 0 : 2);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* ---- keys ------------------------------------------------------------------------------------------- */

static void assert_keys(const char *keys, int expected)
{
	press_keys(keys, strlen(keys));
	move(0, 0);
	assert_int_equal(screen_key(0), expected);
	assert_int_equal(screen_key(0), SCREEN_NO_KEY);
	/* It is not shown. */
	assert_int_equal(mvinch(0, 0), ' ');
}

static void keys_have_their_meanings(void **state)
{
	static const struct {
		const char *capability;
		int key;
	} keys[] = {
		{ "kcuu1", SCREEN_UP }, { "kcud1", SCREEN_DOWN }, { "kcub1", SCREEN_LEFT }, { "kcuf1", SCREEN_RIGHT },
		{ "kpp", SCREEN_PAGE_UP }, { "knp", SCREEN_PAGE_DOWN }, { "khome", SCREEN_HOME },
		{ "kend", SCREEN_END },
		{ "kent", SCREEN_ENTER }, { "kbs", SCREEN_ERASE }, { "kf1", SCREEN_NO_KEY },
	};
	size_t i;

	begin_screen();
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_keys(tigetstr(keys[i].capability), keys[i].key);
	assert_keys("\r", SCREEN_ENTER);
	assert_keys("\n", SCREEN_ENTER);
	assert_keys("\x7F", SCREEN_ERASE);
	assert_keys("\b", SCREEN_ERASE);
	assert_keys("\x1B", SCREEN_ESCAPE);
	assert_keys("q", 'q');
	assert_keys("\x01", 1);
	assert_keys("\xFF", 0xFF);
	ungetch(KEY_RESIZE);
	assert_int_equal(screen_key(0), SCREEN_RESIZED);
	ungetch(0x100);
	assert_int_equal(screen_key(0), SCREEN_NO_KEY);
	ungetch(0);
	assert_int_equal(screen_key(0), 0);
}

static void a_key_is_waited_for(void **state)
{
	begin_screen();
	/* One that is there already is not waited for. */
	press_keys("a", 1);
	assert_int_equal(key_after(0, 0, NULL), 'a');
	assert_int_equal(answer.calls, 0);
	assert_int_equal(key_after(1, POLLIN, "b"), 'b');
	assert_int_equal(answer.calls, 1);
	assert_int_equal(answer.fd, STDIN_FILENO);
	assert_int_equal(key_after(1, POLLIN | POLLHUP, "c"), 'c');
	/* Time is over, a signal came, or there was nothing after all. */
	assert_int_equal(key_after(0, 0, NULL), SCREEN_NO_KEY);
	assert_int_equal(key_after(-1, 0, NULL), SCREEN_NO_KEY);
	assert_int_equal(key_after(1, POLLIN, NULL), SCREEN_NO_KEY);
	/* The terminal is gone. */
	assert_int_equal(key_after(1, POLLHUP, NULL), SCREEN_GONE);
	assert_int_equal(key_after(1, POLLERR, NULL), SCREEN_GONE);
	assert_int_equal(key_after(1, POLLIN | POLLHUP, NULL), SCREEN_GONE);
}

static int run_group(void)
{
	const struct CMUnitTest tests[] = {
		terminal_test(the_terminal_is_as_it_was),
		terminal_test(keys_of_the_terminal),
		terminal_test(complaints_wait_for_the_end),
		terminal_test(the_end_of_the_program),
		terminal_test(where_there_can_be_one),
		terminal_test(where_there_can_be_none),
		terminal_test(keys_have_their_meanings),
		terminal_test(a_key_is_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
	return run_on_terminal(run_group);
}
