/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Progress on a terminal: how much is done, and how long the rest takes. */
#ifndef CONVERT_PROGRESS_H
#define CONVERT_PROGRESS_H

#include "core/host/user.h"

/* Begins to show progress, if standard error is a terminal. @total: bytes of the input; 0: unknown. */
void progress_begin(u64 total);
/* @done bytes of the input are done. This is cheap enough to be called for each batch. */
void progress_at(u64 done);
/* Removes the line of progress. Call it before anything else is written to the terminal. */
void progress_end(void);

#endif
