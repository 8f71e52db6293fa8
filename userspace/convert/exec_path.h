/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The path of a program, for formats whose event of an exec has it. */
#ifndef CONVERT_EXEC_PATH_H
#define CONVERT_EXEC_PATH_H

#include "core/host/user.h"

/* Returns the path in the text of BCOS_EVENT_EXEC, which has it as path "PATH", and *@size; 0 if there is none. */
static inline const char *convert_exec_path(const char *text, size_t length, size_t *size)
{
	static const char word[] = "path \"";
	const char *at = memmem(text, length, word, sizeof(word) - 1), *end;

	*size = 0;
	if (!at)
		return "";
	at += sizeof(word) - 1;
	end = memchr(at, '"', length - (size_t)(at - text));
	*size = end ? (size_t)(end - at) : length - (size_t)(at - text);
	return at;
}

#endif
