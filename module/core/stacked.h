/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Devices that pass on to others what they are given, and so are not to be counted twice. */
#ifndef BCOS_CORE_STACKED_H
#define BCOS_CORE_STACKED_H

#include "host.h"

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
