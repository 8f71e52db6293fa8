// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The clocks of this machine: see clock.h. */
#include "clock.h"

u64 clock_now(clockid_t clock)
{
	struct timespec now;

	return clock_gettime(clock, &now) ? 0 : (u64)now.tv_sec * 1000000000u + (u64)now.tv_nsec;
}
