// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Curves. A window is divided into buckets of time; one pass over the log gives the
 * sums of the account at the end of each bucket.
 */
#include <stdlib.h>

#include "export.h"
#include "model/model.h"

/* The columns of a row, in the order of series.js. Each is a sum since the window began; the page takes differences. */
enum column {
	S_PROCESSES, S_KERNEL, S_IDLE, S_UNKNOWN,			/* ns of all CPUs */
	S_INSTRUCTIONS, S_CAPACITY, S_JOULES,				/* of all cores */
	S_ONLINE, S_POWER_UNKNOWN, S_PERFORMANCE_UNKNOWN,		/* ns of all cores */
	S_LEAST,							/* 1 if the energy is a lower bound, else 0 */
	S_INPUT, S_OUTPUT,						/* bytes of all devices that are not stacked */
	S_TIME, S_OWN_INSTRUCTIONS, S_OWN_JOULES,			/* of the chosen process */
	S_OWN_INPUT, S_OWN_OUTPUT, S_OWN_INTERRUPTS,			/* of the devices for which is_own() is true */
	S_COLUMNS
};

static struct {
	struct reader *reader;
	struct bcoslog_account *account;
	double *rows;			/* for the end of each bucket, S_COLUMNS numbers */
	u32 buckets, at;		/* number of buckets, and index of the bucket that is being filled */
	u64 since;			/* begin of the window, ns since boot */
	double width;			/* width of a bucket, ns */
	const struct process_item *process;	/* the chosen process, or NULL */
	const struct device_item *device;	/* the chosen device, or NULL */
	double ended[S_COLUMNS];	/* sums over ended processes and devices, which the account has freed */
} series;

static void add_process(double *row, const struct bcoslog_account_process *process)
{
	if (!series.process || process->id != series.process->id || process->start != series.process->start)
		return;
	row[S_TIME] += (double)process->time;
	row[S_OWN_INSTRUCTIONS] += process->work.instructions;
	row[S_OWN_JOULES] += process->work.joules;
}

/* Return: true for the chosen device, and for devices that the chosen process drives. */
static bool is_own(const struct bcoslog_account_device *device)
{
	if (series.device)
		return device->id == series.device->told.id && device->start == series.device->told.start;
	return series.process && device->driver == series.process->id && device->driver != BCOS_PROCESS_KERNEL;
}

static void add_device(double *row, const struct bcoslog_account_device *device)
{
	if (!device->stacked) {
		row[S_INPUT] += (double)device->input;
		row[S_OUTPUT] += (double)device->output;
	}
	if (!is_own(device))
		return;
	row[S_OWN_INPUT] += (double)device->input;
	row[S_OWN_OUTPUT] += (double)device->output;
	row[S_OWN_INTERRUPTS] += (double)device->interrupts;
}

static void process_gone(void *context, const struct bcoslog_account_process *process)
{
	(void)context;
	add_process(series.ended, process);
}

static void device_gone(void *context, const struct bcoslog_account_device *device)
{
	(void)context;
	add_device(series.ended, device);
}

static void add_cores(double *row)
{
	const struct bcoslog_account_core *core = NULL;

	while ((core = bcoslog_account_next_core(series.account, core))) {
		row[S_INSTRUCTIONS] += core->work.instructions;
		row[S_CAPACITY] += core->capacity;
		row[S_JOULES] += core->work.joules;
		row[S_ONLINE] += (double)core->online;
		row[S_POWER_UNKNOWN] += (double)core->work.power_unknown;
		row[S_PERFORMANCE_UNKNOWN] += (double)core->work.performance_unknown;
		if (core->work.at_least)
			row[S_LEAST] = 1;
	}
}

static void take_snapshot(double *row)
{
	const struct bcoslog_account_process *process;
	const struct bcoslog_account_device *device = NULL;
	const struct bcoslog_account_totals *totals;

	bcoslog_account_settle(series.account);
	totals = bcoslog_account_totals(series.account);
	memcpy(row, series.ended, sizeof(series.ended));
	row[S_PROCESSES] = (double)totals->time[BCOSLOG_USE_PROCESS];
	row[S_KERNEL] = (double)totals->time[BCOSLOG_USE_KERNEL];
	row[S_IDLE] = (double)totals->time[BCOSLOG_USE_IDLE];
	row[S_UNKNOWN] = (double)totals->time[BCOSLOG_USE_UNKNOWN];
	add_cores(row);
	while ((device = bcoslog_account_next_device(series.account, device)))
		add_device(row, device);
	process = series.process ? bcoslog_account_process(series.account, series.process->id) : NULL;
	if (process)
		add_process(row, process);
}

/* Advance the account to @time by an entry of an undefined type, which counts nowhere. */
static int pass_to(u64 time)
{
	static const struct bcos_entry nothing = { .size = sizeof(nothing), .type = 0x1FFF };
	struct bcos_entry entry = nothing;

	entry.time = time;
	return bcoslog_account_entry(series.account, &entry);
}

static int series_entry(void *context, const struct bcos_entry *entry)
{
	u64 end;
	int r;

	(void)context;
	if (!(entry->type & BCOS_TYPE_HISTORICAL)) {
		while (series.at < series.buckets) {
			end = series.since + (u64)(series.width * (series.at + 1));
			if (entry->time < end)
				break;
			r = pass_to(end);
			if (r)
				return r;
			take_snapshot(series.rows + (size_t)S_COLUMNS * series.at++);
		}
	}
	return bcoslog_account_entry(series.account, entry);
}

/**
 * series_begin() - begin to compute the curves of a window
 * @from: begin of the window, ns since the log's beginning
 * @span: width of the window, ns
 * @buckets: number of buckets
 * @process: number of the process that gets curves of its own, or WHO_NONE
 * @device: number of the device that gets curves of its own, or WHO_NONE
 *
 * Return: the rows, which series_part() and series_end() fill; NULL if there is no memory.
 */
EXPORT(series_begin) double *series_begin(double from, double span, u32 buckets, u32 process, u32 device)
{
	struct bcoslog_account_options options = { .process_ended = process_gone, .device_ended = device_gone };

	reader_free(series.reader);
	bcoslog_account_free(series.account);
	free(series.rows);
	series.since = from < 0 ? model.begin : model.begin + (u64)from;
	series.width = (from < 0 ? span + from : span) / buckets;
	series.buckets = buckets;
	series.at = 0;
	series.process = process < model.processes.count ? process_at(process) : NULL;
	series.device = device < model.devices.count ? device_at(device) : NULL;
	memset(series.ended, 0, sizeof(series.ended));
	options.since = series.since;
	series.reader = reader_new();
	series.account = bcoslog_account_new(&options);
	series.rows = calloc((size_t)buckets * S_COLUMNS, sizeof(double));
	return series.reader && series.account && !late_announce(series.account) ? series.rows : NULL;
}

/* Read the next part of the log, from its beginning on.  Return: 0; 1 if all rows are filled; -ENOMEM or -EILSEQ. */
EXPORT(series_part) int series_part(const u8 *part, u32 size)
{
	int r = size ? reader_feed(series.reader, part, size, series_entry, NULL) : 0;

	return r ? r : series.at == series.buckets;
}

/* End the log, or stop reading it.  Return: the number of rows that are filled. */
EXPORT(series_end) u32 series_end(void)
{
	reader_feed(series.reader, NULL, 0, series_entry, NULL);
	if (series.at < series.buckets)
		take_snapshot(series.rows + (size_t)S_COLUMNS * series.at++);
	return series.at;
}
