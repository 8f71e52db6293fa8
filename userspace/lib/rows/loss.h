/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is missing as rows of the table loss. */
#ifndef BCOSLOG_ROWS_LOSS_H
#define BCOSLOG_ROWS_LOSS_H

#include "buffer.h"

/* Add a row for a part of the log of which something is missing. The table of @rows is loss. */
void rows_add_missing(struct bcoslog_rows *rows, const struct missing_part *part);
/* Add a row for a damaged place, after the entries that were applied, of @bytes bytes. The table of @rows is loss. */
void rows_add_damage(struct bcoslog_rows *rows, u64 bytes);

#endif
