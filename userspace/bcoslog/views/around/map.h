/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A map of what CPUs did: a row each, a letter for each stretch of time, and what the letters mean. */
#ifndef BCOSLOG_VIEWS_MAP_H
#define BCOSLOG_VIEWS_MAP_H

#include "happening.h"

/* Letters in a row. */
#define MAP_WIDTH 64

/* From @begin to @end, of which the log tells up to @known, with a mark at @moment.  Return: 0 or -ENOMEM. */
int map_print(const struct happenings *happenings, u64 begin, u64 end, u64 known, u64 moment);

#endif
