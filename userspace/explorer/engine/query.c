// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Answers to the page about the model, as JSON. */
#include <string.h>

#include "export.h"
#include "model/model.h"
#include "state/clock.h"
#include "out.h"

/* Write the former names of a process or device, except for its present name @now, the newest first. */
static void print_former(u32 former, const char *now, u32 length)
{
	const struct former_name *name;

	if (!former)
		return;
	out_key("former");
	out_open('[');
	for (; former; former = name->before) {
		name = list_at(&model.names, former - 1);
		if (name->length == length && !memcmp(name->name, now, length))
			continue;
		out_next();
		out_text(name->name, name->length);
	}
	out_close(']');
}

/* Open the object of a process or device with the fields that both have. @gone is true if it ended within the log. */
static void print_item(u32 number, u32 id, const char *name, u32 length, u64 start, u64 end, bool gone)
{
	out_next();
	out_open('{');
	out_key_number("number", number);
	out_key_number("id", id);
	out_named(name, length, start);
	out_key_moment("end", gone ? end : model.end);
}

static void print_process(u32 number)
{
	const struct process_item *item = process_at(number);

	print_item(number, item->id, item->name, item->length, item->start, item->end, item->ended || item->vanished);
	print_former(item->former, item->name, item->length);
	out_key_number("time", item->time);
	out_key_number("turns", item->turns);
	out_key_bool("born", item->born);
	out_key_bool("ended", item->ended);
	if (item->ended)
		out_ending(item->status, false);
	out_key_bool("vanished", item->vanished);
	out_key_bool("at_least", item->at_least);
	out_close('}');
}

static void print_device(u32 number)
{
	const struct device_item *item = device_at(number);
	const struct bcoslog_account_device *device = &item->told;

	print_item(number, device->id, item->name, item->length, device->start, device->end, item->gone);
	print_former(item->former, item->name, item->length);
	out_key_number("driver_id", device->driver);
	if (item->driver < WHO_NONE)
		out_key_number("driver", item->driver);
	out_key_number("input", device->input);
	out_key_number("output", device->output);
	out_key_number("interrupts", device->interrupts);
	out_key_number("events", item->events);
	out_key_bool("stacked", device->stacked);
	out_key_bool("ended", device->ended);
	if (device->ended)
		out_ending(device->status, true);
	out_close('}');
}

static void print_reading(u64 time, u64 wall)
{
	out_next();
	out_open('{');
	out_key_moment("at", time);
	out_key("wall");
	out_exact(wall);
	out_close('}');
}

/* Write the span of the log, and what the wall clock showed at its beginning and each time that it was set. */
static void print_clock(void)
{
	struct bcoslog_clock_step step;
	u64 i;

	out_key("begin");
	out_exact(model.begin);
	out_key("span");
	out_number(model.end - model.begin);
	out_key("clock");
	out_open('[');
	if (bcoslog_clock_at(model.clock, model.begin)) {
		print_reading(model.begin, bcoslog_clock_wall(model.clock, model.begin));
		for (i = 0; bcoslog_clock_step(model.clock, i, &step); i++)
			if (step.time > model.begin)
				print_reading(step.time, step.to);
	}
	out_close(']');
}

/* Answer with a description of the log: its span, its CPUs, processes and devices. */
EXPORT(query_log) void query_log(void)
{
	const struct cpu_item *cpu;
	u32 i;

	out_begin();
	out_open('{');
	print_clock();
	out_key_number("entries", model.entries);
	out_key_number("damages", model.reader->damages);
	out_key_number("lost_bytes", model.reader->lost);
	out_key_number("left_out", model.left_out);
	out_key_number("events", model.events.count);
	out_key_bool("power", model.power_known);
	out_key_bool("traffic", model.inputs.count || model.outputs.count);
	out_key("cpus");
	out_open('[');
	for (i = 0; i < model.cpus.count; i++) {
		cpu = cpu_at(i);
		out_next();
		out_open('{');
		out_key_number("number", i);
		out_key_number("id", cpu->id);
		out_key_number("core", cpu->core);
		out_close('}');
	}
	out_close(']');
	out_key("processes");
	out_open('[');
	for (i = 0; i < model.processes.count; i++)
		print_process(i);
	out_close(']');
	out_key("devices");
	out_open('[');
	for (i = 0; i < model.devices.count; i++)
		print_device(i);
	out_close(']');
	out_close('}');
}

/* Answer with the stretch of a CPU at a moment, ns since the log's beginning; null if the log does not cover it. */
EXPORT(query_cpu) void query_cpu(u32 number, double moment)
{
	static const char *const uses[] = { "idle", "unknown", "offline" };
	const struct cpu_item *cpu = cpu_at(number);
	u64 time = model.begin + (u64)(s64)moment;
	const struct stretch *stretch;
	u32 i = list_after(&cpu->stretches, time);

	out_begin();
	if (!i || time >= cpu->end) {
		out_raw("null");
		return;
	}
	stretch = list_at(&cpu->stretches, i - 1);
	out_open('{');
	out_key_moment("begin", stretch->begin);
	out_key_moment("end", i < cpu->stretches.count ?
			      ((const struct stretch *)list_at(&cpu->stretches, i))->begin : cpu->end);
	out_key("use");
	out_string(stretch->who < WHO_NONE ? "process" : uses[WHO_IDLE - stretch->who]);
	if (stretch->who < WHO_NONE) {
		out_key("number");
		out_number(stretch->who);
	}
	out_close('}');
}
