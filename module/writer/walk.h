/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The walk of the task list, the CPUs and the devices after records of them were lost. It runs outside the
 * log writer, which must not wait for it.
 */
#ifndef BCOS_WALK_H
#define BCOS_WALK_H

#include "core/rules/rules.h"

/* Starts a walk, whose result goes to the log. Context: the log writer; one walk at a time. */
void bcos_walk_start(struct bcos_log *log);

/*
 * Waits until no walk is under way. The log writer still runs, but starts no other walk. May sleep.
 */
void bcos_walk_stop(void);

#endif
