// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * journald's export format, of which systemd-journal-remote makes a journal. It has the generic events that have a
 * text. Times are in microseconds; if the log does not state the wall clock, only times since boot are written.
 */
#include "entry/decimal.h"
#include "../convert.h"
#include "core/format/entry.h"

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

static void put_subject(struct outfile *file, const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	const struct bcoslog_process *process = NULL;
	const struct bcoslog_device *device = NULL;
	char *begin = outfile_reserve(file, HEAD_ROOM), *to = begin;

	switch (entry->type) {
	case BCOS_GENERIC_PROCESS:
		process = bcoslog_process(state, entry->source);
		to = number_put(literal_put(to, "_PID="), entry->source);
		break;
	case BCOS_GENERIC_DEVICE:
		device = bcoslog_device(state, entry->source);
		to = hexadecimal_put(literal_put(to, "BCOS_DEVICE="), entry->source);
		break;
	case BCOS_GENERIC_CPU:
		to = number_put(literal_put(to, "BCOS_CPU="), entry->source);
		break;
	default:
		to = number_put(literal_put(to, "BCOS_CORE="), entry->source);
		break;
	}
	outfile_commit(file, (size_t)(to - begin));
	if (process)
		put_field(file, "_COMM", process->name, process->name_length);
	if (device)
		put_field(file, "BCOS_DEVICE_NAME", device->name, device->name_length);
}

static int journald_begin(struct export *export)
{
	(void)export;
	return 0;
}

static int journald_entry(struct export *export, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	const struct bcoslog_wall *wall = bcoslog_state_wall(export->state);
	struct outfile *file = &export->output->file;
	struct bcoslog_wall stated;
	u8 severity;
	size_t length = 0;
	const char *text;
	char *begin, *to;

	if (!bcoslog_is_generic(entry->type))
		return 0;
	text = bcoslog_text(entry, &length);
	if (!length)
		return 0;
	if (bcoslog_wall_clock(entry, &stated))
		wall = &stated;
	severity = entry->size > BCOS_GENERIC_MIN ? event->severity : 0;
	begin = to = outfile_reserve(file, HEAD_ROOM);
	if (wall)
		to = number_put(literal_put(to, "__REALTIME_TIMESTAMP="),
				(u64)bcoslog_wall_time(wall, entry->time) / 1000);
	to = number_put(literal_put(to, "__MONOTONIC_TIMESTAMP="), entry->time / 1000);
	to = literal_put(to, "PRIORITY=");
	*to++ = priorities[severity >> 6];
	to = number_put(literal_put(to, "\nSYSLOG_IDENTIFIER=bcos_evlog\nBCOS_SEVERITY="), severity);
	to = hexadecimal_put(literal_put(to, "BCOS_EVENT="), event->event_id);
	outfile_commit(file, (size_t)(to - begin));
	put_subject(file, export->state, entry);
	put_field(file, "MESSAGE", text, length);
	outfile_bytes(file, "\n", 1);
	return 0;
}

const struct exporter journald_exporter = {
	.name = "journald",
	.suffix = ".journal-export",
	.help = "journald's export format, of events that have a text",
	.text = true,
	.state = true,
	.begin = journald_begin,
	.entry = journald_entry,
};
