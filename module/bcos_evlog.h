/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bcos_evlog for other kernel modules: put messages of numbers into the log,
 * and collect them.
 *
 *	if (bcos_evlog_must_log(MY_ID))
 *		bcos_evlog_put(MY_ID, words, ARRAY_SIZE(words));
 *
 * A message has an ID, 7 to 0x3fffffff (1 to 6 are what collectors are told of
 * the log's other entries), and up to 113 words of 32 bits. In the log it is a
 * generic event of the kernel (5.3): BCOS_EVENT_MESSAGE in uapi/bcos_evlog.h.
 *
 * Bit 0 of an event mask is ID 1, bit 31 is ID 32 and all above. The log has one
 * (the parameter message_mask), and each collector has its own.
 */
#ifndef BCOS_EVLOG_H
#define BCOS_EVLOG_H

#include <linux/types.h>

#include "uapi/bcos_message.h"

/* ---- messages -------------------------------------------------------------------- */

/**
 * bcos_evlog_must_log() - is a message of this ID to be put
 * @id: its ID
 *
 * Context: any.
 * Return: true if the class "user" is on and the log's event mask has the ID.
 */
bool bcos_evlog_must_log(u32 id);

/**
 * bcos_evlog_put() - put a message into the log
 * @id: its ID
 * @words: what it says
 * @count: words, 1 to 113
 *
 * Does not look at the event mask: bcos_evlog_must_log() does. Where the class "user" is off nothing is recorded.
 * Takes no lock, allocates nothing.
 *
 * Context: any; in NMI, and what the kernel treats like one (int3, machine checks), it is refused, counted, and stated
 * in the log.
 * Return: 0; -EINVAL: no such ID, or no words; -EMSGSIZE: too many; -EPERM: in NMI; -ENOBUFS: this CPU's staging is
 * full, which the log states.
 */
int bcos_evlog_put(u32 id, const u32 *words, size_t count);

/* The same with one word, the time.  Collectors see it by their own clock. */
int bcos_evlog_put_timed(u32 id);

/* The log's event mask.  Any context. */
u32 bcos_evlog_get_mask(void);
void bcos_evlog_set_mask(u32 mask);

/* ---- collectors ------------------------------------------------------------------ */

/*
 * A collector gets the log as messages, the oldest first; uapi/bcos_message.h
 * lists them. It consumes nothing that others would miss. Its masks are 0 at first,
 * and then it is told nothing. One thread at a time uses a collector.
 */
struct bcos_evlog_collector;

/**
 * bcos_evlog_register_as_collector() - the current thread collects
 *
 * What its process does itself is not shown to it; all kernel threads are one process, the kernel.
 *
 * Context: may sleep.
 * Return: the collector, or ERR_PTR(-ENOMEM).
 */
struct bcos_evlog_collector *bcos_evlog_register_as_collector(void);
void bcos_evlog_unregister_collector(struct bcos_evlog_collector *collector);

/* Event mask, and task monitor mask (BCOS_MONITOR_*). */
void bcos_evlog_collector_set_mask(struct bcos_evlog_collector *collector, u32 mask);
u32 bcos_evlog_collector_get_mask(const struct bcos_evlog_collector *collector);
void bcos_evlog_collector_set_monitor_mask(struct bcos_evlog_collector *collector, u32 mask);
u32 bcos_evlog_collector_get_monitor_mask(const struct bcos_evlog_collector *collector);

/* Where its messages have times, @timer makes them of ns since boot.  NULL: their lower 32 bits. */
void bcos_evlog_collector_set_timer(struct bcos_evlog_collector *collector, u32 (*timer)(void *context, u64 time),
				    void *context);

/**
 * bcos_evlog_get() - the next message
 * @collector: the collector
 * @id: out: its ID
 * @dropped: out: how many entries the log lost, or this collector missed, since the last message
 * @words: out
 * @size: in: words that there is room for; out: words of the message, also with -EMSGSIZE
 *
 * @id, @dropped and @words are written only on success.
 *
 * Context: may sleep, until the log writer has merged what is there.
 * Return: words of the message, at least 1; 0: there is none; -EMSGSIZE: no room, the message stays; -ENOMEM;
 * -EINTR on a signal, or when a kernel thread is to stop (kthread_stop()).
 */
int bcos_evlog_get(struct bcos_evlog_collector *collector, u32 *id, u32 *dropped, u32 *words, u32 *size);

/* The same; if there is none it waits for one. */
int bcos_evlog_get_wait(struct bcos_evlog_collector *collector, u32 *id, u32 *dropped, u32 *words, u32 *size);

/* The same, for so long at most; 0: it was in vain. */
int bcos_evlog_get_wait_timeout(struct bcos_evlog_collector *collector, u32 *id, u32 *dropped, u32 *words, u32 *size,
				unsigned int milliseconds);

#endif
