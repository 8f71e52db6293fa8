// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Time, and how much of it to wait: see lib.h. */
#include "lib.h"

uint64_t patience_ns(void)
{
	const char *slow = getenv("SLOW");
	uint64_t times = slow ? strtoull(slow, NULL, 10) : 1;

	return 60000000000u * (times ? times : 1);
}

int patience_ms(void)
{
	return (int)(patience_ns() / 1000000);
}

uint64_t now_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
