// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writing the totals of an account as JSON: see totals.h. */
#include "account/report.h"
#include "model/model.h"
#include "out.h"
#include "totals.h"

static void print_work(const struct bcoslog_work *work)
{
	out_key_real("instructions", work->instructions);
	out_key_real("joules", work->joules);
	out_key_number("performance_unknown_ns", work->performance_unknown);
	out_key_number("power_unknown_ns", work->power_unknown);
	out_key_bool("work_at_least", work->at_least);
}

void totals_process(const struct bcoslog_account_process *process)
{
	if (!process->time && !process->events && !process->calls)
		return;
	out_next();
	out_open('{');
	out_key_number("process", process->id);
	out_named(process->name, process->name_length, process->start);
	out_key_number("time_ns", process->time);
	out_key_number("turns", process->turns);
	out_key_number("events", process->events);
	out_key_number("calls", process->calls);
	out_key_bool("at_least", process->at_least);
	print_work(&process->work);
	out_close('}');
}

static void print_latency(const struct bcoslog_latency *latency)
{
	if (!latency->count)
		return;
	out_key("latency");
	out_open('{');
	out_key_number("count", latency->count);
	out_key_number("minimum_ns", latency->minimum);
	out_key_number("median_ns", latency->median);
	out_key_number("ninety_nine_ns", latency->ninety_nine);
	out_key_number("maximum_ns", latency->maximum);
	out_close('}');
}

static void add_io(struct totals_io *sum, const struct bcoslog_account_device *device)
{
	sum->input += device->input;
	sum->output += device->output;
	sum->inputs += device->inputs;
	sum->outputs += device->outputs;
	sum->interrupts += device->interrupts;
	sum->faults += device->faults;
	sum->at_least |= device->at_least;
}

static void print_io(const struct totals_io *io)
{
	out_key_number("input", io->input);
	out_key_number("output", io->output);
	out_key_number("inputs", io->inputs);
	out_key_number("outputs", io->outputs);
	out_key_number("interrupts", io->interrupts);
	out_key_number("faults", io->faults);
	out_key_bool("at_least", io->at_least);
}

void totals_device(const struct bcoslog_account_device *device, const struct bcoslog_latency *latency,
		   struct totals_io *sum)
{
	struct totals_io own = { 0 };

	if (!device->inputs && !device->outputs && !device->interrupts && !device->faults)
		return;
	add_io(&own, device);
	if (!device->stacked)
		add_io(sum, device);
	out_next();
	out_open('{');
	out_key_number("device", device->id);
	out_named(device->name, device->name_length, device->start);
	print_io(&own);
	out_key_number("batched", device->batched);
	out_key_number("unprompted", device->unprompted);
	out_key_number("fruitless", device->fruitless);
	out_key_bool("stacked", device->stacked);
	print_latency(latency);
	out_close('}');
}

static void print_uses(const __u64 *time)
{
	static const char *const keys[] = {
		[BCOSLOG_USE_PROCESS] = "processes_ns", [BCOSLOG_USE_KERNEL] = "kernel_ns",
		[BCOSLOG_USE_IDLE] = "idle_ns", [BCOSLOG_USE_UNKNOWN] = "unknown_ns",
	};
	unsigned int use;

	for (use = 0; use < BCOSLOG_USES; use++)
		out_key_number(keys[use], time[use]);
}

static void print_cpus(const struct bcoslog_account *account)
{
	const struct bcoslog_account_cpu *cpu = NULL;

	out_key("cpus");
	out_open('[');
	while ((cpu = bcoslog_account_next_cpu(account, cpu))) {
		out_next();
		out_open('{');
		out_key_number("cpu", cpu->id);
		out_key_number("core", cpu->core);
		out_key_number("online_ns", cpu->online);
		print_uses(cpu->time);
		out_key_number("turns", cpu->turns);
		out_close('}');
	}
	out_close(']');
}

static void print_core(const struct bcoslog_account_core *core)
{
	out_next();
	out_open('{');
	out_key_number("core", core->id);
	out_key_number("online_ns", core->online);
	out_key_real("capacity", core->capacity);
	print_work(&core->work);
	out_close('}');
}

/* Write each core, and the sums over all cores with the number of cores whose power is never known. */
static void print_cores(const struct bcoslog_account *account)
{
	const struct bcoslog_account_core *core = NULL;
	struct bcoslog_work all = { 0 };
	u64 unknown = 0, online = 0;

	out_key("cores");
	out_open('[');
	while ((core = bcoslog_account_next_core(account, core))) {
		print_core(core);
		online += core->online;
		unknown += core->online && core->work.power_unknown == core->online;
		all.instructions += core->work.instructions;
		all.joules += core->work.joules;
		all.performance_unknown += core->work.performance_unknown;
		all.power_unknown += core->work.power_unknown;
		all.at_least |= core->work.at_least;
	}
	out_close(']');
	out_key("all_cores");
	out_open('{');
	out_key_number("online_ns", online);
	out_key_number("power_unknown_cores", unknown);
	print_work(&all);
	out_close('}');
}

void totals_rest(const struct bcoslog_account *account, const struct totals_io *sum)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(account);

	print_cpus(account);
	print_cores(account);
	out_key("all_devices");
	out_open('{');
	print_io(sum);
	out_close('}');
	out_key_moment("begin", totals->begin);
	out_key_moment("end", totals->end);
	out_key_number("online_ns", totals->online);
	print_uses(totals->time);
	out_key_number("turns", totals->turns);
	out_key_number("births", totals->births);
	out_key_number("ends", totals->ends);
	out_key_number("losses", totals->losses);
	out_key_number("lost", totals->lost);
}
