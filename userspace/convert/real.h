/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Real numbers as text. */
#ifndef CONVERT_REAL_H
#define CONVERT_REAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define REAL_TEXT 32

/* Writes a number with as few digits as tell it from all others of its type. @single: it was a float of 32 bits. */
static inline int real_text(char to[REAL_TEXT], double value, bool single)
{
	int digits, length = 0;

	for (digits = single ? 6 : 15; digits <= (single ? 9 : 17); digits++) {
		length = snprintf(to, REAL_TEXT, "%.*g", digits, value);
		if (single ? strtof(to, NULL) == (float)value : strtod(to, NULL) == value)
			break;
	}
	return length;
}

#endif
