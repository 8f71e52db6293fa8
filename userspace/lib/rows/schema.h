/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tables by number. */
#ifndef BCOSLOG_ROWS_SCHEMA_H
#define BCOSLOG_ROWS_SCHEMA_H

#include "buffer.h"

/* Return: table number @index; NULL if there are not so many. */
const struct rows_kind *rows_kind(size_t index);

#endif
