// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Uses user_events_data to register tracepoints and to write events. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "write.h"

#define TRACEFS		"/sys/kernel/tracing"
#define OLD_TRACEFS	"/sys/kernel/debug/tracing"

/* This structure is in linux/user_events.h, which older headers lack. */
struct registration {
	u32 size;
	u8 enable_bit;
	u8 enable_size;
	u16 flags;
	u64 enable_address;
	u64 name_and_fields;
	u32 write_index;
} __attribute__((packed));

#define REGISTER _IOWR('*', 0, struct registration *)

static int refused_write(struct user_events *events, int error)
{
	if (error == EACCES || error == EPERM)
		snprintf(events->reason, sizeof(events->reason),
			 "only root may register tracepoints of programs (" TRACEFS
			 "/user_events_data): run it as root");
	else if (access(TRACEFS "/events", F_OK) && access(OLD_TRACEFS "/events", F_OK))
		snprintf(events->reason, sizeof(events->reason),
			 "the kernel's tracepoints cannot be reached: mount -t tracefs tracefs " TRACEFS);
	else
		snprintf(
			events->reason, sizeof(events->reason),
			"this kernel has no tracepoints of programs: it was built without CONFIG_USER_EVENTS, which it needs "
			"from 6.4 on");
	return -error;
}

static int register_point(struct user_events *events, const struct event_point *point, unsigned int i)
{
	char name[128];
	struct registration registration = {
		.size = sizeof(registration),
		.enable_size = sizeof(events->enabled[i]),
		.enable_address = (u64)(uintptr_t)&events->enabled[i],
		.name_and_fields = (u64)(uintptr_t)name,
	};
	int error;

	snprintf(name, sizeof(name), "%s " EVENTHEADER_REGISTER, point->name);
	if (!ioctl(events->fd, REGISTER, &registration)) {
		events->index[i] = registration.write_index;
		return 0;
	}
	error = errno;
	snprintf(events->reason, sizeof(events->reason), "the kernel refuses the tracepoint %s: %s", point->name,
		 error == EADDRINUSE ? "another program has registered it with other fields" : strerror(error));
	return -error;
}

int user_events_open(struct user_events *events, const struct encoder *encoder)
{
	unsigned int i;
	int r;

	memset(events, 0, sizeof(*events));
	events->fd = open(TRACEFS "/user_events_data", O_RDWR | O_CLOEXEC);
	if (events->fd < 0 && errno == ENOENT)
		events->fd = open(OLD_TRACEFS "/user_events_data", O_RDWR | O_CLOEXEC);
	if (events->fd < 0)
		return refused_write(events, errno);
	for (i = 0; i < encoder->points_count; i++) {
		r = register_point(events, &encoder->points[i], i);
		if (r) {
			user_events_close(events);
			return r;
		}
	}
	return 0;
}

void user_events_close(struct user_events *events)
{
	if (events->fd >= 0)
		close(events->fd);
	events->fd = -1;
}

int user_events_write(const struct user_events *events, unsigned int point, const void *event, size_t size)
{
	u32 index = events->index[point];
	const struct iovec parts[] = {
		{ .iov_base = &index, .iov_len = sizeof(index) },
		{ .iov_base = (void *)event, .iov_len = size },
	};

	return writev(events->fd, parts, 2) < 0 ? -errno : 0;
}
