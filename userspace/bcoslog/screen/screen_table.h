/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tables that the screen can show, of the interval or of the log so far. */
#ifndef BCOSLOG_SCREEN_TABLE_H
#define BCOSLOG_SCREEN_TABLE_H

#include "live.h"

enum live_order { ORDER_CPU, ORDER_TOTAL, ORDER_POWER, ORDER_NAME, ORDER_ID };

/**
 * struct screen_table - a table that fills the screen
 * @key: that shows it
 * @name: what it is called
 * @table: fills @own, or has a table already.  Return: that table
 */
struct screen_table {
	char key;
	const char *name;
	const struct table_rows *(*table)(struct live *live, struct table_rows *own);
};

#define SCREEN_TABLES 7
extern const struct screen_table screen_tables[SCREEN_TABLES];

/* How show_top() is sorted, and whether the other way round. */
extern enum live_order screen_order;
extern bool screen_reverse;

#endif
