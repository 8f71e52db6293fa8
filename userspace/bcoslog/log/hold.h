/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Entries wait until the log has stated the wall clock. */
#ifndef BCOSLOG_HOLD_H
#define BCOSLOG_HOLD_H

#include "run.h"

/* Passes entries on to run->entries; while the clock is needed, only once the log has stated the wall clock. */
int hold_entries(struct run *run, const struct bcoslog_batch *batch);
/* Passes on the entries that are held, since no more come.  Return: as hold_entries(). */
int hold_end(struct run *run);

#endif
