/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Inside the merge: what a CPU's staging lost, until it is applied. */
#ifndef BCOS_CORE_OVERFLOW_H
#define BCOS_CORE_OVERFLOW_H

#include "merge.h"

/*
 * What was lost since the last look; the newest lost assignment is none, since it is applied.
 * Return: false if it cannot be read now, since the CPU is writing it.
 */
bool bcos_source_take_losses(struct bcos_merge *merge, struct bcos_source *source, u64 now);

/* What is pending stands before records of the same time. */
void bcos_source_pending_first(struct bcos_source *source);

/*
 * Until what is pending is applied no newer loss is taken, so nothing behind it may be applied: an assignment that
 * was lost there would come after what followed it.  0: nothing is pending.
 */
u64 bcos_source_held_at(const struct bcos_source *source);

#endif
