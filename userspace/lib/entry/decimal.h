/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes numbers in decimal, two digits at a time. */
#ifndef BCOSLOG_ENTRY_DECIMAL_H
#define BCOSLOG_ENTRY_DECIMAL_H

#include "core/host/user.h"

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

#endif
