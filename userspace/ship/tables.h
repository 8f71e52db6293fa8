/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tables of a server to which logs of many machines are shipped. The statements that make them and the bytes of their rows
 * come from one list of columns.
 */
#ifndef SHIP_TABLES_H
#define SHIP_TABLES_H

#include "core/host/user.h"

/* The types of columns. */
enum ship_type {
	SHIP_TEXT,
	SHIP_WORD,		/* a text of which there are few different ones */
	SHIP_U8,
	SHIP_U32,
	SHIP_U64,
	SHIP_I64,
	SHIP_DAY,		/* days since 1970 */
};

/**
 * struct ship_column - a column of a table
 * @name: its name
 * @type: the type of its values
 * @nullable: it can be without a value
 * @source: the column of a row of the log from which it comes; NULL: the sender makes it
 * @about: what it says, a sentence without a full stop
 */
struct ship_column {
	const char *name;
	enum ship_type type;
	bool nullable;
	const char *source;
	const char *about;
};

/* The first columns, which all tables have, and the first one that each has of its own: a time. */
enum {
	SHIP_MACHINE, SHIP_HOST, SHIP_BOOT, SHIP_ID, SHIP_VERSION, SHIP_DATE, SHIP_WALL_NS, SHIP_WALL_ERROR_NS, SHIP_OWN,
	SHIP_TIME = SHIP_OWN,
};

#define SHIP_COLUMNS_MAX 48

/**
 * struct ship_table - a table
 * @name: its name
 * @about: what has a row, a sentence without a full stop
 * @key: the columns that two rows of one thing have in common
 * @columns: its columns from number SHIP_OWN on
 * @count: number of @columns
 */
struct ship_table {
	const char *name;
	const char *about;
	const char *key;
	const struct ship_column *columns;
	size_t count;
};

enum ship_table_number { SHIP_LIFE, SHIP_USAGE, SHIP_EVENT, SHIP_LOSS, SHIP_BOOTS, SHIP_TABLES };

extern const struct ship_table ship_tables[SHIP_TABLES];

/* Return: a column of a table, of those that all have, and of its own; NULL if there are not so many. */
const struct ship_column *ship_column(const struct ship_table *table, size_t number);
/* Return: the number of a column; it has to be there. */
size_t ship_find(const struct ship_table *table, const char *name);
/* Is it the name of a text that all tables which have it can leave out? */
bool ship_may_be_without(const char *name);

/* The dialects of the statements: the one of today, and that of ClickHouse 18.16, which knows fewer words. */
enum ship_dialect { SHIP_NOW, SHIP_18_16 };

/**
 * ship_schema() - write the statements that make the tables
 * @write: called for each part of the text
 * @dialect: their dialect
 */
void ship_schema(void (*write)(const char *format, ...) __attribute__((format(printf, 1, 2))), enum ship_dialect dialect);

#endif
