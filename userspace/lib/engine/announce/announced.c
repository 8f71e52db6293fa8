// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Terminals, sound, graphics and USB devices, and disks whose medium or size changes: see uevents.h. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "core/capture/uevent.h"
#include "core/format/entry.h"
#include "engine/machine.h"
#include "uevents.h"

/* Create the record of a device whose folder in /sys is @path. */
static void announce_device(struct hardware *hardware, u64 key, const char *subsystem, const char *path, bool found)
{
	const char *last = strrchr(path, '/');
	char name[BCOS_DEVICE_NAME_MAX];

	bcos_announced_name(name, sizeof(name), subsystem, last ? last + 1 : path);
	hardware_announce(hardware, key, name, false, path, found);
}

void announced_parse(struct hardware *hardware, const char *event, size_t length)
{
	struct bcos_announcement what;
	char path[PATH_MAX];

	bcos_announced_parse(&what, event, length + 1);
	switch (what.what) {
	case BCOS_ANNOUNCED_COMES:
		snprintf(path, sizeof(path), "/sys%.4000s", what.path);
		announce_device(hardware, what.key, what.subsystem, path, false);
		break;
	case BCOS_ANNOUNCED_GOES:
		hardware_gone(hardware, what.key);
		break;
	case BCOS_ANNOUNCED_CHANGES:
		hardware_put_event(hardware, what.key, what.text);
		break;
	case BCOS_ANNOUNCED_NOTHING:
		break;
	}
}

static void device_found(struct hardware *hardware, const char *subsystem, const char *folder, const char *name)
{
	char path[PATH_MAX], file[PATH_MAX], text[64];
	unsigned int major, minor;
	u32 range;

	snprintf(path, sizeof(path), "%.255s/%.255s", folder, name);
	snprintf(file, sizeof(file), "%.255s/%.255s/device", folder, name);
	range = bcos_announced_range(subsystem, name, access(file, F_OK));
	snprintf(file, sizeof(file), "%.255s/%.255s/dev", folder, name);
	if (range && machine_read_line(file, text, sizeof(text)) && sscanf(text, "%u:%u", &major, &minor) == 2)
		announce_device(hardware, bcos_announced_key(range, major, minor), subsystem, path, true);
}

void announced_scan(struct hardware *hardware)
{
	static const char *const kinds[][2] = {
		{ "tty", "/sys/class/tty" },
		{ "sound", "/sys/class/sound" },
		{ "drm", "/sys/class/drm" },
		{ "usb", "/sys/bus/usb/devices" },
	};
	const struct dirent *entry;
	DIR *folder;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		folder = opendir(kinds[i][1]);
		while (folder && (entry = readdir(folder)))
			if (entry->d_name[0] != '.')
				device_found(hardware, kinds[i][0], kinds[i][1], entry->d_name);
		if (folder)
			closedir(folder);
	}
}
