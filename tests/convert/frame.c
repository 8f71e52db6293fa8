// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* These functions stand for those that userspace/convert expects in the tool, for tests and fuzzers. */
#include "../../userspace/convert/convert.h"

void complain(const char *format, ...)
{
	(void)format;
}
