/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts executed instructions by perf's performance counters. They are read only when the log
 * writer looks at the cores.
 */
#ifndef BCOS_COUNTER_H
#define BCOS_COUNTER_H

#include "core/host/host.h"

/*
 * bcos_count_up() is called before the log writer starts, bcos_count_down() after it has ended.
 * They may sleep.
 */
void bcos_count_up(void);
void bcos_count_down(void);

/*
 * Reads the counters, and learns from the time since the last look. Context: the log writer's
 * thread; may sleep.
 */
void bcos_count_look(void);

/*
 * Copies the performance of an online CPU's core: BCOS_SIBLINGS entries as in struct bcos_estimate.
 * Context: the log writer.
 */
void bcos_count_of(u32 cpu, u32 *counted);

#endif
