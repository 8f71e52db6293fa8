// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What reading a log asks of Linux: see host.h. */
#include <sys/random.h>

#include "host.h"

u64 host_random(void)
{
	u64 number;

	/* Before the kernel's pool is ready, early at boot, a fixed number has to do. */
	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number))
		number = 0x9E3779B97F4A7C15u;
	return number;
}
