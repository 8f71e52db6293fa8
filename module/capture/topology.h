/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the cores of CPUs (module/DESIGN.md, 2.3). */
#ifndef BCOS_TOPOLOGY_H
#define BCOS_TOPOLOGY_H

#include <linux/types.h>

/*
 * Keeps the core ID of a CPU that has come online. Context: on that CPU, or before it goes offline.
 */
void bcos_topology_note(u32 cpu);

/* Returns the core ID of a CPU that is or was online, as bcos_core_id() has it. Context: any. */
u32 bcos_topology_core_of(u32 cpu);

#endif
