// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The page's questions about the model, answered as JSON. */
#include "export.h"
#include "model/model.h"
#include "out.h"

static void print_process(u32 number)
{
	const struct process_item *item = process_at(number);

	out_next();
	out_open('{');
	out_key("number");
	out_number(number);
	out_key("id");
	out_number(item->id);
	out_key("name");
	out_text(item->name, item->length);
	out_key("start");
	out_moment(item->start);
	out_key("end");
	out_moment(item->ended || item->vanished ? item->end : model.end);
	out_key("time");
	out_number(item->time);
	out_key("turns");
	out_number(item->turns);
	out_key("color");
	out_number(item->color);
	out_key("born");
	out_bool(item->born);
	out_key("ended");
	out_bool(item->ended);
	out_key("vanished");
	out_bool(item->vanished);
	out_key("at_least");
	out_bool(item->at_least);
	out_key("status");
	out_number(item->status);
	out_close('}');
}

static void print_device(u32 number)
{
	const struct device_item *item = device_at(number);

	out_next();
	out_open('{');
	out_key("number");
	out_number(number);
	out_key("id");
	out_number(item->id);
	out_key("name");
	out_text(item->name, item->length);
	out_key("start");
	out_moment(item->start);
	out_key("driver");
	out_number(item->driver);
	out_key("input");
	out_number(item->input);
	out_key("output");
	out_number(item->output);
	out_key("interrupts");
	out_number(item->interrupts);
	out_key("events");
	out_number(item->events);
	out_key("status");
	out_number(item->status);
	out_key("end");
	out_moment(item->ended ? item->end : model.end);
	out_key("stacked");
	out_bool(item->stacked);
	out_key("ended");
	out_bool(item->ended);
	out_close('}');
}

static void print_clock(void)
{
	const struct bcoslog_wall *wall = bcoslog_state_wall(model.state);

	out_key("begin");
	out_exact(model.begin);
	out_key("span");
	out_number(model.end - model.begin);
	if (!wall)
		return;
	out_key("wall_begin");
	out_exact(bcoslog_wall_time(wall, model.begin));
}

/* The log: its span, its CPUs, processes and devices. */
EXPORT(query_log) void query_log(void)
{
	const struct cpu_item *cpu;
	u32 i;

	out_begin();
	out_open('{');
	print_clock();
	out_key("entries");
	out_number(model.entries);
	out_key("damages");
	out_number(model.reader->damages);
	out_key("lost_bytes");
	out_number(model.reader->lost);
	out_key("left_out");
	out_number(model.left_out);
	out_key("events");
	out_number(model.events.count);
	out_key("power");
	out_bool(model.power_known);
	out_key("traffic");
	out_bool(model.inputs.count || model.outputs.count);
	out_key("cpus");
	out_open('[');
	for (i = 0; i < model.cpus.count; i++) {
		cpu = cpu_at(i);
		out_next();
		out_open('{');
		out_key("number");
		out_number(i);
		out_key("id");
		out_number(cpu->id);
		out_key("core");
		out_number(cpu->core);
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

/* The use of a CPU at a moment, and from when to when. */
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
	out_key("begin");
	out_moment(stretch->begin);
	out_key("end");
	out_moment(i < cpu->stretches.count ? ((const struct stretch *)list_at(&cpu->stretches, i))->begin : cpu->end);
	out_key("use");
	out_string(stretch->who < WHO_NONE ? "process" : uses[WHO_IDLE - stretch->who]);
	if (stretch->who < WHO_NONE) {
		out_key("number");
		out_number(stretch->who);
	}
	out_close('}');
}
