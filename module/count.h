/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions that CPUs execute, counted by the counters that the kernel has for perf: read when cores are looked at
 * anyway, and nowhere else.
 */
#ifndef BCOS_COUNT_H
#define BCOS_COUNT_H

#include "core/host.h"

/* Before the log writer runs, and after it has ended.  May sleep. */
void bcos_count_up(void);
void bcos_count_down(void);

/* What was executed since the last look.  Context: the log writer's thread; may sleep. */
void bcos_count_look(void);

/* Of the core of an online CPU: BCOS_SIBLINGS entries as in struct bcos_estimate.  Context: the log writer. */
void bcos_count_of(u32 cpu, u32 *counted);

#endif
