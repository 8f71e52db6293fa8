// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Whether the program has been told to end, which the caller of the converters knows. */
#include "caller.h"

static bool is_never(void)
{
	return false;
}

bool (*convert_interrupted)(void) = is_never;
