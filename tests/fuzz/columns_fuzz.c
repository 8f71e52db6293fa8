// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Gives any bytes to the reader of entries in columns: the entries that can be read from them can be written in
 * columns, and read again.
 */
#include <stdlib.h>
#include <string.h>

#include "archive/format/columns.h"
#include "demand.h"

/* The most bytes of entries. More of them would show no other kinds of errors. */
#define ROOM 8192

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Buffers have exactly the size that is needed, so that the sanitizer notices each access beyond them. */
static void try_columns(const uint8_t *data, size_t size)
{
	u8 *from = malloc(size + !size), *entries = malloc(ROOM), *again = malloc(ROOM), *columns;
	long done, twice;

	demand_that(from && entries && again);
	memcpy(from, data, size);
	done = columns_get(entries, ROOM, from, size);
	demand_that(done == -EBADMSG || (done >= 0 && done <= ROOM && (size_t)done + COLUMNS_HEAD == size));
	if (done >= 0) {
		columns = malloc((size_t)done + COLUMNS_HEAD);
		demand_that(columns && columns_put(columns, entries, (size_t)done));
		demand_that(columns_begin(columns, (size_t)done + COLUMNS_HEAD));
		twice = columns_get(again, ROOM, columns, (size_t)done + COLUMNS_HEAD);
		demand_that(twice == done && !memcmp(entries, again, (size_t)done));
		free(columns);
	}
	free(from);
	free(entries);
	free(again);
}

/* Tries any bytes as entries, in buffers of exactly their size. */
static void try_entries(const uint8_t *data, size_t size)
{
	u8 *columns = malloc(size + COLUMNS_HEAD), *again = malloc(size + !size);

	demand_that(columns && again);
	if (columns_put(columns, data, size))
		demand_that(columns_get(again, size, columns, size + COLUMNS_HEAD) == (long)size &&
			    !memcmp(again, data, size));
	free(columns);
	free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_columns(data, size);
	try_entries(data, size);
	return 0;
}
