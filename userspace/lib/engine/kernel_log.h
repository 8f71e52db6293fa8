/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lines of the kernel's log, out of /dev/kmsg. */
#ifndef BCOSLOG_KERNEL_LOG_H
#define BCOSLOG_KERNEL_LOG_H

#include "core/raw/raw.h"

/**
 * struct kernel_log - who is told
 * @put: takes a record; its units are set
 * @lost: so many lines were overwritten before they were read, at some time from @since on
 * @context: for them
 * @fd: or -1
 * @since: what it tells now is not older, ns since boot
 * @next: number of the message that comes next, 0: not known
 */
struct kernel_log {
	void (*put)(void *context, const struct bcos_unit *record, u32 units);
	void (*lost)(void *context, u64 count, const char *what, u64 since);
	void *context;
	int fd;
	u64 since;
	u64 next;
};

/* From here on.  Return: false, with fd -1, if it may not be read. */
bool kernel_log_open(struct kernel_log *log);
void kernel_log_close(struct kernel_log *log);

/*
 * What was printed since the last time, or a part of it: then the rest is read the next time.  When each was printed is
 * not known but for that.
 */
void kernel_log_read(struct kernel_log *log);

/**
 * kernel_log_parse() - a message, as /dev/kmsg has it
 * @log: the log
 * @message: any bytes
 * @length: of it
 *
 * Puts a record for each of its lines.
 */
void kernel_log_parse(struct kernel_log *log, const char *message, size_t length);

#endif
