/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Draws the screen of bcoslog top. */
#ifndef BCOSLOG_TOP_DRAW_H
#define BCOSLOG_TOP_DRAW_H

#include "screen_table.h"

/**
 * struct top - the state of bcoslog top
 * @live: the last interval
 * @run: the pass over the log
 * @next: when the interval ends, ns of CLOCK_MONOTONIC
 * @status: exit status so far
 * @ended: the log has ended
 * @behind: the last interval ended before all of its entries could be read
 * @newest: time of the newest entry that was read, ns since boot
 * @lag: ns by which the newest entry that was read is older than this moment, if the log is of this machine; else 0
 * @paused: the screen does not change
 * @help: the help is shown
 * @finding: the user is typing the text to find
 * @quit: the user leaves the screen
 * @stale: @table has to be filled anew
 * @shown: index of the table in screen_tables
 * @own: memory for a table
 * @table: the table that is shown: @own, or one of @live; NULL: none yet
 * @widths: widths of the columns of each table; they do not shrink, so columns keep their places
 * @scroll: index of the first row that is shown
 * @shift: number of columns of the terminal that are left out at the left
 * @find_length: length of @find
 * @find: the text to find, without a zero at its end
 */
struct top {
	struct live live;
	struct run *run;
	u64 next, newest, lag;
	int status;
	bool ended, behind, paused, help, finding, quit, stale;
	size_t shown;
	struct table_rows own;
	const struct table_rows *table;
	size_t widths[SCREEN_TABLES][TABLE_COLUMNS];
	size_t scroll, shift;
	size_t find_length;
	char find[64];
};

/* With a greater lag, in ns, the screen says how old its entries are. */
#define TOP_LAG 2000000000ull

/* The length of an interval in ns, at least TOP_EVERY_MIN. */
extern u64 top_every;
#define TOP_EVERY_MIN 100000000ull

/* Draws the whole screen. */
void top_draw(struct top *top);
/* Return: the number of rows of the table for which the screen has room. */
size_t top_page(void);
/* Scrolls to the next row that contains the text to find, and from the end of the table to its begin. */
void top_find(struct top *top);

#endif
