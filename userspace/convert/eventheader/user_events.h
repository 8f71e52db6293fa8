/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tracepoints of programs in a running kernel: user_events, as the kernel has them since 6.4. */
#ifndef EVENTHEADER_USER_EVENTS_H
#define EVENTHEADER_USER_EVENTS_H

#include "encode.h"

/* A record of the kernel's buffers holds no more. */
#define USER_EVENT_MAX 3840

/**
 * struct user_events - the tracepoints of an encoder, registered
 * @fd: of user_events_data; closing it takes the tracepoints back
 * @enabled: the kernel sets bit 0 while somebody records
 * @index: what a write begins with
 * @reason: why something failed: a sentence without full stop
 */
struct user_events {
	int fd;
	u32 enabled[EVENT_POINTS];
	u32 index[EVENT_POINTS];
	char reason[256];
};

/**
 * user_events_open() - register all tracepoints
 * @events: out; it may not move until user_events_close()
 * @encoder: whose
 *
 * Return: 0 or, with a reason, a negative errno.
 */
int user_events_open(struct user_events *events, const struct encoder *encoder);
void user_events_close(struct user_events *events);

/* Does somebody record this tracepoint? */
static inline bool user_events_enabled(const struct user_events *events, unsigned int point)
{
	return *(const volatile u32 *)&events->enabled[point] & 1;
}

/* Write an event.  Return: 0 or a negative errno; EBADF: nobody records it any more. */
int user_events_write(const struct user_events *events, unsigned int point, const void *event, size_t size);

#endif
