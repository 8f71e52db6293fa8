/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Prints a map of the turns of CPUs: a row for each CPU, a letter for each cell of time, and what the letters mean. */
#ifndef BCOSLOG_VIEWS_MAP_H
#define BCOSLOG_VIEWS_MAP_H

#include "happening.h"

/* The number of cells in a row. */
#define MAP_WIDTH 64

/*
 * Prints the map from @begin to @end, of which the log has the time up to @known. "v" marks @moment.
 * Return: 0 or -ENOMEM.
 */
int map_print(const struct happenings *happenings, u64 begin, u64 end, u64 known, u64 moment);

#endif
