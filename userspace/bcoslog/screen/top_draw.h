/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The screen of bcoslog top. */
#ifndef BCOSLOG_TOP_DRAW_H
#define BCOSLOG_TOP_DRAW_H

#include "screen_table.h"

/**
 * struct top - the screen of bcoslog top
 * @next: when the interval ends, ns of CLOCK_MONOTONIC
 * @status: exit status so far
 * @ended: the log has ended
 * @behind: the entries of the interval could not all be read in it
 * @shown: number of the screen table that is shown
 * @stale: @table has to be filled anew
 * @table: its contents: @own, or one of @live
 * @widths: of the columns of each screen table; they do not shrink, so that columns stay where they are
 * @scroll: first row
 * @shift: columns of the terminal that are left out at the left
 * @find: the text to find; not zero terminated
 */
struct top {
	struct live live;
	struct run *run;
	u64 next;
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

/* How long an interval is, ns: at least 100 ms. */
extern u64 top_every;
#define TOP_EVERY_MIN 100000000ull

void top_draw(struct top *top);
/* Rows that there is room for. */
size_t top_page(void);
/* Scrolls to the next row with the text to find, after the first one that is shown, or else to the first such row. */
void top_find(struct top *top);

#endif
