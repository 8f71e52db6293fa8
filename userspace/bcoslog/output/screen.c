// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The terminal as a screen of lines: see screen.h. */
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

#include "entry/text.h"
#include "output.h"
#include "screen.h"
#include "complain/complain.h"

/* The ms within which characters after an escape character make one key with it. */
#define ESCAPE_DELAY 50
#define WIDTH_MAX 1024

static struct {
	SCREEN *screen;
	FILE *keys;			/* the terminal that sends keys: standard input, or /dev/tty */
	bool colours, utf8;
} terminal;

/* Opens the terminal that sends keys. Standard input may be the log.  Return: NULL if there is no such terminal. */
static FILE *open_keys(void)
{
	return isatty(STDIN_FILENO) ? stdin : fopen("/dev/tty", "r+e");
}

bool screen_possible(void)
{
	bool moves;
	FILE *keys;
	int error;

	if (!isatty(STDOUT_FILENO) || setupterm(NULL, STDOUT_FILENO, &error) != OK)
		return false;
	moves = tigetstr("cup");
	del_curterm(cur_term);
	if (!moves)
		return false;
	keys = open_keys();
	if (keys && keys != stdin)
		fclose(keys);
	return keys;
}

static void begin_colours(void)
{
	const char *none = getenv("NO_COLOR");

	terminal.colours = !(none && *none) && has_colors() && start_color() == OK && use_default_colors() == OK;
	if (terminal.colours)
		init_pair(LOOK_WARNING, COLOR_YELLOW, -1);
}

int screen_begin(void)
{
	setlocale(LC_CTYPE, "");
	terminal.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	terminal.keys = open_keys();
	if (terminal.keys)
		terminal.screen = newterm(NULL, stdout, terminal.keys);
	if (!terminal.screen) {
		complain("this terminal cannot be a screen: bcoslog top --once prints the table");
		return -1;
	}
	complain_hold(true);
	/* Any call of exit() restores the terminal. */
	atexit(screen_end);
	set_escdelay(ESCAPE_DELAY);
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	leaveok(stdscr, TRUE);
	curs_set(0);
	begin_colours();
	return 0;
}

void screen_end(void)
{
	if (!terminal.screen)
		return;
	endwin();
	delscreen(terminal.screen);
	terminal.screen = NULL;
	if (terminal.keys != stdin)
		fclose(terminal.keys);
	complain_hold(false);
}

void screen_size(size_t *height, size_t *width)
{
	*height = (size_t)getmaxy(stdscr);
	*width = (size_t)getmaxx(stdscr);
}

/* Return: a character for a terminal without UTF-8: the blocks are the digits 1 to 8, and others are "?". */
static wchar_t in_ascii(const u8 *text, size_t length)
{
	if (text[0] < 0x80)
		return (wchar_t)text[0];
	if (length >= 3 && text[0] == 0xE2 && text[1] == 0x96 && text[2] > 0x80 && text[2] <= 0x88)
		return L'0' + (wchar_t)(text[2] - 0x80);
	return L'?';
}

/* Gets the character at @text.  Return: the number of its bytes. */
static size_t take_character(const char *text, size_t length, wchar_t *c)
{
	mbstate_t state = { 0 };
	size_t size = 1;

	if (!terminal.utf8) {
		*c = in_ascii((const u8 *)text, length);
		while (size < length && utf8_is_inside(text[size]))
			size++;
		return size;
	}
	size = mbrtowc(c, text, length, &state);
	if (size && size <= length)
		return size;
	*c = L'?';
	return 1;
}

void screen_line(size_t line, size_t shift, enum screen_look look)
{
	size_t at = 0, used = 0, count = 0, height, width;
	wchar_t text[WIDTH_MAX], c;
	int own;

	screen_size(&height, &width);
	while (at < output.used && count < WIDTH_MAX - 1) {
		at += take_character(output.buffer + at, output.used - at, &c);
		own = wcwidth(c);
		if (own < 0) {
			c = L'?';
			own = 1;
		}
		if (shift) {
			shift -= (size_t)own < shift ? (size_t)own : shift;
			continue;
		}
		if (used + (size_t)own > width)
			break;
		text[count++] = c;
		used += (size_t)own;
	}
	output.used = 0;
	if (line >= height)
		return;
	move((int)line, 0);
	clrtoeol();
	addnwstr(text, (int)count);
	mvchgat((int)line, 0, -1, look == LOOK_HEAD || look == LOOK_MARKED ? A_REVERSE :
		look == LOOK_STRONG || look == LOOK_WARNING ? A_BOLD : A_NORMAL,
		look == LOOK_WARNING && terminal.colours ? LOOK_WARNING : 0, NULL);
}

void screen_show(void)
{
	refresh();
}

static int translate_key(int key)
{
	static const struct {
		int curses, ours;
	} keys[] = {
		{ KEY_UP, SCREEN_UP }, { KEY_DOWN, SCREEN_DOWN }, { KEY_LEFT, SCREEN_LEFT },
		{ KEY_RIGHT, SCREEN_RIGHT }, { KEY_PPAGE, SCREEN_PAGE_UP }, { KEY_NPAGE, SCREEN_PAGE_DOWN },
		{ KEY_HOME, SCREEN_HOME }, { KEY_END, SCREEN_END }, { KEY_RESIZE, SCREEN_RESIZED },
		{ KEY_ENTER, SCREEN_ENTER }, { '\r', SCREEN_ENTER }, { '\n', SCREEN_ENTER },
		{ KEY_BACKSPACE, SCREEN_ERASE }, { 0x7F, SCREEN_ERASE }, { '\b', SCREEN_ERASE },
		{ 0x1B, SCREEN_ESCAPE },
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].curses == key)
			return keys[i].ours;
	return key >= 0 && key < 0x100 ? key : SCREEN_NO_KEY;
}

int screen_key(int timeout)
{
	struct pollfd wait = { .fd = fileno(terminal.keys), .events = POLLIN };
	int key = getch();

	if (key != ERR)
		return translate_key(key);
	/* A signal ends the wait, too. */
	if (poll(&wait, 1, timeout) > 0 && !(wait.revents & POLLIN))
		return SCREEN_GONE;
	key = getch();
	if (key != ERR)
		return translate_key(key);
	/* POLLIN without a key and with POLLHUP means that the terminal has gone. */
	return wait.revents & POLLHUP ? SCREEN_GONE : SCREEN_NO_KEY;
}
