/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the kernel announces of devices by "uevents", for both engines: which are recorded, and what they are called. */
#ifndef BCOS_CORE_ANNOUNCED_H
#define BCOS_CORE_ANNOUNCED_H

#include "naming.h"

/* What an announcement means. */
struct bcos_announcement {
	enum {
		BCOS_ANNOUNCED_NOTHING,
		BCOS_ANNOUNCED_COMES,
		BCOS_ANNOUNCED_GOES,
		BCOS_ANNOUNCED_CHANGES	/* of a disk */
	} what;
	u64 key;
	const char *text;		/* CHANGES: what changed; valid for ever */
	const char *subsystem;		/* this and the next are of the announcement */
	const char *path;		/* below /sys */
};

/* Other devices by the numbers of their nodes, which no address has. */
static inline u64 bcos_announced_key(u32 range, u32 major, u32 minor)
{
	return BCOS_RAW_KEY(range, 1ull << 60 | (u64)(major & 0xFFF) << 32 | minor);
}

/* The range of IDs of a device that has a node, 0: it is not recorded.  @is_virtual: it hangs on nothing. */
static inline u32 bcos_announced_range(const char *subsystem, const char *name, bool is_virtual)
{
	if (!subsystem)
		return 0;
	/* Not those of the screen, which are there whether anybody uses them or not. */
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

/* Terminals by their names; others are called what they are, too. */
static inline void bcos_announced_name(char *to, size_t size, const char *subsystem, const char *name)
{
	if (!strcmp(subsystem, "tty"))
		host_format(to, size, "%s", name);
	else
		host_format(to, size, "%s %s", subsystem, name);
}

/**
 * bcos_announced_parse() - what an announcement means
 * @what: out
 * @event: any bytes
 * @length: of them
 */
void bcos_announced_parse(struct bcos_announcement *what, const char *event, size_t length);

/* The names of a record of one that comes, in BCOS_RAW_DEVICE_TEXT bytes at @names.  Return: bytes. */
size_t bcos_announced_names(char *names, const struct bcos_announcement *what);

#endif
