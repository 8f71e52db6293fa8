/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Decimal digits, two at a time. */
#ifndef BCOSLOG_DECIMAL_H
#define BCOSLOG_DECIMAL_H

#include "core/host/user.h"

/* Digits of a 64-bit number. */
#define DECIMAL_MAX 20

/* "00" to "99". */
extern const char decimal_pairs[200];

static __always_inline void decimal_pair(char *to, u32 number)
{
	memcpy(to, decimal_pairs + 2 * number, 2);
}

/* Writes the digits so that they end before @end.  Return: the first. */
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

/* Writes the digits.  Return: behind the last. */
static inline char *decimal(char *to, u64 number)
{
	char text[DECIMAL_MAX], *first;
	size_t length;

	if (number < 10) {
		*to = (char)('0' + number);
		return to + 1;
	}
	if (number < 100) {
		decimal_pair(to, (u32)number);
		return to + 2;
	}
	first = decimal_before(text + sizeof(text), number);
	length = (size_t)(text + sizeof(text) - first);
	memcpy(to, first, length);
	return to + length;
}

/* Nine digits of a number below 1,000,000,000, by divisions that do not wait for each other. */
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

#endif
