// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Records of devices: see announce.h. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/format/entry.h"
#include "core/capture/device_name.h"
#include "announce.h"
#include "host/linux.h"

struct record {
	struct bcos_raw raw;
	struct bcos_raw_event event;
	struct bcos_raw_device device;
	char text[BCOS_RAW_DEVICE_TEXT];
};

/* Set the time of a record to the earliest possible time of the present announcement.  Return: its precision in ns. */
static u32 set_time(const struct hardware *hardware, struct bcos_raw *raw)
{
	u64 now = clock_now(CLOCK_BOOTTIME), span;

	raw->time = hardware->earliest && hardware->earliest < now ? hardware->earliest : now;
	span = now - raw->time;
	return span < 0xFFFFFFFFu ? (u32)span : 0xFFFFFFFFu;
}

static void put_record(struct hardware *hardware, struct bcos_raw *raw, u32 units)
{
	raw->units = (u8)units;
	hardware->put(hardware->context, (const struct bcos_unit *)raw, units);
}

void hardware_put_key(struct hardware *hardware, u8 kind, u16 aux, u64 key)
{
	struct {
		struct bcos_raw raw;
		struct bcos_raw_device device;
	} record = { .raw = { .kind = kind, .aux = aux }, .device = { .key = key } };

	record.device.amount = set_time(hardware, &record.raw);
	put_record(hardware, &record.raw, 2);
}

void hardware_put_event(struct hardware *hardware, u64 key, const char *text)
{
	struct {
		struct bcos_raw raw;
		struct bcos_raw_event event;
		char text[32];
	} record = {
		.raw = {
			.kind = BCOS_RAW_EVENT,
			.aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_DEVICE, BCOS_SEVERITY_INFO),
			.id = (u32)key,
		},
		.event = { .tag = (u32)(key >> 32) },
	};
	size_t length = strnlen(text, sizeof(record.text));

	memcpy(record.text, text, length);
	record.event.length = (u16)length;
	record.event.precision = set_time(hardware, &record.raw);
	put_record(hardware, &record.raw,
		   2 + (u32)((length + sizeof(struct bcos_unit) - 1) / sizeof(struct bcos_unit)));
}

/* Return: true if the device at @path in /sys is on the bus @bus. */
static bool is_on(const char *path, const char *bus)
{
	char link[PATH_MAX], target[PATH_MAX];
	const char *name;
	ssize_t length;

	if (snprintf(link, sizeof(link), "%s/subsystem", path) >= (int)sizeof(link))
		return false;
	length = readlink(link, target, sizeof(target) - 1);
	if (length < 0)
		return false;
	target[length] = 0;
	name = strrchr(target, '/');
	return name && !strcmp(name + 1, bus);
}

/* Append the names of the ancestors of the device at @path in /sys, the nearest first.  Return: the new length. */
static size_t append_buses(char *text, size_t at, const char *path)
{
	char link[PATH_MAX], bus[PATH_MAX], event[PATH_MAX + 8], *name;
	int left = BCOS_BUSES;

	if (snprintf(link, sizeof(link), "%s/device", path) >= (int)sizeof(link) || !realpath(link, bus))
		return at;
	while (left && (name = strrchr(bus, '/')) && strcmp(bus, "/sys/devices")) {
		snprintf(event, sizeof(event), "%s/uevent", bus);
		/* A folder without uevent is no device. */
		if (!access(event, F_OK)) {
			at = bcos_append_name(text, at, name + 1);
			left--;
			/* Higher ancestors are bridges with their own interrupts, or serve other USB devices, too. */
			if (is_on(bus, "pci") || is_on(bus, "usb"))
				break;
		}
		*name = 0;
	}
	return at;
}

/* Write the name and the ancestors of a device into its record.  Return: the number of units of the record. */
static u32 fill_record(struct record *record, const char *name, bool stacked, const char *path)
{
	size_t at;

	memset(record->text, 0, sizeof(record->text));
	at = (size_t)host_format(record->text, BCOS_DEVICE_NAME_MAX, "%s%s", name, stacked ? " (stacked)" : "") + 1;
	at = append_buses(record->text, at, path);
	record->event.length = (u16)(sizeof(record->device) + at);
	return 3 + (u32)((at + sizeof(struct bcos_unit) - 1) / sizeof(struct bcos_unit));
}

bool hardware_is_seen(const struct hardware *hardware, u64 key)
{
	return hardware->exact && BCOS_RAW_RANGE(key) != BCOS_DEVICE_USER_IO;
}

static void note_listed(struct hardware *hardware, u64 key)
{
	size_t room = hardware->room ? 2 * hardware->room : 64;
	u64 *grown;

	if (!hardware->again)
		return;
	if (hardware->count == hardware->room) {
		grown = realloc(hardware->listed, room * sizeof(*grown));
		if (!grown) {
			hardware->incomplete = true;
			return;
		}
		hardware->listed = grown;
		hardware->room = room;
	}
	hardware->listed[hardware->count++] = key;
}

void hardware_announce(struct hardware *hardware, u64 key, const char *name, bool stacked, const char *path,
		       bool found)
{
	struct record record = { .raw = { .kind = BCOS_RAW_DEVICE }, .device = { .key = key } };

	if (found)
		note_listed(hardware, key);
	if (!found && hardware_is_seen(hardware, key)) {
		/* A BPF program has recorded a new device. If a disk has a new name, the log does not state it. */
		if (BCOS_RAW_RANGE(key) != BCOS_DEVICE_NETWORK)
			return;
		record.raw.aux = BCOS_RAW_KNOWN;
	}
	if (found && !hardware->again)
		record.raw.aux = BCOS_RAW_FOUND;
	record.event.precision = set_time(hardware, &record.raw);
	put_record(hardware, &record.raw, fill_record(&record, name, stacked, path));
	hardware->named(hardware->context, key, true);
}

void hardware_gone(struct hardware *hardware, u64 key)
{
	if (hardware_is_seen(hardware, key))
		return;
	hardware_put_key(hardware, BCOS_RAW_DEVICE_GONE, 0, key);
	hardware->named(hardware->context, key, false);
}

u32 hardware_complete(struct bcos_unit *unit)
{
	struct record *record = (struct record *)unit;
	char name[17] = "", sort[17] = "", path[64], *slash;
	bool disk = BCOS_RAW_RANGE(record->device.key) == BCOS_DEVICE_STORAGE;
	size_t folder;
	u32 units;

	memcpy(name, record->text, 16);
	memcpy(sort, record->text + 16, 16);
	folder = host_format(path, sizeof(path), "/sys/class/%s/", disk ? "block" : "net");
	host_format(path + folder, sizeof(path) - folder, "%s", name);
	/* In /sys a ! replaces each / in a name. */
	for (slash = path + folder; (slash = strchr(slash, '/'));)
		*slash = '!';
	units = fill_record(record, name,
			    disk ? bcos_disk_is_stacked(name) : bcos_link_is_stacked(*sort ? sort : NULL),
			    path);
	record->raw.units = (u8)units;
	return units;
}
