// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Says a line whenever old entries were discarded to make room. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include "bcos_evlog.h"

int main(void)
{
	struct pollfd log = { .fd = open(BCOS_DEVICE_PATH, O_RDONLY), .events = POLLPRI };
	struct bcos_compaction c = { 0 };

	while (log.fd >= 0 && poll(&log, 1, -1) == 1 && !ioctl(log.fd, BCOS_IOC_COMPACTION, &c)) {
		printf("compactions: %llu, entries discarded: %llu\n", c.count, c.entries);
		fflush(stdout);
	}
	perror(BCOS_DEVICE_PATH);
	return 1;
}
