// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The names of system calls. The build makes the tables from the kernel's headers. */
#include "bcoslog.h"
#include "call_names.h"
#include "calls.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const char *call_name(u32 function)
{
	u32 number = function & ~BCOS_FUNCTION_COMPAT;

	if (function & BCOS_FUNCTION_COMPAT)
		return number < COUNT(compat) ? compat[number] : NULL;
	return number < COUNT(native) ? native[number] : NULL;
}
