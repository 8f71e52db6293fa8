/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Progress on a terminal: how much is done, and how long the rest takes. */
#ifndef CONVERT_PROGRESS_H
#define CONVERT_PROGRESS_H

#include "core/host/user.h"

/* Begins; @total: bytes of the input, 0: unknown. Where standard error is no terminal nothing is shown. */
void progress_begin(u64 total);
/* So many bytes are done. Cheap enough to be called for each batch. */
void progress_at(u64 done);
/* Removes the line, before anything else is written to the terminal. */
void progress_end(void);

#endif
