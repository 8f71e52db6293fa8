// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Errors: see error.h, and reader/handle_error.c and reader/damage.c for those of a log. */
#include <stdarg.h>
#include <stdio.h>

#include "error.h"
#include "version.h"

int error_set(struct bcoslog_error *error, int code, const char *format, ...)
{
	va_list args;

	error->code = code;
	error->word = NULL;
	error->offset = 0;
	error->lost = 0;
	error->resumes = BCOSLOG_NOWHERE;
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return -code;
}

const char *bcoslog_version(void)
{
	return BCOS_VERSION;
}
