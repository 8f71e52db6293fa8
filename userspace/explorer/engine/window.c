// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The totals of a selection: the account, once more, over that window. */
#include <stdlib.h>

#include "export.h"
#include "model/model.h"
#include "out.h"

static struct {
	struct reader *reader;
	struct bcoslog_account *account;
} window;

static void work(const struct bcoslog_work *work)
{
	out_key("instructions");
	out_real(work->instructions);
	out_key("joules");
	out_real(work->joules);
	out_key("performance_unknown_ns");
	out_number(work->performance_unknown);
	out_key("power_unknown_ns");
	out_number(work->power_unknown);
	out_key("work_at_least");
	out_bool(work->at_least);
}

static void print_process(const struct bcoslog_account_process *process)
{
	if (!process->time && !process->events && !process->calls)
		return;
	out_next();
	out_open('{');
	out_key("process");
	out_number(process->id);
	out_key("name");
	out_text(process->name, process->name_length);
	out_key("start");
	out_moment(process->start);
	out_key("time_ns");
	out_number(process->time);
	out_key("turns");
	out_number(process->turns);
	out_key("events");
	out_number(process->events);
	out_key("calls");
	out_number(process->calls);
	out_key("at_least");
	out_bool(process->at_least);
	work(&process->work);
	out_close('}');
}

static void ended(void *context, const struct bcoslog_account_process *process)
{
	(void)context;
	out_resume_long();
	print_process(process);
}

static void uses(const __u64 *time)
{
	static const char *const keys[] = {
		[BCOSLOG_USE_PROCESS] = "processes_ns", [BCOSLOG_USE_KERNEL] = "kernel_ns",
		[BCOSLOG_USE_IDLE] = "idle_ns", [BCOSLOG_USE_UNKNOWN] = "unknown_ns",
	};
	unsigned int use;

	for (use = 0; use < BCOSLOG_USES; use++) {
		out_key(keys[use]);
		out_number(time[use]);
	}
}

static void print_cpus(const struct bcoslog_account *account)
{
	const struct bcoslog_account_cpu *cpu = NULL;

	out_key("cpus");
	out_open('[');
	while ((cpu = bcoslog_account_next_cpu(account, cpu))) {
		out_next();
		out_open('{');
		out_key("cpu");
		out_number(cpu->id);
		out_key("core");
		out_number(cpu->core);
		out_key("online_ns");
		out_number(cpu->online);
		uses(cpu->time);
		out_key("turns");
		out_number(cpu->turns);
		out_close('}');
	}
	out_close(']');
}

static void print_cores(const struct bcoslog_account *account)
{
	const struct bcoslog_account_core *core = NULL;

	out_key("cores");
	out_open('[');
	while ((core = bcoslog_account_next_core(account, core))) {
		out_next();
		out_open('{');
		out_key("core");
		out_number(core->id);
		out_key("online_ns");
		out_number(core->online);
		out_key("capacity");
		out_real(core->capacity);
		work(&core->work);
		out_close('}');
	}
	out_close(']');
}

static void print_latency(const struct bcoslog_account_device *device)
{
	struct bcoslog_latency latency;

	bcoslog_account_latency(device, &latency);
	if (!latency.count)
		return;
	out_key("latency");
	out_open('{');
	out_key("count");
	out_number(latency.count);
	out_key("minimum_ns");
	out_number(latency.minimum);
	out_key("median_ns");
	out_number(latency.median);
	out_key("ninety_nine_ns");
	out_number(latency.ninety_nine);
	out_key("maximum_ns");
	out_number(latency.maximum);
	out_close('}');
}

static void print_devices(const struct bcoslog_account *account)
{
	const struct bcoslog_account_device *device = NULL;

	out_key("devices");
	out_open('[');
	while ((device = bcoslog_account_next_device(account, device))) {
		if (!device->inputs && !device->outputs && !device->interrupts && !device->faults)
			continue;
		out_next();
		out_open('{');
		out_key("device");
		out_number(device->id);
		out_key("name");
		out_text(device->name, device->name_length);
		out_key("input");
		out_number(device->input);
		out_key("output");
		out_number(device->output);
		out_key("inputs");
		out_number(device->inputs);
		out_key("outputs");
		out_number(device->outputs);
		out_key("interrupts");
		out_number(device->interrupts);
		out_key("batched");
		out_number(device->batched);
		out_key("unprompted");
		out_number(device->unprompted);
		out_key("fruitless");
		out_number(device->fruitless);
		out_key("faults");
		out_number(device->faults);
		out_key("stacked");
		out_bool(device->stacked);
		out_key("at_least");
		out_bool(device->at_least);
		print_latency(device);
		out_close('}');
	}
	out_close(']');
}

static int entry(void *context, const struct bcos_entry *entry)
{
	(void)context;
	return bcoslog_account_entry(window.account, entry);
}

static void forget(void)
{
	reader_free(window.reader);
	bcoslog_account_free(window.account);
	window.reader = NULL;
	window.account = NULL;
}

/* Begins the totals from @since to @until, ns since boot.  Return: 0, or -ENOMEM. */
EXPORT(window_begin) int window_begin(u64 since, u64 until)
{
	struct bcoslog_account_options options = { .since = since, .until = until, .process_ended = ended };

	forget();
	window.reader = reader_new();
	window.account = bcoslog_account_new(&options);
	out_begin_long();
	out_open('{');
	out_key("processes");
	out_open('[');
	return window.reader && window.account ? 0 : -ENOMEM;
}

/* The log, from its beginning.  Return: 0, -EILSEQ or -ENOMEM. */
EXPORT(window_part) int window_part(const u8 *part, u32 size)
{
	return size ? reader_feed(window.reader, part, size, entry, NULL) : 0;
}

static void print_totals(const struct bcoslog_account *account)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(account);

	print_cpus(account);
	print_cores(account);
	print_devices(account);
	out_key("begin");
	out_moment(totals->begin);
	out_key("end");
	out_moment(totals->end);
	out_key("online_ns");
	out_number(totals->online);
	uses(totals->time);
	out_key("turns");
	out_number(totals->turns);
	out_key("births");
	out_number(totals->births);
	out_key("ends");
	out_number(totals->ends);
	out_key("losses");
	out_number(totals->losses);
	out_key("lost");
	out_number(totals->lost);
}

/* All of it was handed in, or all that matters: the totals are in the output. */
EXPORT(window_end) int window_end(void)
{
	const struct bcoslog_account_process *process = NULL;
	int r = reader_feed(window.reader, NULL, 0, entry, NULL);

	bcoslog_account_end(window.account);
	out_resume_long();
	while ((process = bcoslog_account_next_process(window.account, process)))
		print_process(process);
	out_close(']');
	print_totals(window.account);
	out_close('}');
	forget();
	return r;
}

static void print_item(const struct process_item *item)
{
	const struct bcoslog_account_process process = {
		.id = item->id, .name = item->name, .name_length = item->length, .start = item->start, .time = item->time,
		.turns = item->turns, .events = item->events, .calls = item->calls, .at_least = item->at_least,
		.work = item->work,
	};

	print_process(&process);
}

/* The totals of all that was loaded, which the model's account has already. */
EXPORT(window_whole) void window_whole(void)
{
	u32 i;

	out_begin();
	out_open('{');
	out_key("processes");
	out_open('[');
	for (i = 0; i < model.processes.count; i++)
		print_item(process_at(i));
	out_close(']');
	print_totals(model.account);
	out_close('}');
}
