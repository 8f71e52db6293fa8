/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Numbers and strings of text formats. */
#ifndef CONVERT_JSON_H
#define CONVERT_JSON_H

#include "output.h"

/* Writes a number in decimal, at most 20 digits. Returns the place after it. */
static inline char *decimal_put(char *to, u64 number)
{
	char digits[20], *at = digits + sizeof(digits);

	for (; number >= 10; number /= 10)
		*--at = (char)('0' + number % 10);
	*--at = (char)('0' + number);
	memcpy(to, at, (size_t)(digits + sizeof(digits) - at));
	return to + (digits + sizeof(digits) - at);
}

/* Is there nothing in a text that a string has to escape? */
bool json_is_plain(const char *text, size_t length);

/* Writes a string in quotes; whatever is not UTF-8 becomes U+FFFD. */
void json_text(struct outfile *file, const char *text, size_t length);

#endif
