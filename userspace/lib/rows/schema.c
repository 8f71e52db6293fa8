// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables by number and name. */
#include <string.h>

#include "schema.h"

/* The numbers of tables are not released, so these are in the order of their names. */
static const struct rows_kind *const kinds[] = {
	&rows_of_boot, &rows_of_call, &rows_of_clock, &rows_of_core, &rows_of_cpu, &rows_of_device, &rows_of_entry, &rows_of_event,
	&rows_of_interrupt, &rows_of_loss, &rows_of_name, &rows_of_off, &rows_of_process, &rows_of_run, &rows_of_thread,
	&rows_of_transfer, &rows_of_turn, &rows_of_usage,
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

const struct rows_kind *rows_kind(size_t index)
{
	return index < KINDS ? kinds[index] : NULL;
}

const struct bcoslog_rows_table *bcoslog_rows_table(size_t index)
{
	return index < KINDS ? &kinds[index]->table : NULL;
}

int bcoslog_rows_find(const char *table)
{
	size_t i;

	for (i = 0; i < KINDS; i++)
		if (!strcmp(kinds[i]->table.name, table))
			return (int)i;
	return -1;
}

int bcoslog_rows_find_column(const struct bcoslog_rows_table *table, const char *name)
{
	__u32 i;

	for (i = 0; i < table->count; i++)
		if (!strcmp(table->columns[i].name, name))
			return (int)i;
	return -1;
}

int bcoslog_rows_keeps(const struct bcoslog_rows_table *table, size_t column)
{
	size_t i;

	for (i = 0; i < KINDS; i++)
		if (&kinds[i]->table == table)
			return (int)(kinds[i]->keeps >> column & 1);
	return 0;
}
