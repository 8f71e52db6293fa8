// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names of processes: see name.h. */
#include "name.h"

u8 bcos_name_clean_slowly(char *to, const char *comm)
{
	memset(to, 0, BCOS_RAW_NAME);
	/*
	 * comm has at most 15 bytes. The kernel may have cut a character at their end; its bytes
	 * become U+FFFD.
	 */
	return (u8)bcos_name_clean(to, BCOS_NAME_MAX, comm, BCOS_RAW_NAME - 1);
}
