// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Numbers in arguments. */
#include <stdlib.h>

#include "number.h"
#include "complain/complain.h"

int parse_number(const char *option, const char *text, u64 maximum, u64 *number)
{
	char *end = NULL;

	errno = 0;
	if (text[0] >= '0' && text[0] <= '9')
		*number = strtoull(text, &end, 0);
	if (end && !*end && !errno && *number <= maximum)
		return 0;
	complain("%s takes a number from 0 to %llu, not \"%s\"", option,
		 (unsigned long long)maximum, text);
	return -1;
}
