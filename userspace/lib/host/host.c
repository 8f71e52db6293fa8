// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The services of Linux that reading a log needs: see host.h. */
#include <sys/random.h>

#include "host.h"

u64 host_random(void)
{
	u64 number;

	/* Early at boot the kernel has no random numbers yet; a fixed number replaces them. */
	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number))
		number = 0x9E3779B97F4A7C15u;
	return number;
}
