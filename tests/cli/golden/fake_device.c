// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * For LD_PRELOAD: a device /dev/bcos_evlog whose contents are known. It gives the bytes of the file $FAKE_LOG, and its
 * status is $FAKE_STATUS: "FIELD=VALUE ..." with the fields of struct bcos_status, "version=TEXT", and "lost.N=VALUE".
 * It prints each request that changes something on standard error. $FAKE_STATUS may have two more words:
 * "error.NAME=NUMBER" is the errno with which that call fails, and "compactions=N" is the number of compactions to
 * acknowledge, one at a time.  With "error.poll" it also prints for how long each program that waits for the device
 * would wait.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bcos_evlog.h"

int close(int fd);
int open(const char *path, int flags, ...);
int open64(const char *path, int flags, ...);
int fstat(int fd, struct stat *status);
int fstat64(int fd, struct stat64 *status);
int ioctl(int fd, unsigned long command, ...);
int poll(struct pollfd *wait, nfds_t count, int timeout);
off_t lseek(int fd, off_t offset, int whence);
off64_t lseek64(int fd, off64_t offset, int whence);

/* Descriptors of the device. The recorder has one that reads and one that changes the classes. */
static char is_open[1024];
static struct bcos_status status;
static struct bcos_mask mask;

#define FIELD(f) { #f, offsetof(struct bcos_status, f), sizeof(((struct bcos_status *)0)->f) }

static const struct {
	const char *name;
	size_t offset, size;
} fields[] = {
	FIELD(flags), FIELD(abi_version), FIELD(ring_size), FIELD(head), FIELD(oldest), FIELD(newest_group),
	FIELD(entries),
	FIELD(historical), FIELD(groups), FIELD(compactions), FIELD(discarded_bytes), FIELD(discarded_entries),
	FIELD(group_bytes), FIELD(advised_ring), FIELD(partial_groups), FIELD(restated), FIELD(groups_over_1_zone),
	FIELD(groups_over_3_zones), FIELD(groups_over_4_zones), FIELD(clamped), FIELD(unnamed), FIELD(staging_bytes),
	FIELD(memory), FIELD(last_time), FIELD(batches), FIELD(wakeups), FIELD(mask), FIELD(active), FIELD(processes),
	FIELD(cpus), FIELD(cores), FIELD(devices), FIELD(readers), FIELD(staging_kb),
};

/* Finds "NAME=VALUE" in $FAKE_STATUS.  Return: the text of the value, or NULL. */
static const char *find_word(const char *name)
{
	const char *at = getenv("FAKE_STATUS");
	size_t length = strlen(name);

	for (; at && *at; at += strspn(at, " ")) {
		if (!strncmp(at, name, length) && at[length] == '=')
			return at + length + 1;
		at += strcspn(at, " ");
	}
	return NULL;
}

static int has_failed(const char *call)
{
	char name[64];
	const char *value;

	snprintf(name, sizeof(name), "error.%s", call);
	value = find_word(name);
	if (value)
		errno = atoi(value);
	return value ? 1 : 0;
}

static void set_up(void)
{
	const char *value;
	char name[16];
	uint64_t number;
	size_t i;

	status.abi_version = BCOS_ABI_VERSION;
	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		value = find_word(fields[i].name);
		if (!value)
			continue;
			/* All numbers are little endian. */
		number = strtoull(value, NULL, 0);
		memcpy((char *)&status + fields[i].offset, &number, fields[i].size);
	}
	for (i = 0; i < BCOS_LOST_REASONS; i++) {
		snprintf(name, sizeof(name), "lost.%zu", i);
		value = find_word(name);
		status.lost[i] = value ? strtoull(value, NULL, 0) : 0;
	}
	value = find_word("version");
	if (value)
		memcpy(status.version, value, strcspn(value, " "));
	mask.mask = status.mask;
	mask.active = status.active;
}

static int is_device(int fd)
{
	return fd >= 0 && fd < (int)sizeof(is_open) && is_open[fd];
}

static void note_device(int fd)
{
	if (fd >= 0 && fd < (int)sizeof(is_open))
		is_open[fd] = 1;
}

int close(int fd)
{
	int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "close");

	if (is_device(fd))
		is_open[fd] = 0;
	return next(fd);
}

/* The device is a pipe that never ends: reading gives EAGAIN, and it cannot be mapped. Its newest group is its first one. */
static int open_device(int flags)
{
	static char bytes[1 << 16];
	const char *name = getenv("FAKE_LOG");
	FILE *file;
	size_t size;
	int ends[2];

	if (has_failed("open"))
		return -1;
	set_up();
	file = fopen(name ? name : "/dev/null", "r");
	if (!file || pipe(ends))
		return -1;
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	if (write(ends[1], bytes, size) != (ssize_t)size || fcntl(ends[0], F_SETFL, flags & O_NONBLOCK))
		return -1;
	note_device(ends[0]);
	return ends[0];
}

static int open_any(const char *name, const char *path, int flags, mode_t mode)
{
	int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);

	return strcmp(path, BCOS_DEVICE_PATH) ? next(path, flags, mode) : open_device(flags);
}

#define MODE(flags, mode) do { \
		va_list args; \
		va_start(args, flags); \
		mode = (flags) & O_CREAT ? va_arg(args, mode_t) : 0; \
		va_end(args); \
	} while (0)

int open(const char *path, int flags, ...)
{
	mode_t mode;

	MODE(flags, mode);
	return open_any("open", path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	mode_t mode;

	MODE(flags, mode);
	return open_any("open64", path, flags, mode);
}

off64_t lseek64(int fd, off64_t offset, int whence)
{
	off64_t (*next)(int, off64_t, int) = (off64_t (*)(int, off64_t, int))dlsym(RTLD_NEXT, "lseek64");

	/* The module takes no other one. */
	return is_device(fd) && whence == SEEK_DATA && !offset ? 0 : next(fd, offset, whence);
}

off_t lseek(int fd, off_t offset, int whence)
{
	return lseek64(fd, offset, whence);
}

int fstat(int fd, struct stat *result)
{
	int (*next)(int, struct stat *) = (int (*)(int, struct stat *))dlsym(RTLD_NEXT, "fstat");
	int r = next(fd, result);

	if (!r && is_device(fd))
		result->st_mode = S_IFCHR | 0600;
	return r;
}

int fstat64(int fd, struct stat64 *result)
{
	int (*next)(int, struct stat64 *) = (int (*)(int, struct stat64 *))dlsym(RTLD_NEXT, "fstat64");
	int r = next(fd, result);

	if (!r && is_device(fd))
		result->st_mode = S_IFCHR | 0600;
	return r;
}

/* A descriptor that another program hands over is the device. */
ssize_t recvmsg(int socket, struct msghdr *message, int flags)
{
	ssize_t (*next)(int, struct msghdr *, int) =
		(ssize_t (*)(int, struct msghdr *, int))dlsym(RTLD_NEXT, "recvmsg");
	ssize_t size = next(socket, message, flags);
	const struct cmsghdr *header = size > 0 ? CMSG_FIRSTHDR(message) : NULL;
	int fd;

	if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
		memcpy(&fd, CMSG_DATA(header), sizeof(fd));
		note_device(fd);
		set_up();
	}
	return size;
}

static int change_mask(struct bcos_mask *change)
{
	if (has_failed("mask"))
		return -1;
	if (change->clear || change->set)
		fprintf(stderr, "device: mask: clear 0x%x, set 0x%x\n", change->clear, change->set);
	mask.active = (mask.active & ~change->clear) | change->set;
	mask.mask = (mask.mask & ~change->clear) | change->set;
	change->mask = mask.mask;
	change->active = mask.active;
	return 0;
}

static int take_event(const struct bcos_emit *event)
{
	if (has_failed("emit"))
		return -1;
	fprintf(stderr, "device: emit: type 0x%04x, source %u, event 0x%08x, severity 0x%02x, \"%.*s\"\n", event->type,
		event->source, event->event_id, event->severity, (int)event->length, event->text);
	return 0;
}

static int take_request(const struct bcos_request *wanted)
{
	if (has_failed("request"))
		return -1;
	fprintf(stderr, "device: request: classes 0x%x, source 0x%x, on %u\n", wanted->classes, wanted->source,
		wanted->on);
	return 0;
}

/* Gives the next compaction. Each has 7 entries and 200 bytes, and is one second later. */
static int give_compaction(struct bcos_compaction *result)
{
	static uint64_t count;

	if (has_failed("compaction"))
		return -1;
	count++;
	*result = (struct bcos_compaction){ .count = count, .entries = 7 * count, .bytes = 200 * count,
					    .time = count * 1000000000u + 5 };
	return 0;
}

/* As long as there are compactions, each of them is there at once. */
int poll(struct pollfd *wait, nfds_t count, int timeout)
{
	int (*next)(struct pollfd *, nfds_t, int) = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
	const char *value = find_word("compactions");
	static int told;
	nfds_t i;

	for (i = 0; i < count; i++) {
		if (is_device(wait[i].fd) && has_failed("poll")) {
			fprintf(stderr, "device: poll: %d ms\n", timeout);
			return -1;
		}
		if (!is_device(wait[i].fd) || !(wait[i].events & POLLPRI) || !value || told >= atoi(value))
			continue;
		told++;
		next(wait, count, 0);
		wait[i].revents = POLLPRI;
		return 1;
	}
	return next(wait, count, timeout);
}

int ioctl(int fd, unsigned long command, ...)
{
	int (*next)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
	void *argument;
	va_list args;

	va_start(args, command);
	argument = va_arg(args, void *);
	va_end(args);
	if (!is_device(fd))
		return next(fd, command, argument);
	switch (command) {
	case BCOS_IOC_STATUS:
		if (has_failed("status"))
			return -1;
		memcpy(argument, &status, sizeof(status));
		return 0;
	case BCOS_IOC_MASK:
		return change_mask(argument);
	case BCOS_IOC_EMIT:
		return take_event(argument);
	case BCOS_IOC_REQUEST:
		return take_request(argument);
	case BCOS_IOC_COMPACTION:
		return give_compaction(argument);
	default:
		errno = ENOTTY;
		return -1;
	}
}
