/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a record says of a device: its name, whether it is stacked, and what it hangs on. */
#ifndef BCOS_CORE_NAMING_H
#define BCOS_CORE_NAMING_H

#include "raw.h"

/*
 * Levels of what a device hangs on that are of interest: nvme0n1 - nvme0 - 0000:00:04.0, and of a SATA disk
 * sda - 0:0:0:0 - target0:0:0 - host0 - ata1 - 0000:00:1f.2.
 */
#define BCOS_BUSES 8

/* One more name at @at in BCOS_RAW_DEVICE_TEXT bytes, if it fits.  Return: where the next one goes. */
static inline size_t bcos_append_name(char *names, size_t at, const char *name)
{
	size_t length = strlen(name);

	if (at + length + 1 >= BCOS_RAW_DEVICE_TEXT)
		return at;
	memcpy(names + at, name, length + 1);
	return at + length + 1;
}

/* A stacked device passes on to others what it is given, and so is not to be counted twice. */
static inline bool bcos_disk_is_stacked(const char *name)
{
	static const char *const stacked[] = { "dm-", "md", "loop", "bcache", "drbd" };
	size_t i;

	for (i = 0; i < sizeof(stacked) / sizeof(stacked[0]); i++)
		if (!strncmp(name, stacked[i], strlen(stacked[i])))
			return true;
	return false;
}

/* @kind: as rtnetlink has it; NULL: it has none, as of hardware. */
static inline bool bcos_link_is_stacked(const char *kind)
{
	static const char *const stacked[] = {
		"bridge", "bond", "team", "vlan", "macvlan", "macvtap", "ipvlan", "veth", "vrf", "vxlan", "geneve",
		"gre", "gretap", "ipip", "sit", "wireguard", "hsr", "macsec",
	};
	size_t i;

	for (i = 0; kind && i < sizeof(stacked) / sizeof(stacked[0]); i++)
		if (!strcmp(kind, stacked[i]))
			return true;
	return false;
}

#endif
