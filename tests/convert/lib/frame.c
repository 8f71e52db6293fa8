// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests and fuzzers of userspace/convert have this function in the place of the tool's. */
#include "../../../userspace/convert/convert.h"

void complain(const char *format, ...)
{
	(void)format;
}
