/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The terminal as a screen of lines. No other part of the tool uses ncurses. A line is put together in the output
 * buffer, by the functions that also make names harmless when lines are printed.
 */
#ifndef BCOSLOG_SCREEN_H
#define BCOSLOG_SCREEN_H

#include "core/host/user.h"

enum screen_look { LOOK_PLAIN, LOOK_STRONG, LOOK_HEAD, LOOK_WARNING, LOOK_MARKED };

/* The keys that are no characters. */
enum screen_key {
	SCREEN_NO_KEY = -1,
	SCREEN_UP = 0x100, SCREEN_DOWN, SCREEN_LEFT, SCREEN_RIGHT, SCREEN_PAGE_UP, SCREEN_PAGE_DOWN, SCREEN_HOME,
	SCREEN_END,
	SCREEN_ENTER, SCREEN_ERASE, SCREEN_ESCAPE,
	SCREEN_RESIZED,
	SCREEN_GONE,		/* the terminal has gone, and no key will come */
};

/* Can standard output be a screen, and is there a terminal that sends keys? */
bool screen_possible(void);
/* Makes the terminal a screen, and holds complaints back.  Return: 0, or -1 after a complaint. */
int screen_begin(void);
/* Restores the terminal and writes the complaints that were held back. A second call does nothing. */
void screen_end(void);
/* Gets the number of lines and columns. */
void screen_size(size_t *height, size_t *width);
/*
 * Puts the text of the output buffer, without its first @shift columns, on line @line of the screen, and empties the
 * buffer. The look applies to the whole line and not only to its text.
 */
void screen_line(size_t line, size_t shift, enum screen_look look);
/* Sends the lines to the terminal. */
void screen_show(void);
/* Waits for a key, @timeout ms at most; -1: without limit.  Return: a character or an enum screen_key. */
int screen_key(int timeout);

#endif
