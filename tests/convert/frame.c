// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The functions that userspace/convert expects the tool to have, for tests and fuzzers. */
#include "../../userspace/convert/convert.h"

void complain(const char *format, ...)
{
	(void)format;
}
