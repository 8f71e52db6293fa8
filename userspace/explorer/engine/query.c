// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The page's questions about the model, answered as JSON. */
#include "export.h"
#include "model/model.h"
#include "out.h"

static void key_number(const char *key, u64 number)
{
	out_key(key);
	out_number(number);
}

static void key_bool(const char *key, bool is)
{
	out_key(key);
	out_bool(is);
}

/* The fields that processes and devices share, of one that begins; @gone: it is not there at the log's end. */
static void print_item(u32 number, u32 id, const char *name, u32 length, u64 start, u64 end, bool gone)
{
	out_next();
	out_open('{');
	key_number("number", number);
	key_number("id", id);
	out_key("name");
	out_text(name, length);
	out_key("start");
	out_moment(start);
	out_key("end");
	out_moment(gone ? end : model.end);
}

static void print_process(u32 number)
{
	const struct process_item *item = process_at(number);

	print_item(number, item->id, item->name, item->length, item->start, item->end, item->ended || item->vanished);
	key_number("time", item->time);
	key_number("turns", item->turns);
	key_number("color", item->color);
	key_number("status", item->status);
	key_bool("born", item->born);
	key_bool("ended", item->ended);
	key_bool("vanished", item->vanished);
	key_bool("at_least", item->at_least);
	out_close('}');
}

static void print_device(u32 number)
{
	const struct device_item *item = device_at(number);

	print_item(number, item->id, item->name, item->length, item->start, item->end, item->ended);
	key_number("driver", item->driver);
	key_number("input", item->input);
	key_number("output", item->output);
	key_number("interrupts", item->interrupts);
	key_number("events", item->events);
	key_number("status", item->status);
	key_bool("stacked", item->stacked);
	key_bool("ended", item->ended);
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
	key_number("entries", model.entries);
	key_number("damages", model.reader->damages);
	key_number("lost_bytes", model.reader->lost);
	key_number("left_out", model.left_out);
	key_number("events", model.events.count);
	key_bool("power", model.power_known);
	key_bool("traffic", model.inputs.count || model.outputs.count);
	out_key("cpus");
	out_open('[');
	for (i = 0; i < model.cpus.count; i++) {
		cpu = cpu_at(i);
		out_next();
		out_open('{');
		key_number("number", i);
		key_number("id", cpu->id);
		key_number("core", cpu->core);
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
