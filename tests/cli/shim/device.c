// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Preloaded into the tool: the file $DEVICE is the log's device, which answers for its status and its mask; and there
 * is no memory from the allocation number $SCARCE on.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bcos_evlog.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static int started;

typedef int (*main_t)(int argc, char **argv, char **environment);
int __libc_start_main(main_t main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*ends)(void), void *stack);

/* The C library calls main() in here, after the constructors of all libraries. */
int __libc_start_main(main_t main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*ends)(void), void *stack)
{
	int (*next)(main_t, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

	*(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
	started = 1;
	return next(main, argc, argv, init, fini, ends, stack);
}

static int is_scarce(void)
{
	static long left = -1;
	static int asked;
	const char *text;

	if (!started)
		return 0;
	if (!asked) {
		asked = 1;
		text = getenv("SCARCE");
		left = text ? atol(text) : -1;
	}
	if (left > 0)
		left--;
	return !left;
}

void *malloc(size_t size)
{
	return is_scarce() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return is_scarce() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return is_scarce() ? NULL : __libc_realloc(old, size);
}

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
