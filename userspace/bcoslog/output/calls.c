// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The names of system calls. The build makes the tables from the kernel's headers. */
#include "bcoslog.h"
#include "call_names.h"
#include "calls.h"
#include "core/format/thread_text.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const char *call_name(u32 function)
{
	u32 number = function & ~BCOS_FUNCTION_COMPAT;

	if (function & BCOS_FUNCTION_COMPAT)
		return number < COUNT(compat) ? compat[number] : NULL;
	return number < COUNT(native) ? native[number] : NULL;
}

bool call_is_numbered(u32 call)
{
	return (call & ~BCOS_FUNCTION_COMPAT) != BCOS_THREAD_NO_CALL;
}
