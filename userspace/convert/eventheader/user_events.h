/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Registers tracepoints of programs in the running kernel: user_events, which Linux has from 6.4 on. */
#ifndef EVENTHEADER_USER_EVENTS_H
#define EVENTHEADER_USER_EVENTS_H

#include "encode.h"

/* The largest record that the kernel's buffers hold. */
#define USER_EVENT_MAX 3840

/**
 * struct user_events - the registered tracepoints of an encoder
 * @fd: descriptor of user_events_data; closing it removes the tracepoints
 * @enabled: for each tracepoint a word whose bit 0 the kernel sets while somebody records it
 * @index: for each tracepoint the number with which a write begins
 * @reason: the cause of a failure: a sentence without full stop
 */
struct user_events {
	int fd;
	u32 enabled[EVENT_POINTS];
	u32 index[EVENT_POINTS];
	char reason[256];
};

/**
 * user_events_open() - register all tracepoints
 * @events: out: the tracepoints; they may not move in memory until user_events_close()
 * @encoder: the encoder whose tracepoints are registered
 *
 * Return: 0 or, after setting the reason, a negative errno.
 */
int user_events_open(struct user_events *events, const struct encoder *encoder);
void user_events_close(struct user_events *events);

/* Does somebody record this tracepoint? */
static inline bool user_events_enabled(const struct user_events *events, unsigned int point)
{
	return *(const volatile u32 *)&events->enabled[point] & 1;
}

/* Writes an event.  Return: 0 or a negative errno; -EBADF: nobody records the tracepoint any more. */
int user_events_write(const struct user_events *events, unsigned int point, const void *event, size_t size);

#endif
