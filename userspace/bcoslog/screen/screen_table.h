/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tables that the screen of bcoslog top can show. */
#ifndef BCOSLOG_SCREEN_TABLE_H
#define BCOSLOG_SCREEN_TABLE_H

#include "live.h"

enum live_order { ORDER_CPU, ORDER_TOTAL, ORDER_POWER, ORDER_NAME, ORDER_ID };

/**
 * struct screen_table - a table that fills the screen
 * @key: the key that shows the table
 * @name: the name of the table
 * @table: Return: the table, which is @own after it was filled, or one of @live
 */
struct screen_table {
	char key;
	const char *name;
	const struct table_rows *(*table)(struct live *live, struct table_rows *own);
};

#define SCREEN_TABLES 7
extern const struct screen_table screen_tables[SCREEN_TABLES];

/* The order of the table "top", and whether it is reversed. */
extern enum live_order screen_order;
extern bool screen_reverse;
/* The table "top" has columns of instructions and energy. */
extern bool screen_energy;

#endif
