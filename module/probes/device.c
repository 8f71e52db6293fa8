// SPDX-License-Identifier: GPL-2.0-only
/* Records of devices that appear, disappear and are renamed, for all kinds of devices. */
#include <linux/pci.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "../core/naming.h"
#include "device.h"

void bcos_device_announce(const struct bcos_found *found)
{
	struct bcos_raw raw = {
		.kind = BCOS_RAW_DEVICE,
		.aux = (found->found ? BCOS_RAW_FOUND : 0) | (found->elsewhere ? BCOS_RAW_ELSEWHERE : 0),
	};
	struct bcos_raw_event event = {};
	const struct device *bus = found->parent;
	struct {
		struct bcos_raw_device device;
		char names[BCOS_RAW_DEVICE_TEXT];
	} text = { .device.key = found->key };
	size_t at;
	int i;

	if (found->by_user && current->mm) {
		event.event_id = current->tgid;
		event.tag = bcos_task_tag(current);
	}
	scnprintf(text.names, BCOS_DEVICE_NAME_MAX, "%s%s", found->name, found->stacked ? " (stacked)" : "");
	at = strlen(text.names) + 1;
	for (i = 0; bus && i < BCOS_BUSES; i++, bus = bus->parent) {
		at = bcos_append_name(text.names, at, dev_name(bus));
		/*
		 * Above a PCI device there are bridges with interrupts of their own; above a USB
		 * device there are devices that serve others, too.
		 */
		if (dev_is_pci(bus) || (bus->bus && !strcmp(bus->bus->name, "usb")))
			break;
	}
	bcos_put_text(&raw, &event, (const char *)&text, sizeof(text.device) + at);
}

void bcos_device_gone(u64 key, bool surprise)
{
	bcos_device_put(BCOS_RAW_DEVICE_GONE, surprise ? BCOS_RAW_SURPRISE : 0, 0, key, 0);
}

void bcos_device_link(u64 key, bool up)
{
	bcos_device_put(BCOS_RAW_LINK, up, 0, key, 0);
}
