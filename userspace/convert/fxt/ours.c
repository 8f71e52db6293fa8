// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Import of the Fuchsia trace format: events that bcoslog wrote become entries again. */
#include <stdlib.h>

#include "../log/restored.h"
#include "fxt_import.h"

/* The limit for a text or list that is written in several parts. */
#define WHOLE_MAX (1u << 20)

static int tell_entry(struct fxt_import *fxt, struct bcos_entry *entry, u64 now)
{
	return log_restored(fxt->import->log, fxt->state, &fxt->missed, fxt->start, entry, now);
}

/* Tells an entry that has @count numbers and, unless @name is empty, a name. */
static int tell_numbers(struct fxt_import *fxt, u64 now, struct bcos_entry header, const u32 *numbers, size_t count,
			struct fxt_string name)
{
	static u32 room[FXT_WORDS_MAX * 2 + 16];
	struct bcos_entry *entry = (struct bcos_entry *)room;
	size_t offset = sizeof(header) + count * sizeof(u32);

	*entry = header;
	if (count)
		memcpy(entry + 1, numbers, count * sizeof(u32));
	if (name.length)
		memcpy((char *)room + offset, name.text, name.length);
	memset((char *)room + offset + name.length, 0, 4);
	entry->size = (u16)((offset + name.length + 3) & ~(size_t)3);
	return tell_entry(fxt, entry, now);
}

static const struct fxt_string no_name;

/* Makes the header of an entry: a historical one, with the time of its beginning, if the event has such a time. */
static struct bcos_entry header_of(struct fxt_import *fxt, const struct fxt_happened *event, u16 type, u32 source)
{
	u64 start = fxt_number(fxt, "start", ~0ull);
	bool historical = fxt_find(fxt, "start");

	return (struct bcos_entry){
		.type = historical ? type | BCOS_TYPE_HISTORICAL : type,
		.source = source,
		.time = historical ? start : event->time,
		.precision = (u32)fxt_number(fxt, "precision", 1),
	};
}

/* Appends a part to the text or list. Returns false if more parts follow. */
static bool is_whole(struct fxt_import *fxt, struct fxt_string part, bool separated)
{
	if (!fxt->whole)
		fxt->whole = malloc(WHOLE_MAX);
	if (!fxt->whole || fxt->whole_used + part.length + 1 > WHOLE_MAX)
		return true;
	if (separated && fxt->whole_used && part.length)
		fxt->whole[fxt->whole_used++] = ' ';
	memcpy(fxt->whole + fxt->whole_used, part.text, part.length);
	fxt->whole_used += part.length;
	return !fxt_number(fxt, "more", 0);
}

static struct fxt_string text_of(struct fxt_import *fxt, const char *name)
{
	const struct fxt_value *argument = fxt_find(fxt, name);

	return argument && argument->type == FXT_TEXT ? argument->text : (struct fxt_string){ "", 0 };
}

/* Reads numbers that are written as text. Returns how many there are. */
static size_t numbers_of(const char *text, size_t length, u32 *numbers, size_t most)
{
	size_t at = 0, count = 0;

	while (at < length && count < most) {
		numbers[count] = 0;
		while (at < length && text[at] >= '0' && text[at] <= '9')
			numbers[count] = numbers[count] * 10 + (u32)(text[at++] - '0');
		count++;
		at++;
	}
	return count;
}

#define LIST ((BCOS_ENTRY_MAX - sizeof(struct bcos_core_online)) / sizeof(u32))

static int tell_calls(struct fxt_import *fxt, const struct fxt_happened *event, u32 process)
{
	static u32 numbers[LIST];
	size_t count;

	if (!is_whole(fxt, text_of(fxt, "functions"), true))
		return 0;
	count = numbers_of(fxt->whole, fxt->whole_used, numbers, LIST);
	fxt->whole_used = 0;
	return log_calls(fxt->import->log, (struct moment){ event->time, (u32)fxt_number(fxt, "precision", 1) },
			 process, numbers, count);
}

static int tell_text(struct fxt_import *fxt, const struct fxt_happened *event, u16 type, u32 source)
{
	bool is_name = !fxt_find(fxt, "text");
	struct moment when = { event->time, (u32)fxt_number(fxt, "precision", 1) };
	u64 severity = fxt_number(fxt, "severity", BCOS_SEVERITY_INFO);
	size_t length;

	if (!fxt_find(fxt, "id"))
		return fxt_foreign(fxt, event);
	if (!is_whole(fxt, is_name ? event->name : text_of(fxt, "text"), false))
		return 0;
	length = fxt->whole_used;
	fxt->whole_used = 0;
	if (type == BCOS_GENERIC_DEVICE && source == BCOS_DEVICE_SELF && fxt_number(fxt, "id", 0) == BCOS_EVENT_MISSED)
		fxt->missed = event->time;
	return log_event(fxt->import->log, when, type, source, (u32)fxt_number(fxt, "id", 0),
			 severity <= 0xFF ? (u8)severity : BCOS_SEVERITY_INFO, fxt->whole ? fxt->whole : "", length);
}

static int process_event(struct fxt_import *fxt, const struct fxt_happened *event)
{
	u32 id = fxt_process_id(fxt, event->thread.pid);
	u32 status = (u32)fxt_number(fxt, "status", BCOS_STATUS_UNKNOWN);

	if (fxt_find(fxt, "id"))
		return tell_text(fxt, event, BCOS_GENERIC_PROCESS, id);
	if (fxt_is(event->name, "named"))
		return tell_numbers(fxt, event->time, header_of(fxt, event, BCOS_SET_PROCESS_NAME, id), NULL, 0,
				    text_of(fxt, "name"));
	if (fxt_is(event->name, "ended"))
		return tell_numbers(fxt, event->time, header_of(fxt, event, BCOS_CANCEL_PROCESS_NAME, id), &status, 1,
				    no_name);
	if (fxt_is(event->name, "kernel API"))
		return tell_calls(fxt, event, id);
	return fxt_foreign(fxt, event);
}

static int core_event(struct fxt_import *fxt, const struct fxt_happened *event)
{
	static u32 room[LIST + sizeof(struct bcos_core_online) / sizeof(u32)];
	struct bcos_core_online *core = (struct bcos_core_online *)room;
	u32 id = (u32)fxt_number(fxt, "core", 0);
	struct fxt_string table = text_of(fxt, "performance");
	size_t count;

	if (fxt_find(fxt, "id"))
		return tell_text(fxt, event, BCOS_GENERIC_CORE, id);
	if (fxt_is(event->name, "offline"))
		return tell_numbers(fxt, event->time, header_of(fxt, event, BCOS_CORE_OFFLINE, id), NULL, 0, no_name);
	if (!fxt_is(event->name, "online"))
		return fxt_foreign(fxt, event);
	core->header = header_of(fxt, event, BCOS_CORE_ONLINE, id);
	core->idle_power = (u16)fxt_number(fxt, "idle 2 mW", 0);
	core->power_difference = (u16)fxt_number(fxt, "more when busy 2 mW", 0);
	count = numbers_of(table.text, table.length, core->performance, LIST);
	core->header.size = (u16)(sizeof(*core) + count * sizeof(u32));
	return tell_entry(fxt, &core->header, event->time);
}

static int cpu_event(struct fxt_import *fxt, const struct fxt_happened *event)
{
	u32 id = (u32)fxt_number(fxt, "cpu", 0), number;

	if (fxt_find(fxt, "id"))
		return tell_text(fxt, event, BCOS_GENERIC_CPU, id);
	if (fxt_is(event->name, "offline"))
		return tell_numbers(fxt, event->time, header_of(fxt, event, BCOS_CPU_OFFLINE, id), NULL, 0, no_name);
	if (fxt_is(event->name, "online")) {
		number = (u32)fxt_number(fxt, "core", id);
		return tell_numbers(fxt, event->time, header_of(fxt, event, BCOS_CPU_ONLINE, id), &number, 1, no_name);
	}
	if (!fxt_is(event->name, "assigned"))
		return fxt_foreign(fxt, event);
	/* If a group states this assignment, the switch after this event only repeats it for other readers. */
	number = (u32)fxt_number(fxt, "to", 0);
	fxt->repeated_cpu = fxt_find(fxt, "start") ? id : ~0ull;
	fxt->repeated_time = event->time;
	return tell_numbers(fxt, event->time, header_of(fxt, event, BCOS_ASSIGN_CPU, id), &number, 1, no_name);
}

static int device_event(struct fxt_import *fxt, const struct fxt_happened *event)
{
	u32 id = (u32)(event->type == FXT_COUNTER ? event->extra : fxt_number(fxt, "device", fxt_number(fxt, "id", 0)));
	struct moment when = { event->time, (u32)fxt_number(fxt, "precision", 1) };
	u32 status = (u32)fxt_number(fxt, "status", BCOS_STATUS_UNKNOWN), driver = (u32)fxt_number(fxt, "driver", 0);

	if (event->type == FXT_COUNTER && fxt_is(event->name, "input"))
		return log_input(fxt->import->log, when, id, (u32)fxt_number(fxt, "bytes", 0));
	if (event->type == FXT_COUNTER && fxt_is(event->name, "output"))
		return log_output(fxt->import->log, when, id, (u32)fxt_number(fxt, "bytes", 0));
	if (fxt_find(fxt, "severity"))
		return tell_text(fxt, event, BCOS_GENERIC_DEVICE, id);
	if (fxt_is(event->name, "IRQ"))
		return log_irq(fxt->import->log, when, id, (u32)fxt_number(fxt, "number", 0));
	if (fxt_is(event->name, "named"))
		return tell_numbers(fxt, event->time, header_of(fxt, event, BCOS_SET_DEVICE_NAME, id), &driver, 1,
				    text_of(fxt, "name"));
	if (fxt_is(event->name, "ended"))
		return tell_numbers(fxt, event->time, header_of(fxt, event, BCOS_CANCEL_DEVICE_NAME, id), &status, 1,
				    no_name);
	return fxt_foreign(fxt, event);
}

/*
 * Makes the header of a historical entry for a process or device. The object that tells of it has no time of its own.
 */
static struct bcos_entry stated_header(struct fxt_import *fxt, u16 type, u32 source)
{
	return (struct bcos_entry){
		.type = type, .source = source, .time = fxt_number(fxt, "start", 0),
		.precision = (u32)fxt_number(fxt, "precision", SINCE_BOOT),
	};
}

int fxt_our_process(struct fxt_import *fxt, u64 koid, struct fxt_string name)
{
	if (!fxt_find(fxt, "start") || name.length > FXT_STRING_MAX)
		return 0;
	return tell_numbers(fxt, fxt->provider->time,
			    stated_header(fxt, BCOS_HIST_SET_PROCESS_NAME, fxt_process_id(fxt, koid)), NULL, 0, name);
}

int fxt_our_device(struct fxt_import *fxt, struct fxt_string name)
{
	u32 driver = fxt_process_id(fxt, fxt_number(fxt, "process", 0)), id = (u32)fxt_number(fxt, "device", 0);

	if (!fxt_find(fxt, "start") || !fxt_find(fxt, "device") || name.length > FXT_STRING_MAX)
		return 0;
	return tell_numbers(fxt, fxt->provider->time, stated_header(fxt, BCOS_HIST_SET_DEVICE_NAME, id), &driver, 1,
			    name);
}

int fxt_ours(struct fxt_import *fxt, const struct fxt_happened *event)
{
	if (event->type == FXT_COUNTER && fxt_is(event->category, "core"))
		return 0;	/* counters are for viewers */
	if (fxt_is(event->category, "process"))
		return process_event(fxt, event);
	if (fxt_is(event->category, "core"))
		return core_event(fxt, event);
	if (fxt_is(event->category, "cpu"))
		return cpu_event(fxt, event);
	if (fxt_is(event->category, "device"))
		return device_event(fxt, event);
	return fxt_foreign(fxt, event);
}
