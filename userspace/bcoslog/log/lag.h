/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How far the reading of a log that grows is behind the present. */
#ifndef BCOSLOG_LAG_H
#define BCOSLOG_LAG_H

#include "run.h"

/* Return: the time of the newest entry of the batch that is not historical; @known if that is later, or if there is none. */
u64 lag_newest(const struct bcoslog_batch *batch, u64 known);

/* Return: whether this machine records the log now, so that times of its clock say how old an entry is. */
bool lag_is_known(const struct run *run);

/*
 * Return: the ns that have passed since @newest, the time of the newest entry that was read; 0 if @newest is 0, or if that
 * is not known.
 */
u64 lag_since(const struct run *run, u64 newest);

#endif
