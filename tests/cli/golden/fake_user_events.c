// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * For LD_PRELOAD: a kernel with user_events. It writes a line for each tracepoint that is registered, and for each
 * event that is written, to the file $FAKE_USER_EVENTS: "register INDEX NAME FIELDS", "write INDEX HEX"; and "open
 * PATH" and "close" for its descriptor. Somebody records the tracepoints whose names contain $FAKE_RECORDED.
 * $FAKE_ERROR is the errno with which registering the third tracepoint fails, $FAKE_OPEN that of opening, and
 * $FAKE_WRITE that of writing. With $FAKE_DEBUGFS, tracefs exists only below debugfs.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

int open(const char *path, int flags, ...);
int close(int fd);
int ioctl(int fd, unsigned long command, ...);
ssize_t writev(int fd, const struct iovec *parts, int count);

/* The structure is that of the kernel's documentation of user_events. */
struct user_reg {
	uint32_t size;
	uint8_t enable_bit;
	uint8_t enable_size;
	uint16_t flags;
	uint64_t enable_addr;
	uint64_t name_args;
	uint32_t write_index;
} __attribute__((packed));

static int fake = -1;
static uint32_t count;
static FILE *told;

int open(const char *path, int flags, ...)
{
	int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
	va_list more;
	int mode;

	va_start(more, flags);
	mode = va_arg(more, int);
	va_end(more);
	if (!strstr(path, "tracing/user_events_data"))
		return real(path, flags, mode);
	if (getenv("FAKE_OPEN")) {
		errno = atoi(getenv("FAKE_OPEN"));
		return -1;
	}
	if (getenv("FAKE_DEBUGFS") && !strstr(path, "/debug/")) {
		errno = ENOENT;
		return -1;
	}
	if (!told)
		told = fopen(getenv("FAKE_USER_EVENTS"), "w");
	fprintf(told, "open %s\n", path);
	fake = dup(1);
	/* A call that succeeds may leave any errno. */
	errno = ENOENT;
	return fake;
}

int close(int fd)
{
	int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "close");

	if (fd >= 0 && fd == fake)
		fprintf(told, "close\n");
	return real(fd);
}

int ioctl(int fd, unsigned long command, ...)
{
	int (*real)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
	const char *recorded = getenv("FAKE_RECORDED"), *error = getenv("FAKE_ERROR");
	struct user_reg *reg;
	va_list more;
	void *argument;

	va_start(more, command);
	argument = va_arg(more, void *);
	va_end(more);
	if (fd != fake)
		return real(fd, command, argument);
	reg = argument;
	if (command != _IOWR('*', 0, struct user_reg *) || reg->size != sizeof(*reg) || reg->enable_size != 4 ||
	    reg->flags) {
		errno = EINVAL;
		return -1;
	}
	if (error && count == 2) {
		errno = atoi(error);
		return -1;
	}
	reg->write_index = count++;
	fprintf(told, "register %u %s\n", reg->write_index, (const char *)(uintptr_t)reg->name_args);
	if (recorded && strstr((const char *)(uintptr_t)reg->name_args, recorded))
		*(uint32_t *)(uintptr_t)reg->enable_addr |= 1u << reg->enable_bit;
	return 0;
}

ssize_t writev(int fd, const struct iovec *parts, int number)
{
	ssize_t (*real)(int, const struct iovec *, int) =
		(ssize_t (*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
	size_t i, size = 0;
	uint32_t index;
	int part;

	if (fd != fake)
		return real(fd, parts, number);
	if (getenv("FAKE_WRITE")) {
		errno = atoi(getenv("FAKE_WRITE"));
		return -1;
	}
	memcpy(&index, parts[0].iov_base, sizeof(index));
	fprintf(told, "write %u ", index);
	for (part = 1; part < number; part++) {
		for (i = 0; i < parts[part].iov_len; i++)
			fprintf(told, "%02x", ((const uint8_t *)parts[part].iov_base)[i]);
		size += parts[part].iov_len;
	}
	fprintf(told, "\n");
	fflush(told);
	return (ssize_t)size;
}
