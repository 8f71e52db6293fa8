/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls commands with arguments, and keeps in @written all that they write to standard output. */
#ifndef BCOS_TESTS_TOOL_KEPT_OUTPUT_H
#define BCOS_TESTS_TOOL_KEPT_OUTPUT_H

#include <errno.h>
#include <sys/syscall.h>

#include "said.h"

static char written[2000];
/* Is a command called now? Outside of calls, standard output is that of the test. */
static bool keeps_output;
/* Standard output takes nothing. */
static bool no_output;

ssize_t write(int fd, const void *bytes, size_t size)
{
	if (fd != STDOUT_FILENO || !keeps_output)
		return syscall(SYS_write, fd, bytes, size);
	strncat(written, bytes, size < sizeof(written) ? size : 0);
	errno = ENOSPC;
	return no_output ? -1 : (ssize_t)size;
}

/* Return: the exit status of the command. Calls are noted anew from here on. */
static inline int call_words(int (*command)(int argc, char **argv), char **words)
{
	char *copy[8] = { (char *)"command" };
	int count = 1, r;

	for (; *words; words++)
		copy[count++] = *words;
	done[0] = written[0] = '\0';
	keeps_output = true;
	r = command(count, copy);
	keeps_output = false;
	strcat(written, printed_text());
	return r;
}

#endif
