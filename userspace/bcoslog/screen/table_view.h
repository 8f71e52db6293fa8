/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The views of the screen: each is a table of the interval, or of the log so far. */
#ifndef BCOSLOG_TABLE_VIEW_H
#define BCOSLOG_TABLE_VIEW_H

#include "live.h"

enum live_order { ORDER_CPU, ORDER_TOTAL, ORDER_POWER, ORDER_NAME, ORDER_ID };

/**
 * struct view - a view
 * @key: that shows it
 * @name: what it is called
 * @table: fills @own, or has a table already.  Return: that table
 */
struct view {
	char key;
	const char *name;
	const struct table_rows *(*table)(struct live *live, struct table_rows *own);
};

#define VIEWS 7
extern const struct view views[VIEWS];

/* How view_top() is sorted, and whether the other way round. */
extern enum live_order view_order;
extern bool view_reverse;

#endif
