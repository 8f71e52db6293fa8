/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Names for records of devices, and rules by which devices are stacked on others. */
#ifndef BCOS_CORE_DEVICE_NAME_H
#define BCOS_CORE_DEVICE_NAME_H

#include "core/raw/raw.h"

/*
 * The maximum number of recorded ancestors. An NVMe disk has nvme0n1 - nvme0 - 0000:00:04.0, a SATA
 * disk has sda - 0:0:0:0 - target0:0:0 - host0 - ata1 - 0000:00:1f.2.
 */
#define BCOS_BUSES 8

/*
 * Appends a name at offset @at of @names, which has BCOS_RAW_DEVICE_TEXT bytes, if the name fits.
 * Returns the new offset.
 */
static inline size_t bcos_append_name(char *names, size_t at, const char *name)
{
	size_t length = strlen(name);

	if (at + length + 1 >= BCOS_RAW_DEVICE_TEXT)
		return at;
	memcpy(names + at, name, length + 1);
	return at + length + 1;
}

/*
 * Is the disk stacked? A stacked device passes its transfers on to other devices, so its own must
 * not be counted.
 */
static inline bool bcos_disk_is_stacked(const char *name)
{
	static const char *const stacked[] = { "dm-", "md", "loop", "bcache", "drbd" };
	size_t i;

	for (i = 0; i < sizeof(stacked) / sizeof(stacked[0]); i++)
		if (!strncmp(name, stacked[i], strlen(stacked[i])))
			return true;
	return false;
}

/*
 * Is a network interface of this kind stacked? @kind is the kind in rtnetlink; NULL for hardware.
 */
static inline bool bcos_link_is_stacked(const char *kind)
{
	static const char *const stacked[] = {
		"bridge", "bond", "team", "vlan", "macvlan", "macvtap", "ipvlan", "veth", "vrf",
		"vxlan", "geneve", "gre", "gretap", "ipip", "sit", "wireguard", "hsr", "macsec",
	};
	size_t i;

	for (i = 0; kind && i < sizeof(stacked) / sizeof(stacked[0]); i++)
		if (!strcmp(kind, stacked[i]))
			return true;
	return false;
}

#endif
