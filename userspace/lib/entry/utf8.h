/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Texts of logs, which are UTF-8. */
#ifndef BCOSLOG_ENTRY_UTF8_H
#define BCOSLOG_ENTRY_UTF8_H

#include "core/host/user.h"

/* Is this byte within a character, and not its first? */
static inline bool utf8_is_inside(char c)
{
	return ((u8)c & 0xC0) == 0x80;
}

/* Return: @length, or if that is more than @most, the bytes of all characters that fit into @most. */
static inline size_t utf8_fit(const char *text, size_t length, size_t most)
{
	if (length <= most)
		return length;
	while (most && utf8_is_inside(text[most]))
		most--;
	return most;
}

#endif
