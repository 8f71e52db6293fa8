// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The commands of bcoslog-convert: see groups.h. */
#include "groups.h"
#include "transfer.h"

const struct group groups[] = {
	{ "Entries", { &convert_command, &bridge_command } },
	{ .title = NULL },
};
