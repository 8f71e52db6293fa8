/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Estimated power and performance of cores. Figures in parameters come first, then for performance
 * the counters, then what the kernel knows; else they are unknown.
 */
#ifndef BCOS_POWER_H
#define BCOS_POWER_H

#include "core/host/host.h"

/* Estimates the core of @cpu. Context: the log writer; takes no sleeping lock. */
void bcos_power_estimate(u32 cpu, struct bcos_estimate *estimate);

#endif
