// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The totals of a selection, from another account, whose window is the selection. */
#include <stdlib.h>

#include "export.h"
#include "account/report.h"
#include "model/model.h"
#include "out.h"
#include "totals.h"

static struct {
	struct reader *reader;
	struct bcoslog_account *account;
	struct totals_io io;
} window;

static void process_gone(void *context, const struct bcoslog_account_process *process)
{
	(void)context;
	out_resume_part(OUT_PROCESSES);
	totals_process(process);
}

static void device_gone(void *context, const struct bcoslog_account_device *device)
{
	struct bcoslog_latency latency;

	(void)context;
	bcoslog_account_latency(device, &latency);
	out_resume_part(OUT_DEVICES);
	totals_device(device, &latency, &window.io);
}

static int window_entry(void *context, const struct bcos_entry *entry)
{
	(void)context;
	return bcoslog_account_entry(window.account, entry);
}

static void forget_window(void)
{
	reader_free(window.reader);
	bcoslog_account_free(window.account);
	window.reader = NULL;
	window.account = NULL;
}

/* Begin the totals from @since to @until, ns since boot.  Return: 0 or -ENOMEM. */
EXPORT(window_begin) int window_begin(u64 since, u64 until)
{
	struct bcoslog_account_options options = {
		.since = since, .until = until, .process_ended = process_gone, .device_ended = device_gone,
	};

	forget_window();
	window.reader = reader_new();
	window.account = bcoslog_account_new(&options);
	window.io = (struct totals_io){ 0 };
	out_begin_part(OUT_PROCESSES);
	out_begin_part(OUT_DEVICES);
	return window.reader && window.account ? late_announce(window.account) : -ENOMEM;
}

/* Read the next part of the log, from its beginning on.  Return: 0, -EILSEQ or -ENOMEM. */
EXPORT(window_part) int window_part(const u8 *part, u32 size)
{
	return size ? reader_feed(window.reader, part, size, window_entry, NULL) : 0;
}

/* Answer with the totals, after the page has handed over the log up to the window's end.  Return: as window_part(). */
EXPORT(window_end) int window_end(void)
{
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_device *device = NULL;
	int r = reader_feed(window.reader, NULL, 0, window_entry, NULL);

	bcoslog_account_end(window.account);
	while ((process = bcoslog_account_next_process(window.account, process)))
		process_gone(NULL, process);
	while ((device = bcoslog_account_next_device(window.account, device)))
		device_gone(NULL, device);
	out_begin();
	out_open('{');
	out_key("processes");
	out_open_with(OUT_PROCESSES);
	out_close(']');
	out_key("devices");
	out_open_with(OUT_DEVICES);
	out_close(']');
	totals_rest(window.account, &window.io);
	out_close('}');
	forget_window();
	return r;
}

static void print_process(const struct process_item *item)
{
	const struct bcoslog_account_process process = {
		.id = item->id, .name = item->name, .name_length = item->length, .start = item->start,
		.time = item->time,
		.turns = item->turns, .events = item->events, .calls = item->calls, .at_least = item->at_least,
		.work = item->work,
	};

	totals_process(&process);
}

static void print_device(const struct device_item *item, struct totals_io *io)
{
	struct bcoslog_account_device device = item->told;

	device.name = item->name;
	device.name_length = item->length;
	totals_device(&device, &item->latency, io);
}

/* Answer with the totals of the whole log, which the model has already. */
EXPORT(window_whole) void window_whole(void)
{
	struct totals_io io = { 0 };
	u32 i;

	out_begin();
	out_open('{');
	out_key("processes");
	out_open('[');
	for (i = 0; i < model.processes.count; i++)
		print_process(process_at(i));
	out_close(']');
	out_key("devices");
	out_open('[');
	for (i = 0; i < model.devices.count; i++)
		print_device(device_at(i), &io);
	out_close(']');
	totals_rest(model.account, &io);
	out_close('}');
}
