// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Import of the Fuchsia trace format: events that bcoslog wrote become the entries that they were. */
#include <stdlib.h>

#include "fxt_import.h"

/* Texts and lists that were written in parts. */
#define WHOLE_MAX (1u << 20)

static int tell_entry(struct fxt_import *fxt, struct bcos_entry header, const u32 *numbers, size_t count)
{
	u32 room[16];
	struct bcos_entry *entry = (struct bcos_entry *)room;

	header.size = (u16)(sizeof(header) + count * sizeof(u32));
	*entry = header;
	if (count)
		memcpy(entry + 1, numbers, count * sizeof(u32));
	return log_entry(fxt->import->log, entry);
}

/* The moment of an event, or of a historical one when it began. */
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

/* Appends a part. Returns false if more parts follow. */
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

/* Numbers that are written as text. Returns how many. */
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
	return log_calls(fxt->import->log, (struct moment){ event->time, (u32)fxt_number(fxt, "precision", 1) }, process, numbers,
			 count);
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
	return log_event(fxt->import->log, when, type, source, (u32)fxt_number(fxt, "id", 0),
			 severity <= 0xFF ? (u8)severity : BCOS_SEVERITY_INFO, fxt->whole ? fxt->whole : "", length);
}

static int process_event(struct fxt_import *fxt, const struct fxt_happened *event)
{
	u32 id = fxt_process_id(fxt, event->thread.pid);
	struct bcos_entry header = header_of(fxt, event, 0, id);
	struct moment when = { header.time, header.precision };
	struct fxt_string name = text_of(fxt, "name");

	if (fxt_find(fxt, "id"))
		return tell_text(fxt, event, BCOS_GENERIC_PROCESS, id);
	if (fxt_is(event->name, "named"))
		return log_process(fxt->import->log, when, id, name.text, name.length);
	if (fxt_is(event->name, "ended"))
		return log_process_end(fxt->import->log, when, id, (u32)fxt_number(fxt, "status", 0));
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
		return tell_entry(fxt, header_of(fxt, event, BCOS_CORE_OFFLINE, id), NULL, 0);
	if (!fxt_is(event->name, "online"))
		return fxt_foreign(fxt, event);
	core->header = header_of(fxt, event, BCOS_CORE_ONLINE, id);
	core->idle_power = (u16)fxt_number(fxt, "idle 2 mW", 0);
	core->power_difference = (u16)fxt_number(fxt, "more when busy 2 mW", 0);
	count = numbers_of(table.text, table.length, core->performance, LIST);
	core->header.size = (u16)(sizeof(*core) + count * sizeof(u32));
	return log_entry(fxt->import->log, &core->header);
}

static int cpu_event(struct fxt_import *fxt, const struct fxt_happened *event)
{
	u32 id = (u32)fxt_number(fxt, "cpu", 0), number;

	if (fxt_find(fxt, "id"))
		return tell_text(fxt, event, BCOS_GENERIC_CPU, id);
	if (fxt_is(event->name, "offline"))
		return tell_entry(fxt, header_of(fxt, event, BCOS_CPU_OFFLINE, id), NULL, 0);
	if (fxt_is(event->name, "online")) {
		number = (u32)fxt_number(fxt, "core", id);
		return tell_entry(fxt, header_of(fxt, event, BCOS_CPU_ONLINE, id), &number, 1);
	}
	if (!fxt_is(event->name, "assigned"))
		return fxt_foreign(fxt, event);
	/* This was assigned before the log begins; the switch after it is for readers who know nothing of that. */
	number = (u32)fxt_number(fxt, "to", 0);
	fxt->repeated_cpu = fxt_find(fxt, "start") ? id : ~0ull;
	fxt->repeated_time = event->time;
	return tell_entry(fxt, header_of(fxt, event, BCOS_ASSIGN_CPU, id), &number, 1);
}

static int device_event(struct fxt_import *fxt, const struct fxt_happened *event)
{
	u32 id = (u32)(event->type == FXT_COUNTER ? event->extra : fxt_number(fxt, "device", fxt_number(fxt, "id", 0)));
	struct moment when = { event->time, (u32)fxt_number(fxt, "precision", 1) };
	struct fxt_string name = text_of(fxt, "name");

	if (event->type == FXT_COUNTER && fxt_is(event->name, "input"))
		return log_input(fxt->import->log, when, id, (u32)fxt_number(fxt, "bytes", 0));
	if (event->type == FXT_COUNTER && fxt_is(event->name, "output"))
		return log_output(fxt->import->log, when, id, (u32)fxt_number(fxt, "bytes", 0));
	if (fxt_find(fxt, "severity"))
		return tell_text(fxt, event, BCOS_GENERIC_DEVICE, id);
	if (fxt_is(event->name, "IRQ"))
		return log_irq(fxt->import->log, when, id, (u32)fxt_number(fxt, "number", 0));
	if (fxt_is(event->name, "named"))
		return log_device(fxt->import->log, when, id, (u32)fxt_number(fxt, "driver", 0), name.text, name.length);
	if (fxt_is(event->name, "ended"))
		return log_device_end(fxt->import->log, when, id, (u32)fxt_number(fxt, "status", 0));
	return fxt_foreign(fxt, event);
}

int fxt_ours(struct fxt_import *fxt, const struct fxt_happened *event)
{
	if (event->type == FXT_COUNTER && fxt_is(event->category, "core"))
		return 0;	/* for viewers */
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
