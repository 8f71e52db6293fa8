/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef BCOS_TESTS_CLI_DESCRIPTORS_H
#define BCOS_TESTS_CLI_DESCRIPTORS_H

#include <fcntl.h>

/* Returns the number of open descriptors of this process among the first 256. */
static inline unsigned int count_descriptors(void)
{
	unsigned int count = 0;
	int fd;

	for (fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

#endif
