/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Escapes of characters from which a terminal, or the line that they stand in, is not safe. */
#ifndef BCOSLOG_ENTRY_ESCAPE_H
#define BCOSLOG_ENTRY_ESCAPE_H

#include "core/host/user.h"

/* Return: whether the character needs no escape, and is no backslash. */
static inline bool is_plain(u8 c)
{
	return c >= 0x20 && c < 0x7F && c != '\\';
}

/* The longest escape that escape_character() makes, in characters. */
#define ESCAPE_MAX 6

/**
 * escape_code() - get the code of the character at @text, if a terminal or a line is not safe from it
 * @text: UTF-8
 * @length: bytes of @text, at least 1
 * @code: out: the code: that of a control character (C0, DEL, C1), of one that changes the direction of writing, or of
 *	one that separates lines or paragraphs
 *
 * Return: the bytes of the character, or 0 if it needs no escape.
 */
size_t escape_code(const char *text, size_t length, u32 *code);

/**
 * escape_character() - escape the character at @text, if a terminal or a line is not safe from it, or if it is a
 *	backslash
 * @text: UTF-8
 * @length: bytes of @text, at least 1
 * @escape: out: the escape, ESCAPE_MAX bytes at most, without a zero after it
 * @escaped: out: characters of @escape
 *
 * Return: the bytes of the character, or 0 if it needs no escape.
 */
size_t escape_character(const char *text, size_t length, char *escape, size_t *escaped);

/**
 * escape_sentence() - copy a sentence that may quote anything, so that it is one line which a terminal is safe from
 * @to: out: the sentence, of which a backslash stays one, and with a zero at its end
 * @room: bytes of @to, more than ESCAPE_MAX; what does not fit is cut off between characters
 * @text: the sentence, whose bytes may be no UTF-8: such bytes are escaped, too
 */
void escape_sentence(char *to, size_t room, const char *text);

#endif
