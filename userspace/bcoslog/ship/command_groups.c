// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The command of bcoslog-ship: see command.h. */
#include <stddef.h>

#include "libexec/libexec.h"
#include "command.h"

const struct command_group command_groups[] = {
	{ "Recording", { &ship_command, &fleet_command } },
	{ .title = NULL },
};
