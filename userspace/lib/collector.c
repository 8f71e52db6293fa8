// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Collectors: see bcoslog_collector.h. */
#include <stdlib.h>
#include <unistd.h>

#include "bcoslog_collector.h"
#include "core/format/translator.h"
#include "core/format/message.h"
#include "host/linux.h"
#include "reader/handle_host.h"

struct bcoslog_collector {
	struct bcoslog *log;
	bool owned;
	struct bcos_translator translator;
	__u32 (*timer)(void *context, __u64 time);
	void *context;
};

/*
 * The log contains PIDs of the initial PID namespace.
 * Return: the ID of this process in the log; BCOS_TRANSLATOR_NOBODY if this process is in another namespace.
 */
static u32 own_id(void)
{
	if (!process_space_is_initial())
		return BCOS_TRANSLATOR_NOBODY;
	return (u32)getpid();
}

struct bcoslog_collector *bcoslog_collector_of(struct bcoslog *log)
{
	struct bcoslog_collector *collector = calloc(1, sizeof(*collector));

	if (!collector)
		return NULL;
	collector->log = log;
	bcos_translator_init(&collector->translator, handle_is_live(log) ? own_id() : BCOS_TRANSLATOR_NOBODY);
	return collector;
}

int bcoslog_collector_register(struct bcoslog_collector **collector, const char *path, unsigned int flags,
			       struct bcoslog_error *error)
{
	struct bcoslog *log;
	int r;

	*collector = NULL;
	r = bcoslog_open(&log, path, flags, error);
	if (r)
		return r;
	/* The device is always followed. The caller decides it for a file or a recording. */
	if (bcoslog_kind(log) == BCOSLOG_DEVICE) {
		log->flags |= BCOSLOG_FOLLOW;
		log->limit = ~0ull;
	}
	*collector = bcoslog_collector_of(log);
	if (!*collector) {
		bcoslog_close(log);
		return error_set(error, ENOMEM, "there is no memory for a collector");
	}
	(*collector)->owned = true;
	return 0;
}

void bcoslog_collector_free(struct bcoslog_collector *collector)
{
	if (!collector)
		return;
	if (collector->owned)
		bcoslog_close(collector->log);
	free(collector);
}

struct bcoslog *bcoslog_collector_log(struct bcoslog_collector *collector)
{
	return collector->log;
}

void bcoslog_collector_set_mask(struct bcoslog_collector *collector, __u32 mask)
{
	collector->translator.mask = mask;
}

__u32 bcoslog_collector_get_mask(const struct bcoslog_collector *collector)
{
	return collector->translator.mask;
}

void bcoslog_collector_set_monitor_mask(struct bcoslog_collector *collector, __u32 mask)
{
	collector->translator.monitor = mask;
}

__u32 bcoslog_collector_get_monitor_mask(const struct bcoslog_collector *collector)
{
	return collector->translator.monitor;
}

/* On some architectures u64 and __u64 are different types, so the translator cannot call the caller's timer itself. */
static u32 call_timer(void *context, u64 time)
{
	struct bcoslog_collector *collector = context;

	return collector->timer(collector->context, time);
}

void bcoslog_collector_set_timer(struct bcoslog_collector *collector, __u32 (*timer)(void *context, __u64 time),
				 void *context)
{
	collector->timer = timer;
	collector->context = context;
	collector->translator.timer = timer ? call_timer : NULL;
	collector->translator.context = collector;
}

/*
 * A busy device always has more entries. So a call ends when it finds no message among the entries up to the time at
 * which it began; later entries are for the next call.
 */
int bcoslog_collector_get(struct bcoslog_collector *collector, __u32 *id, __u32 *dropped, __u32 *words, __u32 *size)
{
	u64 limit = handle_is_live(collector->log) ? clock_now(CLOCK_BOOTTIME) : ~0ull;
	const struct bcos_entry *entry = NULL;
	int r;

	for (;;) {
		r = bcos_translator_get(&collector->translator, id, dropped, words, size);
		if (r)
			return r;
		if (entry && !(entry->type & BCOS_TYPE_HISTORICAL) && entry->time > limit)
			return 0;
		r = bcoslog_next(collector->log, &entry);
		if (r <= 0)
			return r;
		bcos_translator_put(&collector->translator, entry);
	}
}

/* Some entries do not end a wait, so the collector looks for new messages at least at this interval, in ms. */
#define LOOK_AGAIN 1000

int bcoslog_collector_get_wait_timeout(struct bcoslog_collector *collector, __u32 *id, __u32 *dropped, __u32 *words,
				       __u32 *size, int milliseconds)
{
	u64 until = clock_now(CLOCK_MONOTONIC) + (u64)(milliseconds < 0 ? 0 : milliseconds) * 1000000u, now;
	int r, left;
	bool over;

	for (;;) {
		now = clock_now(CLOCK_MONOTONIC);
		over = milliseconds >= 0 && now >= until;
		r = bcoslog_collector_get(collector, id, dropped, words, size);
		if (r || over)
			return r;
		left = milliseconds < 0 || until - now > LOOK_AGAIN * 1000000ull ? LOOK_AGAIN :
		       (int)((until - now + 999999) / 1000000);
		r = bcoslog_wait(collector->log, left);
		if (r <= 0 && r != -ETIMEDOUT)
			return r;
	}
}

int bcoslog_collector_get_wait(struct bcoslog_collector *collector, __u32 *id, __u32 *dropped, __u32 *words,
			       __u32 *size)
{
	return bcoslog_collector_get_wait_timeout(collector, id, dropped, words, size, -1);
}

/* ---- writing messages -------------------------------------------------------------- */

static int put_message(struct bcoslog *log, __u32 id, const char *text)
{
	if (id < BCOS_MESSAGE_ID_MIN || id > BCOS_MESSAGE_ID_MAX)
		return error_set(&log->error, EINVAL, "a message has an ID from %u to 0x%x, not 0x%x",
				 BCOS_MESSAGE_ID_MIN, BCOS_MESSAGE_ID_MAX, id);
	return bcoslog_emit(log, BCOS_GENERIC_PROCESS, 0, BCOS_EVENT_MESSAGE | id, BCOS_SEVERITY_INFO, text);
}

int bcoslog_put(struct bcoslog *log, __u32 id, const __u32 *words, size_t count)
{
	char text[BCOS_MESSAGE_TEXT(BCOS_MESSAGE_WORDS_MAX) + 1];

	if (!count)
		return error_set(&log->error, EINVAL, "a message has at least one word");
	if (count > BCOS_MESSAGE_WORDS_MAX)
		return error_set(&log->error, EMSGSIZE, "a message has at most %u words, not %zu",
				 BCOS_MESSAGE_WORDS_MAX, count);
	text[bcos_message_format(text, words, count)] = 0;
	return put_message(log, id, text);
}

int bcoslog_put_timed(struct bcoslog *log, __u32 id)
{
	return put_message(log, id, BCOS_MESSAGE_TIMED);
}
