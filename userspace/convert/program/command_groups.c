// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The commands of bcoslog-convert: see command.h. */
#include <stddef.h>

#include "libexec/libexec.h"
#include "command.h"

const struct command_group command_groups[] = {
	{ "Entries", { &convert_command, &bridge_command } },
	{ .title = NULL },
};
