/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Uevents, by which the kernel announces devices: which are recorded, and their names. Both engines
 * use this.
 */
#ifndef BCOS_CORE_ANNOUNCED_H
#define BCOS_CORE_ANNOUNCED_H

#include "device_name.h"

/* The meaning of an announcement. */
struct bcos_announcement {
	enum {
		BCOS_ANNOUNCED_NOTHING,
		BCOS_ANNOUNCED_COMES,
		BCOS_ANNOUNCED_GOES,
		BCOS_ANNOUNCED_CHANGES	/* a change of a disk */
	} what;
	u64 key;
	const char *text;		/* CHANGES: what changed; a constant */
	const char *subsystem;		/* points into the announcement, like path */
	const char *path;		/* relative to /sys */
};

/*
 * Devices that are no disks are identified by the numbers of their nodes. Bit 60 without bit 61 is
 * the mark: no kernel address, which other keys are made of, has it.
 */
static inline u64 bcos_announced_key(u32 range, u32 major, u32 minor)
{
	return BCOS_RAW_KEY(range, 1ull << 60 | (u64)(major & 0xFFF) << 32 | minor);
}

/*
 * Returns the range of IDs for a device with a node, or 0 if it is not recorded. @is_virtual: it
 * has no parent device.
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

/* A terminal has its own name. The names of other devices begin with the subsystem. */
static inline void bcos_announced_name(char *to, size_t size, const char *subsystem,
				       const char *name)
{
	if (!strcmp(subsystem, "tty"))
		host_format(to, size, "%s", name);
	else
		host_format(to, size, "%s %s", subsystem, name);
}

/**
 * bcos_announced_parse() - find out what an announcement means
 * @what: out; its strings point into @event
 * @event: any bytes
 * @length: bytes of @event
 *
 * Context: any.
 */
void bcos_announced_parse(struct bcos_announcement *what, const char *event, size_t length);

/*
 * Writes the names for the DEVICE record of a device that appeared to @names, BCOS_RAW_DEVICE_TEXT
 * bytes. Returns the bytes written.
 */
size_t bcos_announced_names(char *names, const struct bcos_announcement *what);

#endif
