/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lines of the kernel's log, out of /dev/kmsg. */
#ifndef BCOSLOG_KERNEL_LOG_H
#define BCOSLOG_KERNEL_LOG_H

#include "core/raw.h"

/**
 * struct kernel_log - who is told
 * @put: takes a record; its units are set
 * @context: for it
 * @fd: or -1
 * @since: when it was read last, ns since boot
 * @next: number of the message that comes next, 0: not known
 */
struct kernel_log {
	void (*put)(void *context, const struct bcos_unit *record, u32 units);
	void *context;
	int fd;
	u64 since;
	u64 next;
};

/* From here on.  Return: false, with fd -1, if it may not be read. */
bool kernel_log_open(struct kernel_log *log);
void kernel_log_close(struct kernel_log *log);

/* What was printed since the last time: each at some time since then, which is all that is known of it. */
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
