/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Damage as a row of the table loss. */
#ifndef BCOSLOG_ROWS_LOSS_H
#define BCOSLOG_ROWS_LOSS_H

#include "buffer.h"

/* Add a row for a damaged place, after the entries that were applied, of @bytes bytes. The table of @rows is loss. */
void rows_add_damage(struct bcoslog_rows *rows, u64 bytes);

#endif
