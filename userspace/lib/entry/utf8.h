/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Cutting the texts of logs, which are UTF-8, between characters. */
#ifndef BCOSLOG_ENTRY_UTF8_H
#define BCOSLOG_ENTRY_UTF8_H

#include "core/host/user.h"

/* Return: true if the byte belongs to a character and is not its first byte. */
static inline bool utf8_is_inside(char c)
{
	return ((u8)c & 0xC0) == 0x80;
}

/* Return: the number of bytes of all whole characters at the beginning of the text that fit into @most bytes. */
static inline size_t utf8_fit(const char *text, size_t length, size_t most)
{
	if (length <= most)
		return length;
	while (most && utf8_is_inside(text[most]))
		most--;
	return most;
}

#endif
