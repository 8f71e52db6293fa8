// SPDX-License-Identifier: GPL-2.0-only
/* Lets other kernel modules collect messages: see bcos_evlog_module.h. */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/jiffies.h>
#include <linux/sched.h>

#include "capture/task.h"
#include "core/format/translator.h"
#include "device/read.h"
#include "memory.h"
#include "bcos_evlog_module.h"

/**
 * struct bcos_evlog_collector - a reader that gets messages
 * @reader: place of the collector in the log, and a buffer of entries
 * @translator: converts entries to messages
 * @at: next entry in the buffer of @reader
 * @end: end of the entries in that buffer
 */
struct bcos_evlog_collector {
	struct bcos_reader reader;
	struct bcos_translator translator;
	const void *at, *end;
};

struct bcos_evlog_collector *bcos_evlog_register_as_collector(void)
{
	struct bcos_evlog_collector *collector = bcos_memory_alloc(sizeof(*collector));

	if (!collector)
		return ERR_PTR(-ENOMEM);
	bcos_translator_init(&collector->translator, bcos_task_actor(current));
	collector->reader.waiter.reads = true;
	bcos_reader_begin(&collector->reader);
	return collector;
}
EXPORT_SYMBOL_GPL(bcos_evlog_register_as_collector);

void bcos_evlog_unregister_collector(struct bcos_evlog_collector *collector)
{
	bcos_reader_end(&collector->reader);
	bcos_memory_free(collector, sizeof(*collector));
}
EXPORT_SYMBOL_GPL(bcos_evlog_unregister_collector);

void bcos_evlog_collector_set_mask(struct bcos_evlog_collector *collector, u32 mask)
{
	collector->translator.mask = mask;
}
EXPORT_SYMBOL_GPL(bcos_evlog_collector_set_mask);

u32 bcos_evlog_collector_get_mask(const struct bcos_evlog_collector *collector)
{
	return collector->translator.mask;
}
EXPORT_SYMBOL_GPL(bcos_evlog_collector_get_mask);

void bcos_evlog_collector_set_monitor_mask(struct bcos_evlog_collector *collector, u32 mask)
{
	collector->translator.monitor = mask;
}
EXPORT_SYMBOL_GPL(bcos_evlog_collector_set_monitor_mask);

u32 bcos_evlog_collector_get_monitor_mask(const struct bcos_evlog_collector *collector)
{
	return collector->translator.monitor;
}
EXPORT_SYMBOL_GPL(bcos_evlog_collector_get_monitor_mask);

void bcos_evlog_collector_set_timer(struct bcos_evlog_collector *collector,
				    u32 (*timer)(void *context, u64 time), void *context)
{
	collector->translator.timer = timer;
	collector->translator.context = context;
}
EXPORT_SYMBOL_GPL(bcos_evlog_collector_set_timer);

/* Reads the next entries of the log. Returns the bytes read, 0 at the end, or an error. */
static long bcos_collector_fill(struct bcos_evlog_collector *collector)
{
	struct bcos_reader *reader = &collector->reader;
	struct bcos_cursor next;
	long bytes;

	if (mutex_lock_interruptible(&reader->lock))
		return -EINTR;
	bytes = bcos_reader_fill(reader, BCOS_READER_BUFFER, &next);
	if (bytes > 0)
		bcos_reader_advance(reader, &next);
	else if (!bytes)
		WRITE_ONCE(reader->waiter.caught_up, true);
	mutex_unlock(&reader->lock);
	if (bytes > 0) {
		collector->at = reader->buffer;
		collector->end = collector->at + bytes;
	}
	return bytes;
}

/* Looks for a message in the entries that are merged. Returns as bcos_evlog_get() does. */
static int bcos_collector_look(struct bcos_evlog_collector *collector, u32 *id, u32 *dropped,
			       u32 *words, u32 *size)
{
	const struct bcos_entry *entry;
	long filled;
	int result;

	for (;;) {
		result = bcos_translator_get(&collector->translator, id, dropped, words, size);
		if (result)
			return result;
		if (collector->at == collector->end) {
			filled = bcos_collector_fill(collector);
			if (filled <= 0)
				return filled;
			cond_resched();
		}
		entry = collector->at;
		collector->at += entry->size;
		bcos_translator_put(&collector->translator, entry);
	}
}

/*
 * Gets the next message, and waits for at most @timeout jiffies. Some entries wake no reader, so
 * this looks again every second.
 */
static int bcos_collector_get(struct bcos_evlog_collector *collector, u32 *id, u32 *dropped,
			      u32 *words, u32 *size, unsigned long timeout)
{
	unsigned long until = jiffies + timeout, now;
	bool flushed = false;
	int result, found;

	WRITE_ONCE(collector->reader.waiter.user, bcos_task_actor(current));
	for (;;) {
		found = bcos_collector_look(collector, id, dropped, words, size);
		if (found)
			return found;
		result = bcos_reader_await(&collector->reader, min_t(unsigned long, timeout, HZ),
					   &flushed);
		if (result && result != -EAGAIN)
			return -EINTR;
		/* The last merge may have brought entries that wake no reader. */
		if (!timeout)
			return bcos_collector_look(collector, id, dropped, words, size);
		if (timeout == MAX_SCHEDULE_TIMEOUT)
			continue;
		/*
		 * At the end of the timeout, merge once more before the last look, so that
		 * everything that happened in time is found.
		 */
		now = jiffies;
		timeout = time_before(now, until) ? until - now : 0;
		flushed = flushed && timeout;
	}
}

int bcos_evlog_get(struct bcos_evlog_collector *collector, u32 *id, u32 *dropped, u32 *words,
		   u32 *size)
{
	return bcos_collector_get(collector, id, dropped, words, size, 0);
}
EXPORT_SYMBOL_GPL(bcos_evlog_get);

int bcos_evlog_get_wait(struct bcos_evlog_collector *collector, u32 *id, u32 *dropped, u32 *words,
			u32 *size)
{
	return bcos_collector_get(collector, id, dropped, words, size, MAX_SCHEDULE_TIMEOUT);
}
EXPORT_SYMBOL_GPL(bcos_evlog_get_wait);

int bcos_evlog_get_wait_timeout(struct bcos_evlog_collector *collector, u32 *id, u32 *dropped,
				u32 *words, u32 *size, unsigned int milliseconds)
{
	return bcos_collector_get(collector, id, dropped, words, size,
				  msecs_to_jiffies(milliseconds));
}
EXPORT_SYMBOL_GPL(bcos_evlog_get_wait_timeout);
