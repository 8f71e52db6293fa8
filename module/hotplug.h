/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs that come and go (section 7 of the design, "Hotplug"). */
#ifndef BCOS_HOTPLUG_H
#define BCOS_HOTPLUG_H

#include <linux/types.h>

/* Bring-up: registers the callbacks, which at once run for the CPUs that are online. */
int bcos_hotplug_up(void);
void bcos_hotplug_down(void);

/* Core ID of a CPU that is or was online: (package << 16) | core.  Any context. */
u32 bcos_hotplug_core_of(u32 cpu);

#endif
