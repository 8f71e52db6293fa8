// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* States losses where they happened: how many records, of which class, why, and until when. */
#include "core/format/phrase.h"
#include "core/write/event.h"
#include "core/write/group.h"
#include "rules.h"

static int append_time(char *text, int at, int size, const char *word, u64 time)
{
	return at + host_format(text + at, (size_t)(size - at), ", %s %llu.%09llu s", word,
				(unsigned long long)(time / 1000000000u),
				(unsigned long long)(time % 1000000000u));
}

static void write_loss(struct bcos_log *log, u32 cpu, u64 first, u64 last, const char *text,
		       int length)
{
	bcos_log_at(log, first, log->precision);
	if (!bcos_cpu_up(log, cpu))
		return;
	bcos_log_event(log, BCOS_GENERIC_CPU, cpu, log->time,
		       bcos_reach(log->time, bcos_latest(last, log->precision)), BCOS_EVENT_LOSS,
		       BCOS_SEVERITY_ERROR, text, (size_t)length);
	log->interesting = true;
	bcos_log_settle(log);
}

static void write_refused(struct bcos_log *log, u32 cpu, const struct bcos_loss *loss, u64 count,
			  const char *what)
{
	char text[120];
	int at;

	if (!count)
		return;
	at = host_format(text, sizeof(text), "lost");
	at = bcos_phrase_lost(text, at, sizeof(text), count, what);
	at = append_time(text, at, sizeof(text), "until", loss->last);
	write_loss(log, cpu, loss->first, loss->last, text, at);
}

void bcos_log_lost(struct bcos_log *log, u32 cpu, const struct bcos_loss *loss)
{
	static const char *const what[BCOS_LOSS_CLASSES] = {
		[BCOS_LOSS_LIFE] = "births and deaths",
		[BCOS_LOSS_ASSIGN] = "assignments",
		[BCOS_LOSS_IRQ] = "interrupts",
		[BCOS_LOSS_USER] = "user events",
		[BCOS_LOSS_IO] = "transfers",
		[BCOS_LOSS_API] = "kernel calls",
		[BCOS_LOSS_IDLE] = "idle states",
		[BCOS_LOSS_STATE] = "task states",
		[BCOS_LOSS_DEVICE] = "devices coming or going",
		[BCOS_LOSS_EXEC] = "executed programs",
	};
	/* The buffer has room for all classes with the longest numbers. */
	char text[BCOS_LOSS_CLASSES * 42 + 60];
	u64 staging = 0;
	int at, class;

	bcos_log_begin_if_due(log, loss->first);
	for (class = 0; class < BCOS_LOSS_CLASSES; class++)
		staging += loss->count[class];
	log->stats.lost[BCOS_LOST_STAGING] += staging;
	log->stats.lost[BCOS_LOST_NESTED] += loss->nested;
	log->stats.lost[BCOS_LOST_NMI] += loss->nmi;
	if (loss->count[BCOS_LOSS_LIFE] || loss->count[BCOS_LOSS_DEVICE])
		log->needs_walk = true;
	if (cpu < log->model.cpu_limit)
		log->model.cpus[cpu].idle_since = 0;
	if (staging) {
		at = host_format(text, sizeof(text), "lost");
		for (class = 0; class < BCOS_LOSS_CLASSES; class++)
			at = bcos_phrase_lost(text, at, sizeof(text), loss->count[class],
					      what[class]);
		at += host_format(text + at, sizeof(text) - (size_t)at, ": staging full");
		at = append_time(text, at, sizeof(text), "until", loss->last);
		write_loss(log, cpu, loss->first, loss->last, text, at);
	}
	write_refused(log, cpu, loss, loss->nested, "events: inside the recording of another");
	write_refused(log, cpu, loss, loss->nmi, "events: asked for in a non-maskable interrupt");
}

/*
 * Writes a loss at the log's time. Its source is the lowest online CPU. Returns false if no CPU is
 * online.
 */
static bool write_now(struct bcos_log *log, const char *text, int length)
{
	u32 cpu = bcos_log_spokesman(log);

	if (cpu == log->model.cpu_limit)
		return false;
	bcos_log_event(log, BCOS_GENERIC_CPU, cpu, log->time, log->precision, BCOS_EVENT_LOSS,
		       BCOS_SEVERITY_ERROR, text, (size_t)length);
	return true;
}

/*
 * States a count of losses and since when, unless the count is 0. Clears the count when it is
 * stated.
 */
static void write_since(struct bcos_log *log, u64 *count, u64 since, const char *what)
{
	char text[120];
	int at;

	if (!*count)
		return;
	at = host_format(text, sizeof(text), "lost");
	at = bcos_phrase_lost(text, at, sizeof(text), *count, what);
	at = append_time(text, at, sizeof(text), "since", since);
	if (write_now(log, text, at))
		*count = 0;
}

/* Anybody may create interfaces without limit, so these losses are stated at most once a second. */
static void write_beyond(struct bcos_log *log, u64 horizon)
{
	char text[200];
	int at;

	if ((!log->beyond.interfaces && !log->beyond.packets) ||
	    (log->beyond.stated && horizon - log->beyond.stated < 1000000000u))
		return;
	at = host_format(text, sizeof(text), "lost");
	at = bcos_phrase_lost(text, at, sizeof(text), log->beyond.interfaces, "network interfaces");
	at = bcos_phrase_lost(text, at, sizeof(text), log->beyond.packets, "packets");
	at += host_format(text + at, sizeof(text) - (size_t)at,
			  ": of other network namespaces, of which %u interfaces are recorded",
			  log->elsewhere_limit);
	at = append_time(text, at, sizeof(text), "since", log->beyond.since);
	if (!write_now(log, text, at))
		return;
	log->beyond.interfaces = 0;
	log->beyond.packets = 0;
	log->beyond.stated = horizon;
}

void bcos_log_write_dropped(struct bcos_log *log, u64 horizon)
{
	write_since(log, &log->starved, log->starved_since,
		    "births, devices or senders of signals: no memory");
	write_since(log, &log->strays, log->strays_since, "records: about what has no name here");
	write_beyond(log, horizon);
}
