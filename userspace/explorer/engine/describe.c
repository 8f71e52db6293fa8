// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Answers to the page about events, as JSON. */
#include "core/format/entry.h"
#include "export.h"
#include "model/model.h"
#include "out.h"

static const char *kind_name(u8 kind)
{
	static const char *const names[] = {
		[EVENT_BIRTH] = "birth", [EVENT_RENAME] = "name", [EVENT_END] = "end", [EVENT_GENERIC] = "event",
		[EVENT_CALLS] = "calls", [EVENT_LOSS] = "loss", [EVENT_MISSED] = "missed", [EVENT_CPU_ON] = "online",
		[EVENT_CPU_OFF] = "offline",
	};

	return names[kind];
}

static void print_entry(u32 number)
{
	const struct event *event = list_at(&model.events, number);

	out_next();
	out_open('{');
	out_key("number");
	out_number(number);
	out_key("kind");
	out_string(kind_name(event->kind));
	out_key_moment("time", event->time);
	out_key("precision");
	out_number(event->precision);
	out_key("subject");
	out_string(bcoslog_subject(event->type));
	out_key("id");
	out_number(event->id);
	out_key("type");
	out_string(bcoslog_type_name(event->type));
	if (event->item < WHO_NONE) {
		out_key("item");
		out_number(event->item);
	}
	out_key("value");
	out_number(event->value);
	if (event->kind == EVENT_END)
		out_ending(event->value, (event->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_DEVICE);
	if (bcoslog_is_generic(event->type)) {
		out_key("severity");
		out_string(bcoslog_severity(event->severity));
		out_key("level");
		out_number(event->severity);
		out_key("description");
		out_string(bcoslog_event(event->type, event->value));
	}
	out_key("text");
	out_text(event->text, event->length);
	out_close('}');
}

/* Answer with event @number. */
EXPORT(describe_event) void describe_event(u32 number)
{
	out_begin();
	if (number < model.events.count)
		print_entry(number);
	else
		out_raw("null");
}

/* Return: true if the event is a loss during the life of a process, because the loss may be of the process's events. */
static bool is_loss_in(const struct event *event, u32 item)
{
	const struct process_item *process;
	u64 end;

	if ((event->kind != EVENT_LOSS && event->kind != EVENT_MISSED) || item >= model.processes.count)
		return false;
	process = process_at(item);
	end = process->ended || process->vanished ? process->end : model.end;
	return event->time <= end && event->time + event->precision >= process->start;
}

static bool is_of(const struct event *event, bool device, u32 item)
{
	bool of_device = (event->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_DEVICE;

	return (event->item == item && of_device == device) || (!device && is_loss_in(event, item));
}

/* Answer with the first @most events of a process or device from event @from on, and the losses during its life. */
EXPORT(describe_events) void describe_events(bool device, u32 item, u32 from, u32 most)
{
	u32 i, count = 0;

	out_begin();
	out_open('[');
	for (i = from; i < model.events.count && count < most; i++) {
		if (is_of(list_at(&model.events, i), device, item)) {
			print_entry(i);
			count++;
		}
	}
	out_close(']');
}

/*
 * Answer with the next event after event @from if @by is 1, or before it if @by is -1. The event is one of a process or
 * device, or any event if @item is WHO_NONE.
 */
EXPORT(describe_next) void describe_next(bool device, u32 item, u32 from, s32 by)
{
	u32 i;

	out_begin();
	for (i = from + (u32)by; i < model.events.count; i += (u32)by) {
		if (item == WHO_NONE || is_of(list_at(&model.events, i), device, item)) {
			print_entry(i);
			return;
		}
	}
	out_raw("null");
}

/* Return: the number of the first event at or after a moment, ns since the log's beginning. */
EXPORT(describe_at) u32 describe_at(double moment)
{
	double time = moment + (double)model.begin;

	return time < 1 ? 0 : list_after(&model.events, (u64)time - 1);
}
