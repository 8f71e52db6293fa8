// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * journald's export format, of which systemd-journal-remote makes a journal. It has the generic events that have a
 * text. Times are in microseconds; if the log does not state the wall clock, only times since boot are written.
 *
 * journald takes no entry without a time of the wall clock, and finds none again that lacks the boot. A log states both
 * after its first group, so the events before these statements are held until then.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "entry/text.h"
#include "../convert.h"
#include "../words.h"
#include "core/format/entry.h"
#include "core/format/statement_text.h"

/* ---- events that wait in memory ----------------------------------------------------- */

/**
 * struct held - events that wait until the log has stated what every event of a journal has
 * @bytes: for each of them its size and that of its subject's name, its entry, and the name
 * @used: count of bytes
 * @room: size of @bytes
 */
struct held {
	u8 *bytes;
	size_t used, room;
};

/* A log states the wall clock after its first group. This is more than any group has events before it. */
#define HELD_MAX ((size_t)64 << 20)
/* Entries lie at multiples of this many bytes. */
#define HELD_STEP 8u
/* Zeros follow an entry in a log, and whoever reads a short one may read them. */
#define HELD_ZEROS 8u

/* The head of an event in held.bytes. */
struct held_head {
	u32 entry, name;
	bool named;
};

static size_t step_up(size_t size)
{
	return (size + HELD_STEP - 1) & ~(size_t)(HELD_STEP - 1);
}

/* Adds an event with the name of its subject, which may be NULL. Returns 0 or -ENOMEM. */
static int held_add(struct held *held, const struct bcos_entry *entry, const char *name, size_t length)
{
	struct held_head head = { entry->size, (u32)length, name };
	size_t size = step_up(sizeof(head)) + step_up(entry->size + HELD_ZEROS) + step_up(length), room;
	u8 *larger;

	if (held->used + size > held->room) {
		room = 2 * (held->used + size);
		larger = realloc(held->bytes, room);
		if (!larger)
			return -ENOMEM;
		held->bytes = larger;
		held->room = room;
	}
	memcpy(held->bytes + held->used, &head, sizeof(head));
	held->used += step_up(sizeof(head));
	memcpy(held->bytes + held->used, entry, entry->size);
	memset(held->bytes + held->used + entry->size, 0, HELD_ZEROS);
	held->used += step_up(entry->size + HELD_ZEROS);
	if (name)
		memcpy(held->bytes + held->used, name, length);
	held->used += step_up(length);
	return 0;
}

/* Returns whether so much waits that no more should. */
static bool held_is_full(const struct held *held)
{
	return held->used > HELD_MAX;
}

static void held_free(struct held *held)
{
	free(held->bytes);
	*held = (struct held){ 0 };
}

/* Passes on all events, with @name NULL if it was NULL, and forgets them. */
static void held_release(struct held *held,
		  void (*take)(void *context, const struct bcos_entry *entry, const char *name, size_t length),
		  void *context)
{
	const struct bcos_entry *entry;
	struct held_head head;
	size_t at = 0;

	while (at < held->used) {
		memcpy(&head, held->bytes + at, sizeof(head));
		at += step_up(sizeof(head));
		entry = (const struct bcos_entry *)(held->bytes + at);
		at += step_up(head.entry + HELD_ZEROS);
		take(context, entry, head.named ? (const char *)held->bytes + at : NULL, head.name);
		at += step_up(head.name);
	}
	held_free(held);
}

/* ---- events in journald's format ---------------------------------------------------- */

/* Priorities of syslog for the four ranges of severities: debug, info, error, critical. */
static const char priorities[] = { '7', '6', '3', '2' };

/* All fields of an event but the texts fit into this many bytes. */
#define HEAD_ROOM 512u

static __always_inline char *text_put(char *to, const char *text, size_t length)
{
	memcpy(to, text, length);
	return to + length;
}

#define literal_put(to, literal) text_put(to, literal, sizeof(literal) - 1)

static char *number_put(char *to, u64 number)
{
	to = decimal_put(to, number);
	*to++ = '\n';
	return to;
}

/* Puts a number with eight hexadecimal digits. */
static char *hexadecimal_put(char *to, u32 number)
{
	static const char digits[] = "0123456789ABCDEF";
	int shift;

	to = literal_put(to, "0x");
	for (shift = 28; shift >= 0; shift -= 4)
		*to++ = digits[number >> shift & 0xF];
	*to++ = '\n';
	return to;
}

/* Writes a field. The length of a value of several lines stands before it, in binary. */
static void put_field(struct outfile *file, const char *name, const char *value, size_t length)
{
	char *begin = outfile_reserve(file, HEAD_ROOM), *to = text_put(begin, name, strlen(name));
	int i;

	if (likely(!memchr(value, '\n', length))) {
		*to++ = '=';
	} else {
		*to++ = '\n';
		for (i = 0; i < 8; i++)
			*to++ = (char)((u64)length >> 8 * i);
	}
	outfile_commit(file, (size_t)(to - begin));
	outfile_bytes(file, value, length);
	outfile_bytes(file, "\n", 1);
}

/* ---- who and when ------------------------------------------------------------ */

/* A boot ID of journald has no dashes. An ID that is none of a kernel is left out. */
#define BOOT_DIGITS 32u

/**
 * struct journald - an export in progress
 * @known: the log has stated the wall clock
 * @settled: the statements of the first group are over
 * @wall: the newest reading of the wall clock
 * @boot: the field of the boot, with its end of line; empty: not stated
 * @host: the field of the host, likewise
 * @held: the events before @settled
 * @timeless: how many events were written without a time of the wall clock
 */
struct journald {
	bool known, settled;
	struct bcoslog_wall wall;
	size_t boot_length, host_length;
	char boot[64], host[128];
	struct held held;
	u64 timeless;
};

static void learn_boot(struct journald *journald, const char *id, size_t length)
{
	char digits[BOOT_DIGITS];
	size_t i, count = 0;
	int n;

	for (i = 0; i < length; i++) {
		if (id[i] == '-')
			continue;
		if (count == BOOT_DIGITS || !strchr("0123456789abcdef", id[i]))
			return;
		digits[count++] = id[i];
	}
	if (count != BOOT_DIGITS)
		return;
	n = snprintf(journald->boot, sizeof(journald->boot), "_BOOT_ID=%.*s\n", (int)count, digits);
	journald->boot_length = (size_t)n;
}

static void learn_host(struct journald *journald, const char *name, size_t length)
{
	int n;

	if (!length || length > 64 || memchr(name, '\n', length))
		return;
	n = snprintf(journald->host, sizeof(journald->host), "_HOSTNAME=%.*s\n", (int)length, name);
	journald->host_length = (size_t)n;
}

static void learn_statement(struct journald *journald, const struct bcos_entry *entry, const char *text, size_t length)
{
	u32 id = ((const struct bcos_generic *)entry)->event_id;
	const char *fact = bcos_fact_parse(id, text, &length);

	if (entry->type != BCOS_GENERIC_PROCESS || entry->source)
		return;
	if (bcoslog_wall_clock(entry, &journald->wall))
		journald->known = true;
	else if (id == BCOS_EVENT_BOOT && fact)
		learn_boot(journald, fact, length);
	else if (id == BCOS_EVENT_HOST && fact)
		learn_host(journald, fact, length);
}

/* Returns the name of the process or device that an event is about, or NULL. */
static const char *name_of_subject(const struct bcoslog_state *state, const struct bcos_entry *entry, size_t *length)
{
	const struct bcoslog_process *process =
		entry->type == BCOS_GENERIC_PROCESS ? bcoslog_process(state, entry->source) : NULL;
	const struct bcoslog_device *device =
		entry->type == BCOS_GENERIC_DEVICE ? bcoslog_device(state, entry->source) : NULL;

	*length = process ? process->name_length : device ? device->name_length : 0;
	return process ? process->name : device ? device->name : NULL;
}

/* ---- events -------------------------------------------------------------------- */

static char *subject_put(char *to, const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_GENERIC_PROCESS:
		return number_put(literal_put(to, "_PID="), entry->source);
	case BCOS_GENERIC_DEVICE:
		return hexadecimal_put(literal_put(to, "BCOS_DEVICE="), entry->source);
	case BCOS_GENERIC_CPU:
		return number_put(literal_put(to, "BCOS_CPU="), entry->source);
	default:
		return number_put(literal_put(to, "BCOS_CORE="), entry->source);
	}
}

/* Writes an event with a text. @name: the name of its subject, or NULL */
static void put_event(struct export *export, const struct bcos_entry *entry, const char *name, size_t name_length)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	struct journald *journald = export->own;
	struct outfile *file = &export->output->file;
	u8 severity = entry->size > BCOS_GENERIC_MIN ? event->severity : 0;
	struct worded worded;
	size_t length;
	const char *text = bcoslog_text(entry_in_words(&worded, entry), &length);
	char *begin = outfile_reserve(file, HEAD_ROOM), *to = begin;

	if (journald->known)
		to = number_put(literal_put(to, "__REALTIME_TIMESTAMP="),
				(u64)bcoslog_wall_time(&journald->wall, entry->time) / 1000);
	else
		journald->timeless++;
	to = number_put(literal_put(to, "__MONOTONIC_TIMESTAMP="), entry->time / 1000);
	to = text_put(to, journald->boot, journald->boot_length);
	to = text_put(to, journald->host, journald->host_length);
	to = literal_put(to, "PRIORITY=");
	*to++ = priorities[severity >> 6];
	to = number_put(literal_put(to, "\nSYSLOG_IDENTIFIER=bcos_evlog\nBCOS_SEVERITY="), severity);
	to = hexadecimal_put(literal_put(to, "BCOS_EVENT="), event->event_id);
	to = subject_put(to, entry);
	outfile_commit(file, (size_t)(to - begin));
	if (name)
		put_field(file, entry->type == BCOS_GENERIC_PROCESS ? "_COMM" : "BCOS_DEVICE_NAME", name, name_length);
	put_field(file, "MESSAGE", text, length);
	outfile_bytes(file, "\n", 1);
}

static void put_held(void *context, const struct bcos_entry *entry, const char *name, size_t length)
{
	put_event(context, entry, name, length);
}

static int journald_begin(struct export *export)
{
	export->own = calloc(1, sizeof(struct journald));
	return export->own ? 0 : export_no_memory(export);
}

static void settle_events(struct export *export)
{
	struct journald *journald = export->own;

	journald->settled = true;
	held_release(&journald->held, put_held, export);
}

/* Does the entry follow the first group and its statements? */
static bool is_behind(const struct bcos_entry *entry)
{
	return !(entry->type & BCOS_TYPE_HISTORICAL) && !bcoslog_is_statement(entry) && !bcoslog_is_missed(entry);
}

static int journald_entry(struct export *export, const struct bcos_entry *entry)
{
	struct journald *journald = export->own;
	const char *text, *name;
	size_t length = 0, name_length;

	if (unlikely(!journald->settled) && journald->known && is_behind(entry))
		settle_events(export);
	if (!bcoslog_is_generic(entry->type))
		return 0;
	text = bcoslog_text(entry, &length);
	if (!length)
		return 0;
	learn_statement(journald, entry, text, length);
	name = name_of_subject(export->state, entry, &name_length);
	if (likely(journald->settled)) {
		put_event(export, entry, name, name_length);
		return 0;
	}
	if (held_add(&journald->held, entry, name, name_length))
		return export_no_memory(export);
	if (held_is_full(&journald->held))
		settle_events(export);
	return 0;
}

static int journald_end(struct export *export)
{
	struct journald *journald = export->own;

	settle_events(export);
	if (journald->timeless)
		complain("%llu %s of %s %s no time, since the log does not state the wall clock%s: journald takes no such event",
			 (unsigned long long)journald->timeless, journald->timeless == 1 ? "event" : "events",
			 export->path, journald->timeless == 1 ? "has" : "have",
			 journald->known ? " in time" : "");
	return 0;
}

static void journald_free(struct export *export)
{
	struct journald *journald = export->own;

	if (journald)
		held_free(&journald->held);
	free(journald);
}

const struct exporter journald_exporter = {
	.name = "journald",
	.suffix = ".journal-export",
	.help = "journald's export format, of events that have a text",
	.text = true,
	.state = true,
	.begin = journald_begin,
	.entry = journald_entry,
	.end = journald_end,
	.free = journald_free,
};
