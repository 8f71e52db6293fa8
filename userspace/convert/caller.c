// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* By default nothing tells the program to end: see caller.h. */
#include "caller.h"

static bool is_never(void)
{
	return false;
}

bool (*convert_interrupted)(void) = is_never;
