// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The command of bcoslog-serve: see groups.h. */
#include <stddef.h>

#include "commands/elsewhere.h"
#include "groups.h"

const struct group groups[] = {
	{ "Reports", { &serve_command } },
	{ .title = NULL },
};
