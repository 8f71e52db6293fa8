// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The commands of bcoslog-convert: see groups.h. */
#include <stddef.h>

#include "commands/elsewhere.h"
#include "groups.h"

const struct group groups[] = {
	{ "Entries", { &convert_command, &bridge_command } },
	{ .title = NULL },
};
