/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Collectors of libbcoslog: they read a log as a sequence of messages, each of
 * which consists of 32-bit words.  bcos_message.h lists the messages.
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
 * A collector begins with the oldest entry, and takes nothing away from other
 * readers.  It gives only messages about classes that the log records:
 * message 3 requires the class "idle", message 4 the class
 * "state", and message 5 the class "api".
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
 * bcoslog_collector_register() - open a log and collect its messages
 * @collector: receives the collector; NULL after a failure
 * @path: a device, a file, a recorded directory, or "-" for standard input
 * @flags: BCOSLOG_FOLLOW lets the waiting functions wait for more at the end of a file or a recording; a device is
 *   always followed
 * @error: receives the reason of a failure
 *
 * A collector of the device leaves out the switches, states and kernel calls of the calling process, because each
 * message that the process collects would otherwise cause the next message.  The log contains these events
 * nevertheless.  A process in a PID namespace other than the initial one does not know its ID in the log, so the
 * collector leaves out nothing then.
 *
 * Return: 0 or a negative errno.
 */
int bcoslog_collector_register(struct bcoslog_collector **collector, const char *path, unsigned int flags,
			       struct bcoslog_error *error);

/**
 * bcoslog_collector_of() - collect the messages of an open log
 * @log: the log, which nobody else may read; the caller closes it after bcoslog_collector_free()
 *
 * Return: the collector; NULL if there is no memory.
 */
struct bcoslog_collector *bcoslog_collector_of(struct bcoslog *log);

/* Free a collector, and close its log if bcoslog_collector_register() has opened it.  NULL is ignored. */
void bcoslog_collector_free(struct bcoslog_collector *collector);

/* Return: the log of a collector, for bcoslog_error(), bcoslog_interrupt() and bcoslog_fd(). */
struct bcoslog *bcoslog_collector_log(struct bcoslog_collector *collector);

/*
 * Choose the messages by the event mask and the task monitor mask (BCOS_MONITOR_*).  Both are 0 at first, and then the
 * collector gives no messages.
 */
void bcoslog_collector_set_mask(struct bcoslog_collector *collector, __u32 mask);
__u32 bcoslog_collector_get_mask(const struct bcoslog_collector *collector);
void bcoslog_collector_set_monitor_mask(struct bcoslog_collector *collector, __u32 mask);
__u32 bcoslog_collector_get_monitor_mask(const struct bcoslog_collector *collector);

/*
 * Let @timer convert ns since boot to the times in messages.  Without this call, or if @timer is NULL, the times are
 * the lower 32 bits of ns since boot.
 */
void bcoslog_collector_set_timer(struct bcoslog_collector *collector, __u32 (*timer)(void *context, __u64 time),
				 void *context);

/**
 * bcoslog_collector_get() - read the next message without waiting
 * @collector: the collector
 * @id: receives the ID of the message
 * @dropped: receives the number of entries that the log lost, or that were overwritten unread, since the last message
 * @words: receives the words of the message
 * @size: the number of words that @words has room for; receives the number of words of the message, also with
 *	-EMSGSIZE
 *
 * The function writes to @id, @dropped and @words only if it succeeds.
 *
 * Return: the number of words of the message, at least 1; 0 if there is no message now; -EMSGSIZE if @words is too
 * small, and then the next call gives the same message; another negative errno, which bcoslog_error() explains.
 */
int bcoslog_collector_get(struct bcoslog_collector *collector, __u32 *id, __u32 *dropped, __u32 *words, __u32 *size);

/*
 * As bcoslog_collector_get(), but wait if there is no message.  Context: sleeps.  Return: also 0 if no more messages
 * will come, and -EINTR after bcoslog_interrupt().
 */
int bcoslog_collector_get_wait(struct bcoslog_collector *collector, __u32 *id, __u32 *dropped, __u32 *words,
			       __u32 *size);

/* As bcoslog_collector_get_wait(), but wait for at most @milliseconds.  Return: also 0 if the time is over. */
int bcoslog_collector_get_wait_timeout(struct bcoslog_collector *collector, __u32 *id, __u32 *dropped, __u32 *words,
				       __u32 *size, int milliseconds);

/**
 * bcoslog_put() - write a message of the calling program into the log
 * @log: the log, opened with BCOSLOG_CONTROL, which requires the right to read the device
 * @id: ID of the message, BCOS_MESSAGE_CUSTOM (7) to 0x3FFFFFFF
 * @words: the words of the message
 * @count: number of words, 1 to 113
 *
 * Return: 0; -EINVAL for @id; -EMSGSIZE for @count; otherwise as bcoslog_emit().
 */
int bcoslog_put(struct bcoslog *log, __u32 id, const __u32 *words, size_t count);

/*
 * Write a message of one word, the present time, which each collector converts by its own timer.
 * Return: as bcoslog_put().
 */
int bcoslog_put_timed(struct bcoslog *log, __u32 id);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
