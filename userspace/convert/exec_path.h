/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The path of an executed program, for formats whose event of an exec holds that path. */
#ifndef CONVERT_EXEC_PATH_H
#define CONVERT_EXEC_PATH_H

#include "core/host/user.h"

/*
 * Returns the path in the text of an event BCOS_EVENT_EXEC, where it stands as path "PATH", and sets @size to its
 * length. Returns "" and size 0 if the text has no path.
 */
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
