/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Inside the merge: calls of the kernel (5.4), those of a stretch in one entry. */
#ifndef BCOS_CORE_CALLS_H
#define BCOS_CORE_CALLS_H

#include "merge.h"

/*
 * Applies the API record that comes next on a CPU: it stands for all calls of its process on that CPU until another
 * process runs there, as far as they are staged, and those are passed over when it is their turn.
 */
void bcos_calls_apply(struct bcos_merge *merge, struct bcos_source *source);

#endif
