/* SPDX-License-Identifier: GPL-2.0-only */
/* The walk of the task list and of the CPUs after records of them were lost: not by the log writer, whom it would hold up. */
#ifndef BCOS_WALK_H
#define BCOS_WALK_H

#include "core/log.h"

/* Has the walk done soon, and its result given to the log.  By the log writer, one at a time. */
void bcos_walk_start(struct bcos_log *log);

/* None is under way any more.  The log writer still runs, and starts no other.  May sleep. */
void bcos_walk_stop(void);

#endif
