/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs that come online and go offline (module/DESIGN.md, 2.3). */
#ifndef BCOS_HOTPLUG_H
#define BCOS_HOTPLUG_H

#include <linux/types.h>

/* Registers the callbacks. They run at once for the CPUs that are online. */
int bcos_hotplug_up(void);
void bcos_hotplug_down(void);

/* Returns the core ID of a CPU that is or was online: (package << 16) | core. Context: any. */
u32 bcos_hotplug_core_of(u32 cpu);

#endif
