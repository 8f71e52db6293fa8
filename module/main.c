// SPDX-License-Identifier: GPL-2.0-only
/* Brings the module up and takes it down, step by step. */
#include <linux/module.h>
#include <linux/tracepoint.h>

#include "capture/probes/device.h"
#include "capture/probes/probes.h"
#include "capture/staging.h"
#include "control/hotplug.h"
#include "control/mask.h"
#include "control/tick.h"
#include "device/allowance.h"
#include "device/chrdev.h"
#include "device/last.h"
#include "exports/kfunc.h"
#include "keep/image.h"
#include "keep/mapping.h"
#include "keep/region.h"
#include "machine/setting.h"
#include "memory.h"
#include "params.h"
#include "start.h"
#include "version.h"
#include "writer/kmsg.h"
#include "writer/publish.h"
#include "writer/seal.h"
#include "writer/writer.h"

static void bcos_wait_for_probes(void)
{
	tracepoint_synchronize_unregister();
}

/*
 * Load runs the steps from top to bottom. Unload, and a load that fails, undo them from bottom to
 * top: the device, changes of the mask, ticks, the sources of devices, the probes, hotplug; then
 * they wait for probes, timers and irq_works that still run, and end the thread and free the
 * memory.
 *
 * The device is the last step that may fail: from then on a file may be open, and the kernel frees
 * a module that fails to load without regard to that.
 */
static const struct bcos_step {
	int (*up)(void);
	void (*down)(void);
} bcos_steps[] = {
	{ bcos_params_up, NULL },
	{ bcos_mask_check, NULL },
	{ bcos_memory_up, bcos_memory_down },
	{ bcos_region_up, bcos_region_down },
	{ bcos_mapping_settle, NULL },
	{ bcos_staging_up, bcos_staging_down },
	{ bcos_image_up, bcos_image_down },
	{ bcos_mapping_up, bcos_mapping_down },
	{ bcos_kmsg_up, bcos_kmsg_down },
	{ NULL, bcos_seal_unload },
	{ bcos_writer_up, bcos_writer_down },
	{ bcos_kicks_up, bcos_kicks_down },
	{ NULL, bcos_writer_quiesce },
	{ NULL, bcos_wait_for_probes },
	{ bcos_setting_up, bcos_setting_down },
	{ bcos_hotplug_up, bcos_hotplug_down },
	{ bcos_mask_up, bcos_mask_down },
	{ bcos_core_up, bcos_core_down },
	{ bcos_block_up, bcos_block_down },
	{ bcos_net_up, bcos_net_down },
	{ bcos_input_up, bcos_input_down },
	{ bcos_announced_up, bcos_announced_down },
	{ bcos_begin_up, NULL },
	{ bcos_ticks_up, bcos_ticks_down },
	{ bcos_mask_live_up, bcos_mask_live_down },
	{ bcos_kfuncs_up, NULL },
	{ bcos_users_up, bcos_users_down },
	{ bcos_seal_up, bcos_seal_down },
	{ bcos_chrdev_up, bcos_chrdev_down },
	{ bcos_region_settle, NULL },
	{ bcos_last_up, bcos_last_down },
};

static void bcos_steps_down(size_t from)
{
	while (from--)
		if (bcos_steps[from].down)
			bcos_steps[from].down();
}

static int __init bcos_init(void)
{
	size_t i;
	int error;

	for (i = 0; i < ARRAY_SIZE(bcos_steps); i++) {
		error = bcos_steps[i].up ? bcos_steps[i].up() : 0;
		if (error) {
			bcos_steps_down(i);
			return error;
		}
	}
	return 0;
}

static void __exit bcos_exit(void)
{
	bcos_steps_down(ARRAY_SIZE(bcos_steps));
}

module_init(bcos_init);
module_exit(bcos_exit);

MODULE_AUTHOR("The bcos_evlog authors");
MODULE_DESCRIPTION("The machine's activity as a BCOS event log that explains itself");
MODULE_LICENSE("GPL");
MODULE_VERSION(BCOS_VERSION);
