/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lines of the kernel log, from /dev/kmsg. */
#ifndef BCOSLOG_KERNEL_LOG_H
#define BCOSLOG_KERNEL_LOG_H

#include "core/raw/raw.h"

/**
 * struct kernel_log - a reader of the kernel log
 * @put: called with a complete record for each line
 * @lost: called with the number of messages that were overwritten at some time from @since on, before they were read
 * @context: first argument of @put and @lost
 * @fd: descriptor of /dev/kmsg, or -1
 * @since: earliest time of the unread messages, ns since boot
 * @next: number of the next message; 0 if unknown
 */
struct kernel_log {
	void (*put)(void *context, const struct bcos_unit *record, u32 units);
	void (*lost)(void *context, u64 count, const char *what, u64 since);
	void *context;
	int fd;
	u64 since;
	u64 next;
};

/* Prepare to read the messages from now on.  Return: true; false, and @log->fd is -1, if the kernel refuses that. */
bool kernel_log_open(struct kernel_log *log);

/**
 * kernel_log_go_on() - read again from a message on
 * @log: an open reader, or a closed one, which stays so
 * @next: number of the first message
 * @since: earliest time of that message, ns since boot
 */
void kernel_log_go_on(struct kernel_log *log, u64 next, u64 since);
/* Find the number of the next message, so that kernel_log_go_on() can read from there on another time. */
void kernel_log_count(struct kernel_log *log);

void kernel_log_close(struct kernel_log *log);

/*
 * Read the new messages, or a part of them; the next call reads the rest.  A record says only that its message was
 * printed since an earlier call which read all messages.
 */
void kernel_log_read(struct kernel_log *log);

/**
 * kernel_log_parse() - parse a message in the format of /dev/kmsg
 * @log: the reader
 * @message: the message, which may consist of any bytes
 * @length: length of @message in bytes
 *
 * The function creates a record for each line of the message.
 */
void kernel_log_parse(struct kernel_log *log, const char *message, size_t length);

#endif
