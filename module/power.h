/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a core is likely to take and to do: as this box's owner states it; else, of performance, what was counted; else
 * as the kernel knows it; else unknown.
 */
#ifndef BCOS_POWER_H
#define BCOS_POWER_H

#include "core/host.h"

/* @cpu: one of the core's.  Any context that may take a spin lock, of the log writer. */
void bcos_power_estimate(u32 cpu, struct bcos_estimate *estimate);

#endif
