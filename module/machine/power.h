/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Estimates power and performance of cores. Parameters come first. Without them, performance comes
 * from the counters, or from what the kernel knows of the CPU's speed, and power is unknown.
 */
#ifndef BCOS_POWER_H
#define BCOS_POWER_H

#include "core/host/host.h"

/* Estimates the core of @cpu. Context: the log writer; takes no sleeping lock. */
void bcos_power_estimate(u32 cpu, struct bcos_estimate *estimate);

#endif
