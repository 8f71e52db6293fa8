/* SPDX-License-Identifier: GPL-2.0-only */
/* Follows CPUs that come online and go offline (module/DESIGN.md, 2.3). */
#ifndef BCOS_HOTPLUG_H
#define BCOS_HOTPLUG_H

/* Registers the callbacks. They run at once for the CPUs that are online. */
int bcos_hotplug_up(void);
void bcos_hotplug_down(void);

#endif
