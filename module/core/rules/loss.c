// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* States losses where they happened: how many records, of which class, why, and until when. */
#include "core/format/loss_text.h"
#include "core/write/event.h"
#include "core/write/group.h"
#include "rules.h"

/*
 * Writes a loss of a CPU. @text has @size bytes, of which @at are the counts and the reason. The
 * entry cannot be older than the log, so the text has the times.
 */
static void write_loss(struct bcos_log *log, u32 cpu, u64 first, u64 last, char *text, int at,
		       int size)
{
	int length;

	bcos_log_at(log, first, log->precision);
	if (!bcos_cpu_up(log, cpu))
		return;
	length = bcos_loss_text_end(text, at, size, NULL, log->time, first, last);
	bcos_log_event(log, BCOS_GENERIC_CPU, cpu, log->time,
		       bcos_reach(log->time, bcos_latest(last, log->precision)), BCOS_EVENT_LOSS,
		       BCOS_SEVERITY_ERROR, text, (size_t)length);
	log->interesting = true;
	bcos_log_settle(log);
}

static void write_refused(struct bcos_log *log, u32 cpu, const struct bcos_loss *loss, u64 count,
			  const char *what)
{
	char text[80 + BCOS_LOSS_TEXT_END];

	if (!count)
		return;
	write_loss(log, cpu, loss->first, loss->last, text,
		   bcos_loss_text_count(text, 0, sizeof(text), count, what), sizeof(text));
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
		[BCOS_LOSS_REQUEST] = "requests of disks",
	};
	/* The buffer has room for all classes with the longest numbers. */
	char text[BCOS_LOSS_CLASSES * 42 + 20 + BCOS_LOSS_TEXT_END];
	u64 staging = 0;
	int at, class;

	bcos_log_begin_if_due(log, loss->first);
	bcos_wakings_look(log, loss->first);
	for (class = 0; class < BCOS_LOSS_CLASSES; class++)
		staging += loss->count[class];
	log->stats.lost[BCOS_LOST_STAGING] += staging;
	log->stats.lost[BCOS_LOST_NESTED] += loss->nested;
	log->stats.lost[BCOS_LOST_NMI] += loss->nmi;
	if (loss->count[BCOS_LOSS_LIFE] || loss->count[BCOS_LOSS_DEVICE])
		log->needs_walk = true;
	if (loss->count[BCOS_LOSS_LIFE] || loss->nested)
		bcos_who_forgets(log, loss->last);
	if (cpu < log->model.cpu_limit)
		log->model.cpus[cpu].idle_since = 0;
	if (loss->count[BCOS_LOSS_STATE] || loss->nested)
		bcos_wakings_doubt(log, loss->last);
	if (loss->count[BCOS_LOSS_REQUEST] || loss->nested)
		bcos_requests_doubt(log, loss->last);
	if (staging) {
		for (at = 0, class = 0; class < BCOS_LOSS_CLASSES; class++)
			at = bcos_loss_text_count(text, at, sizeof(text), loss->count[class],
						  what[class]);
		at += host_format(text + at, sizeof(text) - (size_t)at, ": staging full");
		write_loss(log, cpu, loss->first, loss->last, text, at, sizeof(text));
	}
	write_refused(log, cpu, loss, loss->nested, "events: inside the recording of another");
	write_refused(log, cpu, loss, loss->nmi, "events: asked for in a non-maskable interrupt");
}

/*
 * Writes, at the log's time, a loss that began at @since and lasts to now. Its source is the lowest
 * online CPU. The arguments are those of write_loss(). Returns false if no CPU is online.
 */
static bool write_now(struct bcos_log *log, u64 since, char *text, int at, int size)
{
	u32 cpu = bcos_log_spokesman(log);
	int length;

	if (cpu == log->model.cpu_limit)
		return false;
	length = bcos_loss_text_end(text, at, size, NULL, log->time, since, log->time);
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
	char text[80 + BCOS_LOSS_TEXT_END];

	if (!*count)
		return;
	if (write_now(log, since, text, bcos_loss_text_count(text, 0, sizeof(text), *count, what),
		      sizeof(text)))
		*count = 0;
}

/* Anybody may create interfaces without limit, so these losses are stated at most once a second. */
static void write_beyond(struct bcos_log *log, u64 horizon)
{
	char text[180 + BCOS_LOSS_TEXT_END];
	int at;

	if ((!log->beyond.interfaces && !log->beyond.packets) ||
	    (log->beyond.stated && horizon - log->beyond.stated < 1000000000u))
		return;
	at = bcos_loss_text_count(text, 0, sizeof(text), log->beyond.interfaces,
				  "network interfaces");
	at = bcos_loss_text_count(text, at, sizeof(text), log->beyond.packets, "packets");
	at += host_format(text + at, sizeof(text) - (size_t)at,
			  ": of other network namespaces, of which %u interfaces are recorded, %u of each",
			  log->elsewhere_limit, bcos_log_space_limit(log));
	if (!write_now(log, log->beyond.since, text, at, sizeof(text)))
		return;
	log->beyond.interfaces = 0;
	log->beyond.packets = 0;
	log->beyond.stated = horizon;
}

/* A loss that is not over at @horizon waits, since records that are older than its end may come. */
static void write_missed(struct bcos_log *log, u64 horizon)
{
	static const char *const what[BCOS_MISSED_KINDS] = {
		[BCOS_MISSED_MESSAGES] = "devices coming or going: the kernel dropped its messages",
		[BCOS_MISSED_INPUTS] = "input devices: no handle could be attached",
	};
	char text[80 + BCOS_LOSS_TEXT_END];
	struct bcos_missed *missed;
	u32 cpu, kind;
	int at;

	for (kind = 0; kind < BCOS_MISSED_KINDS; kind++) {
		missed = &log->missed[kind];
		cpu = bcos_log_spokesman(log);
		if (!missed->count || missed->until > horizon || cpu == log->model.cpu_limit)
			continue;
		at = bcos_loss_text_count(text, 0, sizeof(text), missed->count, what[kind]);
		write_loss(log, cpu, missed->since, missed->until, text, at, sizeof(text));
		missed->count = 0;
	}
}

void bcos_log_write_dropped(struct bcos_log *log, u64 horizon)
{
	write_missed(log, horizon);
	write_since(log, &log->starved, log->starved_since,
		    "births, devices or senders of signals: no memory");
	write_since(log, &log->strays, log->strays_since, "records: about what has no name here");
	write_beyond(log, horizon);
}
