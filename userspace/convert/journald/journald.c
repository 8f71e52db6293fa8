// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * journald's export format, of generic events that have a text: systemd-journal-remote makes a journal of it. Times are
 * microseconds; without a statement of the wall clock in the log, only those since boot are there.
 */
#include "../convert.h"
#include "core/format/entry.h"

/* Severities as syslog has them: debug, info, error, critical. */
static const char priorities[] = { '7', '6', '3', '2' };

/* A field. A value of more than one line has its length before it, in binary. */
static void put_field(struct outfile *file, const char *name, const char *value, size_t length)
{
	u8 size[8];
	int i;

	outfile_bytes(file, name, strlen(name));
	if (!memchr(value, '\n', length)) {
		outfile_bytes(file, "=", 1);
	} else {
		for (i = 0; i < 8; i++)
			size[i] = (u8)((u64)length >> 8 * i);
		outfile_bytes(file, "\n", 1);
		outfile_bytes(file, size, sizeof(size));
	}
	outfile_bytes(file, value, length);
	outfile_bytes(file, "\n", 1);
}

static void put_subject(struct outfile *file, const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	const struct bcoslog_process *process;
	const struct bcoslog_device *device;

	switch (entry->type) {
	case BCOS_GENERIC_PROCESS:
		process = bcoslog_process(state, entry->source);
		outfile_format(file, "_PID=%u\n", entry->source);
		if (process)
			put_field(file, "_COMM", process->name, process->name_length);
		break;
	case BCOS_GENERIC_DEVICE:
		device = bcoslog_device(state, entry->source);
		outfile_format(file, "BCOS_DEVICE=0x%08X\n", entry->source);
		if (device)
			put_field(file, "BCOS_DEVICE_NAME", device->name, device->name_length);
		break;
	default:
		outfile_format(file, entry->type == BCOS_GENERIC_CPU ? "BCOS_CPU=%u\n" : "BCOS_CORE=%u\n", entry->source);
		break;
	}
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

	if (!bcoslog_is_generic(entry->type))
		return 0;
	text = bcoslog_text(entry, &length);
	if (!length)
		return 0;
	if (bcoslog_wall_clock(entry, &stated))
		wall = &stated;
	severity = entry->size > BCOS_GENERIC_MIN ? event->severity : 0;
	if (wall)
		outfile_format(file, "__REALTIME_TIMESTAMP=%llu\n", (unsigned long long)bcoslog_wall_time(wall, entry->time) / 1000);
	outfile_format(file, "__MONOTONIC_TIMESTAMP=%llu\n", (unsigned long long)entry->time / 1000);
	outfile_format(file, "PRIORITY=%c\nSYSLOG_IDENTIFIER=bcos_evlog\nBCOS_SEVERITY=%u\nBCOS_EVENT=0x%08X\n",
		       priorities[severity >> 6], severity, event->event_id);
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
