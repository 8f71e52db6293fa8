/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel announces devices by uevents. Both engines decide here which devices they record, and
 * by which names.
 */
#ifndef BCOS_CORE_UEVENT_H
#define BCOS_CORE_UEVENT_H

#include "device_name.h"

/* The meaning of a uevent. */
struct bcos_announcement {
	enum {
		BCOS_ANNOUNCED_NOTHING,
		BCOS_ANNOUNCED_COMES,
		BCOS_ANNOUNCED_GOES,
		BCOS_ANNOUNCED_CHANGES	/* a change of a disk */
	} what;
	u64 key;
	const char *text;		/* CHANGES: what changed; a constant */
	const char *subsystem;		/* points into the uevent, like @path */
	const char *path;		/* relative to /sys */
};

/*
 * Returns the key of a device that is no disk, made of the numbers of its node. Bit 60 without bit
 * 61 marks such a key: kernel addresses, which keys of other devices are made of, have both.
 */
static inline u64 bcos_announced_key(u32 range, u32 major, u32 minor)
{
	return BCOS_RAW_KEY(range, 1ull << 60 | (u64)(major & 0xFFF) << 32 | minor);
}

/*
 * Returns the range of IDs for a device that has a node, or 0 if the device is not recorded.
 * @is_virtual: the device has no parent.
 */
static inline u32 bcos_announced_range(const char *subsystem, const char *name, bool is_virtual)
{
	if (!subsystem)
		return 0;
	/* Virtual consoles exist whether or not anybody uses them. */
	if (!strcmp(subsystem, "tty"))
		return is_virtual ? 0 : BCOS_DEVICE_USER_IO;
	if (!strcmp(subsystem, "sound"))
		return strncmp(name, "controlC", 8) ? 0 : BCOS_DEVICE_USER_IO;
	if (!strcmp(subsystem, "drm"))
		return strncmp(name, "card", 4) ? 0 : BCOS_DEVICE_USER_IO;
	if (!strcmp(subsystem, "usb"))
		return BCOS_DEVICE_OTHER;
	return 0;
}

/*
 * Writes the name of a device to @to: of a terminal the name alone, of others the subsystem and the
 * name.
 */
static inline void bcos_announced_name(char *to, size_t size, const char *subsystem,
				       const char *name)
{
	if (!strcmp(subsystem, "tty"))
		host_format(to, size, "%s", name);
	else
		host_format(to, size, "%s %s", subsystem, name);
}

/**
 * bcos_announced_parse() - find out what a uevent means
 * @what: out: the meaning; its strings point into @event
 * @event: any bytes
 * @length: bytes of @event
 *
 * Context: any.
 */
void bcos_announced_parse(struct bcos_announcement *what, const char *event, size_t length);

/*
 * Writes the names for the DEVICE record of a device that came to @names, which has
 * BCOS_RAW_DEVICE_TEXT bytes: the name of the device, then those of its ancestors. Returns the
 * bytes written.
 */
size_t bcos_announced_names(char *names, const struct bcos_announcement *what);

#endif
