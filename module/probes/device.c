// SPDX-License-Identifier: GPL-2.0-only
/* Devices that come, go and are renamed: what is common to all kinds. */
#include <linux/pci.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "../core/naming.h"
#include "device.h"

void bcos_device_announce(const struct bcos_found *found)
{
	struct bcos_raw raw = {
		.kind = BCOS_RAW_DEVICE,
		.aux = found->found ? BCOS_RAW_FOUND : 0,
		.id = found->key,
	};
	struct bcos_raw_event event = {};
	const struct device *bus = found->parent;
	char names[BCOS_RAW_DEVICE_TEXT];
	size_t at;
	int i;

	if (found->by_user && current->mm) {
		event.event_id = current->tgid;
		event.tag = bcos_task_tag(current);
	}
	scnprintf(names, BCOS_DEVICE_NAME_MAX, "%s%s", found->name, found->stacked ? " (stacked)" : "");
	at = strlen(names) + 1;
	for (i = 0; bus && i < BCOS_BUSES; i++, bus = bus->parent) {
		at = bcos_append_name(names, at, dev_name(bus));
		/* What is above are bridges, whose interrupts are their own. */
		if (dev_is_pci(bus))
			break;
	}
	bcos_put_text(&raw, &event, names, at);
}

void bcos_device_gone(u32 key, bool surprise)
{
	bcos_put_plain(BCOS_RAW_DEVICE_GONE, surprise ? BCOS_RAW_SURPRISE : 0, key);
}

void bcos_device_link(u32 key, bool up)
{
	bcos_put_plain(BCOS_RAW_LINK, up, key);
}
