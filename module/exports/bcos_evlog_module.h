/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface of bcos_evlog for other kernel modules: put messages of numbers into the log, and
 * collect them.
 *
 *	if (bcos_evlog_must_log(MY_ID))
 *		bcos_evlog_put(MY_ID, words, ARRAY_SIZE(words));
 *
 * A message has an ID from 7 to 0x3fffffff and up to 113 words of 32 bits. Collectors use the IDs 1
 * to 6 for the log's other entries. In the log a message is a generic event of the kernel (5.3):
 * BCOS_EVENT_MESSAGE in uapi/bcos_evlog.h.
 *
 * Bit 0 of an event mask stands for ID 1, and bit 31 for ID 32 and all above. The log has one event
 * mask (the parameter message_mask), and each collector has its own.
 */
#ifndef BCOS_EVLOG_MODULE_H
#define BCOS_EVLOG_MODULE_H

#include <linux/types.h>

#include "../uapi/bcos_message.h"

/* ---- messages -------------------------------------------------------------------- */

/**
 * bcos_evlog_must_log() - should a message with this ID be put into the log
 * @id: ID of the message
 *
 * Context: any.
 * Return: true if the class "user" is on and the log's event mask has the ID.
 */
bool bcos_evlog_must_log(u32 id);

/**
 * bcos_evlog_put() - put a message into the log
 * @id: ID of the message, 7 to 0x3fffffff
 * @words: content of the message
 * @count: number of words, 1 to 113
 *
 * The function ignores the event mask, which bcos_evlog_must_log() checks. It records nothing while
 * the class "user" is off. It takes no lock and allocates nothing.
 *
 * Context: any; in NMI, and in contexts that the kernel treats likewise (int3, machine checks), the
 *   message is refused and counted, which the log states.
 * Return: 0; -EINVAL: no such ID, or no words; -EMSGSIZE: too many words; -EPERM: in NMI; -ENOBUFS:
 *   this CPU's staging is full, or this CPU is recording another event, which the log states.
 */
int bcos_evlog_put(u32 id, const u32 *words, size_t count);

/**
 * bcos_evlog_put_timed() - put a message whose only word is the time into the log
 * @id: ID of the message, 7 to 0x3fffffff
 *
 * A collector gets the time as its timer converts it.
 *
 * Context: as for bcos_evlog_put().
 * Return: as bcos_evlog_put().
 */
int bcos_evlog_put_timed(u32 id);

/**
 * bcos_evlog_get_mask() - get the log's event mask
 *
 * Context: any.
 * Return: the mask.
 */
u32 bcos_evlog_get_mask(void);

/**
 * bcos_evlog_set_mask() - set the log's event mask
 * @mask: bit 0: ID 1, bit 31: ID 32 and all above
 *
 * Context: any.
 */
void bcos_evlog_set_mask(u32 mask);

/* ---- collectors ------------------------------------------------------------------ */

/*
 * A collector gets the log as messages, oldest first; uapi/bcos_message.h lists them. Collecting
 * takes nothing away from other readers. Both masks of a new collector are 0, so it gets no
 * messages. Only one thread at a time may use a collector.
 */
struct bcos_evlog_collector;

/**
 * bcos_evlog_register_as_collector() - make the current thread a collector
 *
 * A collector does not see what its own process does. All kernel threads are one process, the
 * kernel.
 *
 * Context: may sleep.
 * Return: the collector, or ERR_PTR(-ENOMEM).
 */
struct bcos_evlog_collector *bcos_evlog_register_as_collector(void);

/**
 * bcos_evlog_unregister_collector() - free a collector
 * @collector: the collector, which nobody uses any more
 *
 * Context: may sleep.
 */
void bcos_evlog_unregister_collector(struct bcos_evlog_collector *collector);

/*
 * These set and get the event mask and the task monitor mask (BCOS_MONITOR_*) of a collector. They
 * never sleep.
 */
void bcos_evlog_collector_set_mask(struct bcos_evlog_collector *collector, u32 mask);
u32 bcos_evlog_collector_get_mask(const struct bcos_evlog_collector *collector);
void bcos_evlog_collector_set_monitor_mask(struct bcos_evlog_collector *collector, u32 mask);
u32 bcos_evlog_collector_get_monitor_mask(const struct bcos_evlog_collector *collector);

/**
 * bcos_evlog_collector_set_timer() - set how times are converted for messages
 * @collector: the collector
 * @timer: converts ns since boot to the time in messages; NULL: messages have the low 32 bits of ns
 * @context: argument of @timer
 *
 * Context: any.
 */
void bcos_evlog_collector_set_timer(struct bcos_evlog_collector *collector,
				    u32 (*timer)(void *context, u64 time), void *context);

/**
 * bcos_evlog_get() - get the next message
 * @collector: the collector
 * @id: out: ID of the message
 * @dropped: out: number of entries that the log lost, or this collector missed, since the last
 *   message
 * @words: out
 * @size: in: room in words; out: words of the message, also with -EMSGSIZE
 *
 * @id, @dropped and @words are written only on success.
 *
 * Context: may sleep, until the log writer has merged what is staged.
 * Return: words of the message, at least 1; 0: there is no message; -EMSGSIZE: @words has too
 *   little room, and the next call gets the same message; -ENOMEM; -EINTR: a signal came, or the
 *   caller is a kernel thread that should stop (kthread_should_stop()).
 */
int bcos_evlog_get(struct bcos_evlog_collector *collector, u32 *id, u32 *dropped, u32 *words,
		   u32 *size);

/**
 * bcos_evlog_get_wait() - get the next message, and wait for one if there is none
 * @collector: the collector
 * @id: as for bcos_evlog_get()
 * @dropped: as for bcos_evlog_get()
 * @words: as for bcos_evlog_get()
 * @size: as for bcos_evlog_get()
 *
 * Context: may sleep.
 * Return: as bcos_evlog_get(), but never 0.
 */
int bcos_evlog_get_wait(struct bcos_evlog_collector *collector, u32 *id, u32 *dropped, u32 *words,
			u32 *size);

/**
 * bcos_evlog_get_wait_timeout() - get the next message, and wait a limited time if there is none
 * @collector: the collector
 * @id: as for bcos_evlog_get()
 * @dropped: as for bcos_evlog_get()
 * @words: as for bcos_evlog_get()
 * @size: as for bcos_evlog_get()
 * @milliseconds: the longest time to wait
 *
 * Context: may sleep.
 * Return: as bcos_evlog_get(); 0: no message came in time.
 */
int bcos_evlog_get_wait_timeout(struct bcos_evlog_collector *collector, u32 *id, u32 *dropped,
				u32 *words, u32 *size, unsigned int milliseconds);

#endif
