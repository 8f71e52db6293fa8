// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables device, transfer and interrupt. */
#include "account/report.h"
#include "buffer.h"

/* ---- device ----------------------------------------------------------------------------------- */

enum {
	UDID, ID, NAME, FORMER, DRIVER, START_TS, END_TS, INPUT, OUTPUT, INPUTS, OUTPUTS, INTERRUPTS, FAULTS, LATENCIES, LATENCY_MIN,
	LATENCY_P50, LATENCY_P99, LATENCY_MAX, LATENCY_MAX_TS, STACKED, COMPLETE, DEVICE_COLUMNS
};

static const struct bcoslog_rows_column device_columns[] = {
	[UDID] = { "udid", BCOSLOG_INTEGER, "the device: unlike id no other one has it" },
	[ID] = { "id", BCOSLOG_INTEGER, "its ID, which others may have before and after" },
	[NAME] = { "name", BCOSLOG_TEXT, "its newest name" },
	[FORMER] = { "former", BCOSLOG_TEXT, "a name that it had before" },
	[DRIVER] = { "driver", BCOSLOG_INTEGER, "the process ID of its driver; 0 is the kernel" },
	[START_TS] = { "start_ts", BCOSLOG_INTEGER, "when it became ready for use, ns since boot" },
	[END_TS] = { "end_ts", BCOSLOG_INTEGER, "when it ended, ns since boot; NULL if it exists, or this is unknown" },
	[INPUT] = { "input", BCOSLOG_INTEGER, "bytes of input" },
	[OUTPUT] = { "output", BCOSLOG_INTEGER, "bytes of output" },
	[INPUTS] = { "inputs", BCOSLOG_INTEGER, "input transfers" },
	[OUTPUTS] = { "outputs", BCOSLOG_INTEGER, "output transfers" },
	[INTERRUPTS] = { "interrupts", BCOSLOG_INTEGER, "interrupts" },
	[FAULTS] = { "faults", BCOSLOG_INTEGER, "generic events that report an error" },
	[LATENCIES] = { "latencies", BCOSLOG_INTEGER, "how often a transfer followed an interrupt" },
	[LATENCY_MIN] = { "latency_min", BCOSLOG_INTEGER, "the shortest time from an interrupt to its transfer, ns" },
	[LATENCY_P50] = { "latency_p50", BCOSLOG_INTEGER, "the median of these, ns, with an error of at most 1/16" },
	[LATENCY_P99] = { "latency_p99", BCOSLOG_INTEGER, "the 99th percentile, likewise" },
	[LATENCY_MAX] = { "latency_max", BCOSLOG_INTEGER, "the longest one, ns" },
	[LATENCY_MAX_TS] = { "latency_max_ts", BCOSLOG_INTEGER, "when that ended, ns since boot" },
	[STACKED] = { "stacked", BCOSLOG_INTEGER, "1 if it passes its transfers on to other devices: sums over all devices leave it out" },
	[COMPLETE] = { "complete", BCOSLOG_INTEGER, "1 if nothing was lost that these sums count; 0 if they are lower bounds" },
};

_Static_assert(sizeof(device_columns) / sizeof(device_columns[0]) == DEVICE_COLUMNS, "each column has a name");

static void set_latency(struct bcoslog_value *row, const struct bcoslog_account_device *device)
{
	struct bcoslog_latency latency;

	bcoslog_account_latency(device, &latency);
	value_set(&row[LATENCIES], latency.count);
	if (!latency.count)
		return;
	value_set(&row[LATENCY_MIN], latency.minimum);
	value_set(&row[LATENCY_P50], latency.median);
	value_set(&row[LATENCY_P99], latency.ninety_nine);
	value_set(&row[LATENCY_MAX], latency.maximum);
	value_set(&row[LATENCY_MAX_TS], latency.maximum_at);
}

static void add_device(void *context, const struct bcoslog_account_device *device)
{
	struct bcoslog_rows *rows = context;
	struct bcoslog_value *row = rows_add(rows);
	const char *former;
	size_t length;

	if (!row)
		return;
	value_set(&row[UDID], (u64)rows_udid(device));
	value_set(&row[ID], device->id);
	value_set_kept(rows, &row[NAME], device->name, device->name_length);
	former = bcoslog_account_former_device_name(device, 0, &length);
	value_set_kept(rows, &row[FORMER], former, former ? length : 0);
	value_set(&row[DRIVER], device->driver);
	value_set(&row[START_TS], device->start);
	if (device->ended)
		value_set(&row[END_TS], device->end);
	value_set(&row[INPUT], device->input);
	value_set(&row[OUTPUT], device->output);
	value_set(&row[INPUTS], device->inputs);
	value_set(&row[OUTPUTS], device->outputs);
	value_set(&row[INTERRUPTS], device->interrupts);
	value_set(&row[FAULTS], device->faults);
	set_latency(row, device);
	value_set(&row[STACKED], device->stacked);
	value_set(&row[COMPLETE], !rows->damaged && !device->at_least && !device->lost);
}

static void begin_device(struct bcoslog_rows *rows, struct bcoslog_account_options *sinks)
{
	(void)rows;
	sinks->device_ended = add_device;
}

static void end_device(struct bcoslog_rows *rows)
{
	const struct bcoslog_account_device *device = NULL;

	while ((device = bcoslog_account_next_device(rows->account, device)))
		add_device(rows, device);
}

const struct rows_kind rows_of_device = {
	.table = {
		.name = "device",
		.about = "a device, from the beginning to the end of one owner of a device ID",
		.columns = device_columns,
		.count = DEVICE_COLUMNS,
	},
	.account = true,
	.keeps = 1ull << NAME | 1ull << FORMER,
	.begin = begin_device,
	.end = end_device,
};

/* ---- transfer ------------------------------------------------------------------------------------ */

enum { T_TS, T_UDID, T_ID, T_DEVICE, T_DIRECTION, T_BYTES, TRANSFER_COLUMNS };

static const struct bcoslog_rows_column transfer_columns[] = {
	[T_TS] = { "ts", BCOSLOG_INTEGER, "when it was, ns since boot" },
	[T_UDID] = { "udid", BCOSLOG_INTEGER, "the device, as in the table device" },
	[T_ID] = { "id", BCOSLOG_INTEGER, "the ID of the device" },
	[T_DEVICE] = { "device", BCOSLOG_TEXT, "the name of the device" },
	[T_DIRECTION] = { "direction", BCOSLOG_TEXT, "input or output" },
	[T_BYTES] = { "bytes", BCOSLOG_INTEGER, "its bytes" },
};

_Static_assert(sizeof(transfer_columns) / sizeof(transfer_columns[0]) == TRANSFER_COLUMNS, "each column has a name");

static void add_transfer(void *context, const struct bcoslog_account_device *device, bool output, __u64 time, __u32 bytes)
{
	struct bcoslog_rows *rows = context;
	struct bcoslog_value *row;

	if (!rows_wants_time(rows, time))
		return;
	row = rows_add(rows);
	if (!row)
		return;
	value_set(&row[T_TS], time);
	value_set(&row[T_UDID], (u64)rows_udid(device));
	value_set(&row[T_ID], device->id);
	value_set_kept(rows, &row[T_DEVICE], device->name, device->name_length);
	value_set_word(&row[T_DIRECTION], output ? "output" : "input");
	value_set(&row[T_BYTES], bytes);
}

static void begin_transfer(struct bcoslog_rows *rows, struct bcoslog_account_options *sinks)
{
	(void)rows;
	sinks->transfer = add_transfer;
}

const struct rows_kind rows_of_transfer = {
	.table = {
		.name = "transfer",
		.about = "a transfer of a device",
		.columns = transfer_columns,
		.count = TRANSFER_COLUMNS,
	},
	.account = true,
	.instant = true,
	.keeps = 1ull << T_DEVICE | 1ull << T_DIRECTION,
	.begin = begin_transfer,
};

/* ---- interrupt ----------------------------------------------------------------------------------- */

enum { I_TS, I_UDID, I_ID, I_DEVICE, I_IRQ, INTERRUPT_COLUMNS };

static const struct bcoslog_rows_column interrupt_columns[] = {
	[I_TS] = { "ts", BCOSLOG_INTEGER, "when it was, ns since boot" },
	[I_UDID] = { "udid", BCOSLOG_INTEGER, "the device, as in the table device" },
	[I_ID] = { "id", BCOSLOG_INTEGER, "the ID of the device" },
	[I_DEVICE] = { "device", BCOSLOG_TEXT, "the name of the device" },
	[I_IRQ] = { "irq", BCOSLOG_INTEGER, "the number of the interrupt" },
};

_Static_assert(sizeof(interrupt_columns) / sizeof(interrupt_columns[0]) == INTERRUPT_COLUMNS, "each column has a name");

static void interrupt_entry(struct bcoslog_rows *rows, const struct bcos_entry *entry)
{
	const struct bcoslog_account_device *device;
	struct bcoslog_value *row;

	if (entry->type != BCOS_IRQ || !rows_wants_time(rows, entry->time))
		return;
	row = rows_add(rows);
	if (!row)
		return;
	value_set(&row[I_TS], entry->time);
	value_set(&row[I_ID], entry->source);
	value_set(&row[I_IRQ], ((const struct bcos_irq *)entry)->number);
	device = bcoslog_account_device(rows->account, entry->source);
	if (!device)
		return;
	value_set(&row[I_UDID], (u64)rows_udid(device));
	value_set_kept(rows, &row[I_DEVICE], device->name, device->name_length);
}

const struct rows_kind rows_of_interrupt = {
	.table = {
		.name = "interrupt",
		.about = "an interrupt of a device",
		.columns = interrupt_columns,
		.count = INTERRUPT_COLUMNS,
	},
	.account = true,
	.instant = true,
	.keeps = 1ull << I_DEVICE,
	.entry = interrupt_entry,
};
