/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Strings of 8, 16 and 32 bits a unit become valid UTF-8. A unit that is no character becomes U+FFFD. */
#ifndef EVENTHEADER_UTF_H
#define EVENTHEADER_UTF_H

#include <stddef.h>
#include <stdint.h>

enum utf_order { UTF_LITTLE, UTF_BIG };

/* Write a character, which becomes U+FFFD if it is none.  Return: bytes, 1 to 4. */
size_t utf8_put(char to[4], uint32_t character);

/* Converts units of @unit bytes, 1: UTF-8, 2: UTF-16, 4: UTF-32.  Return: bytes written, ending with a character. */
size_t utf_clean(char *to, size_t size, const uint8_t *from, size_t length, size_t unit, enum utf_order order);

/* Each unit is a character. */
size_t utf_latin(char *to, size_t size, const uint8_t *from, size_t length, size_t unit, enum utf_order order);

/* Past a byte order mark, if there is one, which decides unit and order. */
void utf_take_mark(const uint8_t **from, size_t *length, size_t *unit, enum utf_order *order);

#endif
