// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints an entry as a line of text. */
#include <stdlib.h>

#include "entry/who.h"
#include "calls.h"
#include "core/format/fields.h"
#include "complain/complain.h"
#include "line.h"
#include "output.h"
#include "request.h"
#include "state/thread_name.h"
#include "terminal.h"
#include "times.h"

/* The width of "Cancel Process Name", with which most lines fit into 80 columns. */
#define NAME_WIDTH 19

#define ID_DIGITS 10

/*
 * Writes the text of the process into the slot, if its name is short and needs no escape, as nearly all are.
 * Return: whether the text was written.
 */
static bool show_name(const struct lines *lines, struct shown *slot, const struct bcoslog_process *process)
{
	const size_t rest = sizeof("process  \"\"") - 1 + ID_DIGITS;
	char *at = slot->text;
	size_t i;

	if (!process || process->name_length > sizeof(slot->text) - rest)
		return false;
	for (i = 0; i < process->name_length; i++)
		if (!is_plain((u8)process->name[i]) || process->name[i] == '"')
			return false;
	at = decimal_put(stpcpy(at, "process "), process->id);
	at = mempcpy(stpcpy(at, " \""), process->name, process->name_length);
	*at++ = '"';
	slot->generation = lines->generation;
	slot->id = process->id;
	slot->length = (u32)(at - slot->text);
	return true;
}

/* Prints `process 12 "name"`. The text is cached until the name of the process changes. */
static void put_process(struct lines *lines, u32 id)
{
	struct shown *slot = &lines->shown[id % SHOWN];
	const struct bcoslog_process *process;

	if (unlikely(slot->id != id || slot->generation != lines->generation)) {
		process = bcoslog_process(lines->state, id);
		if (!show_name(lines, slot, process)) {
			put_literal("process ");
			put_number(id);
			put_literal(" ");
			if (process)
				put_quoted(process->name, process->name_length);
			else
				put_literal("(unnamed)");
			return;
		}
	}
	memcpy(output.buffer + output.used, slot->text, sizeof(slot->text));
	output.used += slot->length;
}

static void process_forget(struct lines *lines, const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_SET_PROCESS_NAME:
	case BCOS_HIST_SET_PROCESS_NAME:
	case BCOS_CANCEL_PROCESS_NAME:
		lines->shown[entry->source % SHOWN].generation = 0;
		break;
	case BCOS_GENERIC_DEVICE:
		lines->generation += bcoslog_is_missed(entry);
		break;
	default:
		break;
	}
}

static void process_forget_all(struct lines *lines)
{
	lines->generation++;
}

static void put_device(struct lines *lines, u32 id)
{
	const struct bcoslog_device *device = bcoslog_device(lines->state, id);

	put_literal("device ");
	put_hex(id, 8);
	if (device) {
		put_char(' ');
		put_quoted(device->name, device->name_length);
	} else {
		put_literal(" (unnamed)");
	}
}

void line_subject(struct lines *lines, u16 type, u32 id)
{
	switch (type & BCOS_TYPE_SUBJECT_MASK) {
	case BCOS_SUBJECT_PROCESS:
		put_process(lines, id);
		break;
	case BCOS_SUBJECT_CORE:
		put_literal("core ");
		put_number(id);
		break;
	case BCOS_SUBJECT_CPU:
		put_literal("CPU ");
		put_number(id);
		break;
	default:
		put_device(lines, id);
		break;
	}
}

/* Puts the name that the entry gives, and the one that it replaces. */
static void put_named(const char *old, size_t old_length, const struct bcos_entry *entry)
{
	size_t length;
	const char *text = bcoslog_text(entry, &length);

	put_char(' ');
	put_quoted(text, length);
	if (!old || (length == old_length && !memcmp(text, old, length)))
		return;
	put_literal(" (was ");
	put_quoted(old, old_length);
	put_char(')');
}

static void put_process_name(struct lines *lines, const struct bcos_entry *entry)
{
	const struct bcoslog_process *process = bcoslog_process(lines->state, entry->source);

	put_literal("process ");
	put_number(entry->source);
	put_named(process ? process->name : NULL, process ? process->name_length : 0, entry);
}

static void put_device_name(struct lines *lines, const struct bcos_entry *entry)
{
	const struct bcoslog_device *device = bcoslog_device(lines->state, entry->source);
	u32 driver = ((const struct bcos_device_name *)entry)->driver;

	put_literal("device ");
	put_hex(entry->source, 8);
	put_named(device ? device->name : NULL, device ? device->name_length : 0, entry);
	/* Most drivers are the kernel, which is not shown. */
	if (driver == BCOS_PROCESS_KERNEL)
		return;
	put_literal(", driver ");
	put_process(lines, driver);
}

static void put_status(u16 type, u32 status)
{
	u32 value;
	enum bcoslog_end end = bcoslog_status_end(status, &value);
	const char *name = bcoslog_signal(value);

	put_literal(": ");
	if (end == BCOSLOG_END_UNKNOWN) {
		put_literal("status unknown");
		return;
	}
	if (end == BCOSLOG_EXITED) {
		put_string(type == BCOS_CANCEL_DEVICE_NAME ? "status " : "exit code ");
		put_number(value);
		return;
	}
	if (!value) {
		put_string(end == BCOSLOG_OWNER ? "ended abnormally, by its owner" :
			   "ended abnormally, by the kernel");
		return;
	}
	put_literal("killed by ");
	if (name) {
		put_string(name);
	} else {
		put_literal("signal ");
		put_number(value);
	}
	put_string(end == BCOSLOG_OWNER ? ", sent by user space" : ", sent by the kernel");
}

const char *line_text(const struct bcos_entry *entry, char words[BCOSLOG_THREAD_WORDS], size_t *length)
{
	*length = bcoslog_thread_words(words, entry, call_name);
	return *length ? words : bcoslog_text(entry, length);
}

/* Puts the name of a thread, unless it is that of its process, as for every leader. */
static void put_thread_name(const struct lines *lines, const char *before, u32 process, u32 thread)
{
	const struct bcoslog_process *of = bcoslog_process(lines->state, process);
	size_t length;
	const char *name = state_thread_name(lines->state, process, thread, &length);

	if (!name || (length == of->name_length && !memcmp(name, of->name, length)))
		return;
	put_string(before);
	put_quoted(name, length);
}

void line_waker(struct lines *lines, const struct bcos_entry *entry)
{
	struct bcoslog_thread thread;

	if (bcoslog_thread(&thread, entry) ||
	    (thread.by != BCOSLOG_WOKEN_BY_THREAD && thread.by != BCOSLOG_WOKEN_BY_EITHER))
		return;
	put_literal(", woken by ");
	if (thread.by == BCOSLOG_WOKEN_BY_EITHER)
		put_literal("an interrupt or ");
	put_process(lines, thread.waker);
	put_literal(" (thread ");
	put_number(thread.waker_thread);
	put_thread_name(lines, " ", thread.waker, thread.waker_thread);
	put_char(')');
}

void line_named(struct lines *lines, const struct bcos_entry *entry)
{
	struct bcoslog_thread thread;

	if (!bcoslog_thread(&thread, entry))
		put_thread_name(lines, ", named ", entry->source, thread.thread);
}

void line_clock(struct lines *lines, const struct bcos_entry *entry)
{
	char text[SET_TEXT];
	u64 by;

	if (!wall_was_set(lines->clock, entry, &by))
		return;
	put_literal(", ");
	put_string(set_text(text, by));
}

static void put_request(struct lines *lines, const struct bcos_entry *entry)
{
	struct bcos_request_told told;
	char text[REQUEST_WORDS];

	if (!request_read(entry, &told))
		return;
	put_literal(", ");
	put_bytes(text, (size_t)request_what(text, &told));
	put_literal(", ");
	put_device(lines, told.device);
	put_literal(": ");
	put_bytes(text, (size_t)request_times(text, &told));
	if (told.error) {
		put_literal(", failed with errno ");
		put_number(told.error);
	}
}

static void put_generic(struct lines *lines, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	const char *meaning = bcoslog_event(entry->type, event->event_id);
	char words[BCOSLOG_THREAD_WORDS];
	size_t length;
	const char *text = line_text(entry, words, &length);

	put_literal(": ");
	put_string(bcoslog_severity(event->severity));
	put_char(' ');
	put_hex(event->severity, 2);
	put_literal(", event ");
	put_hex(event->event_id, 8);
	if (meaning && event->event_id) {
		put_literal(" (");
		put_string(meaning);
		put_char(')');
	}
	if (length) {
		put_literal(", ");
		put_quoted(text, length);
	}
	line_clock(lines, entry);
	line_named(lines, entry);
	line_waker(lines, entry);
	put_request(lines, entry);
}

static void put_functions(const struct bcos_walk *walk)
{
	const char *name;
	u32 function;
	size_t i;

	put_string(walk->count ? ": calls" : ": calls, numbers suppressed");
	for (i = 0; i < walk->count; i++) {
		output_room();
		put_char(' ');
		function = bcos_walk_element(walk, i);
		name = call_name(function);
		if (name)
			put_string(name);
		else
			put_number(function & ~BCOS_FUNCTION_COMPAT);
		if (function & BCOS_FUNCTION_COMPAT)
			put_literal(" (compat)");
	}
}

static void put_power(u16 power)
{
	if (power == 0xFFFF)
		put_literal("at least ");
	put_number(power == 0xFFFF ? 131072 : power * 2u);
	put_literal(" mW");
}

static void put_core(const struct bcos_entry *entry)
{
	const struct bcos_core_online *core = (const struct bcos_core_online *)entry;
	size_t i, count = (entry->size - sizeof(*core)) / sizeof(core->performance[0]);

	put_literal(": idle power ");
	if (core->idle_power)
		put_power(core->idle_power);
	else
		put_literal("unknown");
	/* The busy power is a difference to the idle power, and unknown if that is. */
	put_string(core->idle_power ? ", busy +" : ", busy unknown");
	if (core->idle_power)
		put_power(core->power_difference);
	put_literal(", performance");
	for (i = 0; i < count; i++) {
		output_room();
		put_char(' ');
		put_number(core->performance[i]);
	}
	if (!count)
		put_literal(" unknown");
}

static void put_assign(struct lines *lines, u32 process)
{
	put_literal(" -> ");
	if (process == BCOS_PROCESS_IDLE)
		put_literal("idle");
	else
		put_process(lines, process);
}

static void put_word(const char *before, u32 number, const char *after)
{
	put_string(before);
	put_number(number);
	put_string(after);
}

/* Puts the fields of an entry. The kind of the first one, which @walk is at, decides on the words. */
static void put_fields(struct lines *lines, const struct bcos_walk *walk)
{
	const struct bcos_entry *entry = walk->entry;
	u32 number = (u32)walk->number;

	switch (walk->field->kind) {
	case BCOS_KIND_RUNNING:
		put_assign(lines, number);
		break;
	case BCOS_KIND_STATUS:
		put_status(entry->type, number);
		break;
	case BCOS_KIND_EVENT:
		put_generic(lines, entry);
		break;
	case BCOS_KIND_FUNCTION:
		put_functions(walk);
		break;
	case BCOS_KIND_POWER:
		put_core(entry);
		break;
	case BCOS_KIND_CORE:
		put_word(" of core ", number, "");
		break;
	case BCOS_KIND_BYTES:
		put_word(": ", number, " bytes");
		break;
	case BCOS_KIND_INTERRUPT:
		put_word(": IRQ ", number, "");
		break;
	case BCOS_KIND_PAYLOAD:
		put_literal(": type ");
		put_hex(entry->type, 4);
		put_word(", ", (u32)walk->count, " bytes");
		break;
	default:
		break;
	}
}

static void put_header(struct lines *lines, const struct bcos_entry *entry, const char *name)
{
	output_room();
	if (unlikely(lines->colour))
		colour_begin(entry);
	put_stamp(lines->clock, entry);
	put_literal("  ");
	put_left(name, strlen(name), NAME_WIDTH);
	put_literal("  ");
}

static void end_line(struct lines *lines, const struct bcos_entry *entry)
{
	put_precision(entry);
	if (unlikely(lines->colour))
		colour_end(entry);
	put_char('\n');
}

/* Prints the line of an Assign CPU entry. Nearly all lines are such ones, so their fixed part is one literal. */
static void line_assign(struct lines *lines, const struct bcos_entry *entry)
{
	output_room();
	put_stamp(lines->clock, entry);
	put_literal("  Assign CPU           CPU ");
	put_number(entry->source);
	put_assign(lines, ((const struct bcos_assign_cpu *)entry)->process);
	end_line(lines, entry);
}

struct lines *lines_new(struct clock *clock)
{
	struct lines *lines = calloc(1, sizeof(*lines));

	if (lines) {
		lines->clock = clock;
		lines->generation = 1;
		lines->state = bcoslog_state_new();
	}
	if (lines && lines->state)
		return lines;
	free(lines);
	complain("no memory");
	return NULL;
}

void lines_free(struct lines *lines)
{
	bcoslog_state_free(lines->state);
	free(lines);
}

void line_entry(struct lines *lines, const struct bcos_entry *entry)
{
	struct bcos_walk walk;
	const char *name;

	if (likely(entry->type == BCOS_ASSIGN_CPU)) {
		line_assign(lines, entry);
		return;
	}
	name = bcoslog_type_name(entry->type);
	put_header(lines, entry, name ? name : "Reserved type");
	bcos_walk_begin(&walk, entry);
	if (!bcos_walk_next(&walk)) {
		line_subject(lines, entry->type, entry->source);
	} else if (walk.field->kind == BCOS_KIND_NAME) {
		put_process_name(lines, entry);
	} else if (walk.field->kind == BCOS_KIND_PROCESS) {
		put_device_name(lines, entry);
	} else {
		line_subject(lines, entry->type, entry->source);
		put_fields(lines, &walk);
	}
	end_line(lines, entry);
}

int line_apply(struct lines *lines, const struct bcos_entry *entry)
{
	int r = unlikely(entry->type == BCOS_GENERIC_PROCESS) ? wall_learn(lines->clock, entry) : 0;

	if (r)
		return r;
	process_forget(lines, entry);
	return bcoslog_state_apply(lines->state, entry);
}

void line_forget(struct lines *lines)
{
	process_forget_all(lines);
	bcoslog_state_forget(lines->state);
}
