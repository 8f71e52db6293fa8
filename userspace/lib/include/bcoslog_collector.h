/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libbcoslog: collectors.  The log as messages of 32-bit words, one after the
 * other; bcos_message.h lists them.
 *
 *	struct bcoslog_collector *collector;
 *	__u32 id, dropped, words[3], size;
 *
 *	if (bcoslog_collector_register(&collector, BCOS_DEVICE_PATH, 0, &error))
 *		errx(2, "%s", error.text);
 *	bcoslog_collector_set_mask(collector, 1u << (BCOS_MESSAGE_SWITCH - 1));
 *	for (;;) {
 *		size = 3;
 *		if (bcoslog_collector_get_wait(collector, &id, &dropped, words, &size) <= 0)
 *			break;
 *		use(id, words, size);
 *	}
 *	bcoslog_collector_free(collector);
 *
 * A collector consumes nothing that others would miss, and begins with the
 * oldest entry.  Which classes the log records is another matter: messages 3
 * need "idle", 4 "state", 5 "api" (bcoslog_mask()).
 */
#ifndef BCOSLOG_COLLECTOR_H
#define BCOSLOG_COLLECTOR_H

#include "bcos_message.h"
#include "bcoslog.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct bcoslog_collector;

/**
 * bcoslog_collector_register() - collect messages
 * @collector: out
 * @path: device, file, or "-" for standard input
 * @flags: BCOSLOG_FOLLOW of a file: the waiting functions wait for more; a device is always followed
 * @error: out: why it failed
 *
 * Of a device, what the calling process does itself (switches, states, kernel calls) is not shown to it, so that
 * collecting does not feed itself.  The log keeps it.  (In a PID namespace of its own a process does not know which
 * it is in the log, and is shown.)
 *
 * Return: 0 or a negative errno, and then @collector is NULL.
 */
int bcoslog_collector_register(struct bcoslog_collector **collector, const char *path, unsigned int flags,
			       struct bcoslog_error *error);

/* The same of a log that is open, stays the caller's, and is read by nobody else.  Return: NULL if there is no memory. */
struct bcoslog_collector *bcoslog_collector_of(struct bcoslog *log);

/* NULL is ignored. */
void bcoslog_collector_free(struct bcoslog_collector *collector);

/* The log under it: for bcoslog_error(), bcoslog_interrupt(), bcoslog_fd(). */
struct bcoslog *bcoslog_collector_log(struct bcoslog_collector *collector);

/* Event mask, and task monitor mask (BCOS_MONITOR_*): 0 at first, and then there are no messages. */
void bcoslog_collector_set_mask(struct bcoslog_collector *collector, __u32 mask);
__u32 bcoslog_collector_get_mask(const struct bcoslog_collector *collector);
void bcoslog_collector_set_monitor_mask(struct bcoslog_collector *collector, __u32 mask);
__u32 bcoslog_collector_get_monitor_mask(const struct bcoslog_collector *collector);

/* Where messages have times, @timer makes them of ns since boot.  NULL: their lower 32 bits. */
void bcoslog_collector_set_timer(struct bcoslog_collector *collector, __u32 (*timer)(void *context, __u64 time),
				 void *context);

/**
 * bcoslog_collector_get() - the next message, without waiting
 * @collector: the collector
 * @id: out: its ID
 * @dropped: out: entries that the log lost, or this collector missed, since the last message
 * @words: out
 * @size: in: words that there is room for; out: words of the message, also with -EMSGSIZE
 *
 * @id, @dropped and @words are written only on success.
 *
 * Return: words of the message, at least 1; 0: there is none now; -EMSGSIZE: no room, the message stays; another
 * negative errno, explained by bcoslog_error().
 */
int bcoslog_collector_get(struct bcoslog_collector *collector, __u32 *id, __u32 *dropped, __u32 *words, __u32 *size);

/* The same; if there is none it waits for one.  Return: also 0: there will be none; -EINTR: bcoslog_interrupt(). */
int bcoslog_collector_get_wait(struct bcoslog_collector *collector, __u32 *id, __u32 *dropped, __u32 *words,
			       __u32 *size);

/* The same, for @milliseconds at most; 0: in vain. */
int bcoslog_collector_get_wait_timeout(struct bcoslog_collector *collector, __u32 *id, __u32 *dropped, __u32 *words,
				       __u32 *size, int milliseconds);

/**
 * bcoslog_put() - put a message of the calling program into the log
 * @log: opened with BCOSLOG_CONTROL, which takes the right to read, too
 * @id: its ID, BCOS_MESSAGE_CUSTOM (7) to 0x3FFFFFFF
 * @words: what it says
 * @count: words, 1 to 113
 *
 * Return: 0; -EINVAL, -EMSGSIZE; as bcoslog_emit().
 */
int bcoslog_put(struct bcoslog *log, __u32 id, const __u32 *words, size_t count);

/* The same with one word, the time, which collectors see by their own clock. */
int bcoslog_put_timed(struct bcoslog *log, __u32 id);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
