// SPDX-License-Identifier: GPL-2.0-only
/* Makes the records of devices that appear, disappear and are renamed, for all kinds of devices. */
#include <linux/pci.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "core/capture/device_name.h"
#include "device.h"

/* The record of a device. Its time and size are set where it is stored. */
struct bcos_device_record {
	struct bcos_raw raw;
	struct bcos_raw_event event;
	struct bcos_raw_device device;
	char names[BCOS_RAW_DEVICE_TEXT];
};

/* Fills @record, which is zeroed. Returns how many bytes are used from @record->device on. */
static size_t bcos_device_describe(struct bcos_device_record *record,
				   const struct bcos_found *found)
{
	const struct device *bus = found->parent;
	size_t at;
	int i;

	record->raw.kind = BCOS_RAW_DEVICE;
	record->raw.aux = (found->found ? BCOS_RAW_FOUND : 0) |
			  (found->space ? BCOS_RAW_ELSEWHERE : 0);
	record->raw.id = found->space;
	record->device.key = found->key;
	if (found->by_user && current->mm) {
		record->event.event_id = current->tgid;
		record->event.tag = bcos_task_tag(current);
	}
	scnprintf(record->names, BCOS_DEVICE_NAME_MAX, "%s%s", found->name,
		  found->stacked ? " (stacked)" : "");
	at = strlen(record->names) + 1;
	for (i = 0; bus && i < BCOS_BUSES; i++, bus = bus->parent) {
		at = bcos_append_name(record->names, at, dev_name(bus));
		/*
		 * Above a PCI device there are bridges with interrupts of their own; above a USB
		 * device there are devices that serve others, too.
		 */
		if (dev_is_pci(bus) || (bus->bus && !strcmp(bus->bus->name, "usb")))
			break;
	}
	return sizeof(record->device) + at;
}

void bcos_device_announce(const struct bcos_found *found)
{
	struct bcos_device_record record = {};
	size_t length = bcos_device_describe(&record, found);

	bcos_put_text(&record.raw, &record.event, (const char *)&record.device, length);
}

void bcos_device_see(struct bcos_seen_devices *seen, const struct bcos_found *found)
{
	struct bcos_device_record record = {};
	u32 units;

	record.event.length = bcos_device_describe(&record, found);
	units = 2 + DIV_ROUND_UP(record.event.length, sizeof(*seen->unit));
	record.raw.units = units;
	if (seen->units + units <= seen->room)
		memcpy(seen->unit + seen->units, &record, units * sizeof(*seen->unit));
	seen->units += units;
}

void bcos_device_gone(u64 key, bool surprise)
{
	bcos_device_put(BCOS_RAW_DEVICE_GONE, surprise ? BCOS_RAW_SURPRISE : 0, 0, key, 0);
}

void bcos_device_link(u64 key, bool up)
{
	bcos_device_put(BCOS_RAW_LINK, up, 0, key, 0);
}
