/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The terminal as a screen of lines.  This is all of the tool that knows of
 * ncurses.  A line is put together in the output buffer, as lines that are
 * printed are, so that all that makes names harmless makes them so here.
 */
#ifndef BCOSLOG_SCREEN_H
#define BCOSLOG_SCREEN_H

#include "core/host/user.h"

enum screen_look { LOOK_PLAIN, LOOK_STRONG, LOOK_HEAD, LOOK_WARNING, LOOK_MARKED };

/* Beside characters. */
enum screen_key {
	SCREEN_NO_KEY = -1,
	SCREEN_UP = 0x100, SCREEN_DOWN, SCREEN_LEFT, SCREEN_RIGHT, SCREEN_PAGE_UP, SCREEN_PAGE_DOWN, SCREEN_HOME, SCREEN_END,
	SCREEN_ENTER, SCREEN_ERASE, SCREEN_ESCAPE,
	SCREEN_RESIZED,
	SCREEN_GONE,		/* no key will come any more */
};

/* Is standard output a terminal that can be one, and is there one for keys? */
bool screen_possible(void);
/* Return: 0, or -1 after a complaint. */
int screen_begin(void);
/* The terminal as it was; then the complaints that were held back meanwhile.  Twice is as good as once. */
void screen_end(void);
void screen_size(size_t *height, size_t *width);
/* Makes line @line of the output buffer, without its first @shift columns; the buffer is empty then. */
void screen_line(size_t line, size_t shift, enum screen_look look);
/* A line as long as the screen has the look, not only its text. */
void screen_show(void);
/* Wait for a key so many milliseconds. */
int screen_key(int timeout);

#endif
