/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Texts: numbers in decimal digits, characters of UTF-8, and texts of others that are printed. */
#ifndef BCOSLOG_ENTRY_TEXT_H
#define BCOSLOG_ENTRY_TEXT_H

#include "core/host/user.h"

/* ---- decimal numbers ------------------------------------------------------------- */

/* The greatest number of digits of a 64-bit number. */
#define DECIMAL_MAX 20

/* The pairs "00" to "99" in a row. */
extern const char decimal_pairs[200];

/* Writes the two digits of a number below 100. */
static __always_inline void decimal_pair(char *to, u32 number)
{
	memcpy(to, decimal_pairs + 2 * number, 2);
}

/* Writes the digits so that they end before @end.  Return: the place of the first digit. */
static inline char *decimal_before(char *end, u64 number)
{
	for (; number >= 100; number /= 100) {
		end -= 2;
		decimal_pair(end, number % 100);
	}
	if (number >= 10) {
		end -= 2;
		decimal_pair(end, (u32)number);
	} else {
		*--end = (char)('0' + number);
	}
	return end;
}

/* Return: the number of digits of @number. */
static inline size_t decimal_length(u64 number)
{
	static const u64 powers[DECIMAL_MAX] = {
		0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000,
		1000000000000, 10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000,
		1000000000000000000, 10000000000000000000u,
	};
	/* The number of bits times log10(2), 1233 / 4096, is the number of digits, or one less. */
	size_t length = (64 - (size_t)__builtin_clzll(number | 1)) * 1233 >> 12;

	return length + (number >= powers[length]);
}

/* Writes the digits.  Return: the place after the last digit. */
static inline char *decimal_put(char *to, u64 number)
{
	char *end = to + 1;

	if (number < 10) {
		*to = (char)('0' + number);
		return end;
	}
	end = to + decimal_length(number);
	decimal_before(end, number);
	return end;
}

/*
 * Writes nine digits of a number below 1,000,000,000, by divisions that do not wait for each other.
 * Return: the place after the last digit.
 */
static __always_inline char *decimal_nine(char *to, u32 number)
{
	u32 high = number / 10000, low = number % 10000, middle = high % 10000;

	to[0] = (char)('0' + high / 10000);
	decimal_pair(to + 1, middle / 100);
	decimal_pair(to + 3, middle % 100);
	decimal_pair(to + 5, low / 100);
	decimal_pair(to + 7, low % 100);
	return to + 9;
}

/* ---- UTF-8 ----------------------------------------------------------------------- */

/* Cutting the texts of logs, which are UTF-8, between characters. */

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

/* ---- texts of others ------------------------------------------------------------- */

/* Escapes of characters from which a terminal, or the line that they stand in, is not safe. */

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
