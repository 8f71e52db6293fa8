/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Converts strings with units of 8, 16 or 32 bits to valid UTF-8. A unit that is no character becomes U+FFFD. */
#ifndef EVENTHEADER_UTF_H
#define EVENTHEADER_UTF_H

#include <stddef.h>
#include <stdint.h>

enum utf_order { UTF_LITTLE, UTF_BIG };

/* Writes a character as UTF-8; a number that is no character becomes U+FFFD.  Return: bytes, 1 to 4. */
size_t utf8_put(char to[4], uint32_t character);

/*
 * Converts a string with units of @unit bytes: 1 is UTF-8, 2 is UTF-16, 4 is UTF-32.  Return: bytes written; the last
 * character is whole.
 */
size_t utf_clean(char *to, size_t size, const uint8_t *from, size_t length, size_t unit, enum utf_order order);

/* Converts a string whose units are each one character.  Return: as utf_clean(). */
size_t utf_latin(char *to, size_t size, const uint8_t *from, size_t length, size_t unit, enum utf_order order);

/* Skips a byte order mark, if there is one, and sets unit and order by it. */
void utf_take_mark(const uint8_t **from, size_t *length, size_t *unit, enum utf_order *order);

#endif
