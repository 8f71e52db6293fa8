/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions that a test has in the place of others note here what they are asked for. */
#ifndef BCOS_TESTS_CLI_SAID_H
#define BCOS_TESTS_CLI_SAID_H

#include "printed.h"

/* The notes, with "; " after each. */
static char done[4000];

__attribute__((format(printf, 1, 2)))
static inline void note_call(const char *format, ...)
{
	size_t used = strlen(done);
	va_list args;

	va_start(args, format);
	vsnprintf(done + used, sizeof(done) - used, format, args);
	va_end(args);
	strncat(done, "; ", sizeof(done) - strlen(done) - 1);
}

/* Return: what was noted since the last call, which is valid until the next call. */
static inline const char *take_calls(void)
{
	static char text[sizeof(done)];

	strcpy(text, done);
	done[0] = '\0';
	return text;
}

#endif
