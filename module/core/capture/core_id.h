/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The ID of a core is made of the numbers that the kernel gives its package, its cluster and the
 * core.
 */
#ifndef BCOS_CORE_CORE_ID_H
#define BCOS_CORE_CORE_ID_H

#include "core/host/host.h"
#include "uapi/bcos_evlog.h"

/**
 * bcos_core_id() - compute the ID of a core
 * @package: number of the core's package; negative: unknown
 * @cluster: number of the core's cluster within the package, if the cores of each cluster are
 *   numbered from 0; else negative
 * @core: number of the core
 *
 * Firmware tables and x86 number the cores of a package across its clusters. With a device tree,
 * the kernel numbers the cores of each cluster from 0, so the number of the cluster is part of the
 * ID, in units of 256.
 *
 * Context: any.
 * Return: the ID.
 */
static inline u32 bcos_core_id(int package, int cluster, int core)
{
	return BCOS_CORE_ID(package < 0 ? 0 : package,
			    cluster < 0 ? core : cluster * 256 + core);
}

#endif
