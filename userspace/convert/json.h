/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Numbers and strings of text formats. */
#ifndef CONVERT_JSON_H
#define CONVERT_JSON_H

#include "output.h"

/* Writes a number in decimal, at most 20 digits. Returns the place behind it. */
static inline char *decimal_put(char *to, u64 number)
{
	char digits[20];
	int n = 0;

	do {
		digits[n++] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	while (n)
		*to++ = digits[--n];
	return to;
}

/* Writes a string in quotes; whatever is not UTF-8 becomes U+FFFD. */
void json_text(struct outfile *file, const char *text, size_t length);

#endif
