// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Preloaded into the tool, this makes the file $DEVICE the log's device, which answers for its status and its mask. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bcos_evlog.h"

int fstat(int fd, struct stat *stat)
{
	const char *device = getenv("DEVICE");
	struct stat expected;
	int r = fstatat(fd, "", stat, AT_EMPTY_PATH);

	if (!r && device && !fstatat(AT_FDCWD, device, &expected, 0) && expected.st_ino == stat->st_ino)
		stat->st_mode = S_IFCHR | 0600;
	return r;
}

static int answer_status(struct bcos_status *status)
{
	memset(status, 0, sizeof(*status));
	status->abi_version = BCOS_ABI_VERSION;
	strcpy(status->version, "0.1.0");
	status->ring_size = 8388608;
	status->lost[BCOS_LOST_STAGING] = 7;
	status->mask = BCOS_CLASS_IRQ;
	status->active = BCOS_CLASS_IRQ;
	return 0;
}

static int answer_mask(struct bcos_mask *mask)
{
	mask->mask = mask->active = mask->set;
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *argument;

	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);
	if (request == BCOS_IOC_STATUS)
		return answer_status(argument);
	if (request == BCOS_IOC_MASK)
		return answer_mask(argument);
	return (int)syscall(SYS_ioctl, fd, request, argument);
}
