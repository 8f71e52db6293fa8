/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Part of the merge: gathers the kernel calls of a stretch into one entry (5.4). */
#ifndef BCOS_CORE_CALLS_H
#define BCOS_CORE_CALLS_H

#include "merge.h"

/*
 * Applies the next record of @source, an API record. The entry holds all calls of that process on
 * that CPU until another process runs there, as far as they are staged. Later calls of this
 * function skip the records that are in an entry already.
 */
void bcos_calls_apply(struct bcos_merge *merge, struct bcos_source *source);

#endif
