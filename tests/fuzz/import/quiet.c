// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* In the fuzzers of importers, a complaint is not printed: nearly each input is one that is complained of. */
#include "../../../userspace/complain/complain.h"

void complain(const char *format, ...)
{
	(void)format;
}
