// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The announcements of disks and input devices by /sys and the kernel's device events: see uevents.h. */
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>

#include "bpf/shared.h"
#include "core/format/entry.h"
#include "core/capture/device_name.h"
#include "engine/machine.h"
#include "uevents.h"

static u64 input_key(u32 number)
{
	return BCOS_RAW_KEY(BCOS_DEVICE_USER_IO, number);
}

/* Create the record of a disk. @folder is the disk's name with a ! in place of each /, as in /sys. */
static void announce_disk(struct hardware *hardware, u64 key, const char *folder, bool found)
{
	char name[BCOS_DEVICE_NAME_MAX], path[PATH_MAX], *slash;

	snprintf(name, sizeof(name), "%.90s", folder);
	snprintf(path, sizeof(path), "/sys/class/block/%.255s", folder);
	for (slash = name; (slash = strchr(slash, '!'));)
		*slash = '/';
	hardware_announce(hardware, key, name, bcos_disk_is_stacked(name), path, found);
}

static void scan_disk(struct hardware *hardware, const char *folder)
{
	unsigned int major, minor;
	char path[PATH_MAX], text[64];

	snprintf(path, sizeof(path), "/sys/block/%.255s/dev", folder);
	if (machine_read_line(path, text, sizeof(text)) && sscanf(text, "%u:%u", &major, &minor) == 2)
		announce_disk(hardware, BCOS_RAW_DISK(major, minor), folder, true);
}

static void announce_input(struct hardware *hardware, const char *folder, const char *path, const char *name,
			   bool found)
{
	u32 number;

	if (sscanf(folder, "input%u", &number) == 1)
		hardware_announce(hardware, input_key(number), *name ? name : folder, false, path, found);
}

static void scan_input(struct hardware *hardware, const char *folder)
{
	char path[PATH_MAX], file[PATH_MAX], name[128] = "";

	if (strncmp(folder, "input", 5))
		return;
	snprintf(path, sizeof(path), "/sys/class/input/%.255s", folder);
	snprintf(file, sizeof(file), "/sys/class/input/%.255s/name", folder);
	machine_read_line(file, name, sizeof(name));
	announce_input(hardware, folder, path, name, true);
}

static void scan_folder(struct hardware *hardware, const char *path,
			void (*each)(struct hardware *hardware, const char *folder))
{
	DIR *folder = opendir(path);
	const struct dirent *entry;

	hardware->incomplete |= !folder;
	while (folder && (entry = readdir(folder)))
		if (entry->d_name[0] != '.')
			each(hardware, entry->d_name);
	if (folder)
		closedir(folder);
}

/* Return: the value of @key in an event, which consists of strings "KEY=VALUE" with a zero byte after each; or "". */
static const char *value_of(const char *event, size_t length, const char *key)
{
	size_t size = strlen(key);
	const char *at = event;

	for (; at < event + length; at += strlen(at) + 1)
		if (!strncmp(at, key, size) && at[size] == '=')
			return at + size + 1;
	return "";
}

void uevents_parse(struct hardware *hardware, const char *event, size_t length)
{
	const char *action = value_of(event, length, "ACTION"), *subsystem = value_of(event, length, "SUBSYSTEM");
	const char *path = value_of(event, length, "DEVPATH"), *folder = strrchr(path, '/'), *name;
	bool comes = !strcmp(action, "add"), goes = !strcmp(action, "remove");
	char clean[128], full[PATH_MAX];
	u32 number;
	u64 key;

	if (!folder || (!comes && !goes))
		return;
	if (!strcmp(subsystem, "block") && !strcmp(value_of(event, length, "DEVTYPE"), "disk")) {
		key = BCOS_RAW_DISK((u32)strtoul(value_of(event, length, "MAJOR"), NULL, 10),
				    strtoul(value_of(event, length, "MINOR"), NULL, 10));
		if (comes)
			announce_disk(hardware, key, folder + 1, false);
		else
			hardware_gone(hardware, key);
	} else if (!strcmp(subsystem, "input") && sscanf(folder + 1, "input%u", &number) == 1) {
		/* The value of NAME is in quotes. */
		name = value_of(event, length, "NAME");
		snprintf(clean, sizeof(clean), "%s", *name == '"' ? name + 1 : name);
		clean[strcspn(clean, "\"")] = 0;
		snprintf(full, sizeof(full), "/sys%.4000s", path);
		if (comes)
			announce_input(hardware, folder + 1, full, clean, false);
		else
			hardware_gone(hardware, input_key(number));
	}
}

void uevents_scan(struct hardware *hardware)
{
	scan_folder(hardware, "/sys/block", scan_disk);
	scan_folder(hardware, "/sys/class/input", scan_input);
	announced_scan(hardware);
}
