/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A log may state a loss later than it begins. A report holds back entries, so that the account learns of such a loss
 * before it gets the entries after the beginning of the loss.
 */
#ifndef BCOSLOG_REPORT_AHEAD_H
#define BCOSLOG_REPORT_AHEAD_H

#include "bcoslog.h"
#include "core/host/user.h"

/* The least number of bytes that are held back. A loss that is stated after more than these is known too late. */
#define AHEAD_BYTES ((size_t)32 << 20)

/* Holds back the entries of a batch.  Return: 0 or -ENOMEM. */
int ahead_hold(const struct bcoslog_batch *batch);
/*
 * Takes the oldest batch of entries that need not be held back any more or, if @all is set, of all that are held back.
 * They are valid until the next call of ahead_hold().  Return: whether there is one.
 */
bool ahead_take(struct bcoslog_batch *batch, bool all);
/* Frees the batches. */
void ahead_free(void);

#endif
