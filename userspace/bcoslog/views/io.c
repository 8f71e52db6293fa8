// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog io: shows the transfers of devices, and how long after their interrupts they came (§7.4). */
#include <stdlib.h>

#include "buckets.h"
#include "command.h"
#include "account/report.h"
#include "options/filter.h"
#include "options/option.h"
#include "options/options.h"
#include "options/recorder_options.h"
#include "options/shared.h"
#include "output/output.h"
#include "report/course/io_course.h"
#include "rows.h"
#include "complain/complain.h"
#include "svg/svg.h"
#include "views/requests/requests.h"
#include "views/track/lives.h"

static const struct column columns[] = {
	{ "device", "device", CELL_ID },
	{ "name", "name", CELL_TEXT },
	{ "input_bytes", "in", CELL_BYTES },
	{ "output_bytes", "out", CELL_BYTES },
	{ "inputs", "transfers in", CELL_COUNT },
	{ "outputs", "out", CELL_COUNT },
	{ "interrupts", "interrupts", CELL_COUNT },
	{ "failures", "failed", CELL_COUNT },
	{ "latencies", NULL, CELL_COUNT },
	{ "latency_min_ns", NULL, CELL_SPAN },
	{ "latency_median_ns", "latency", CELL_SPAN },
	{ "latency_99_ns", "99 %", CELL_SPAN },
	{ "latency_max_ns", "max", CELL_SPAN },
	{ "latency_max_at", NULL, CELL_TIME },
	{ "batched", NULL, CELL_COUNT },
	{ "unprompted", NULL, CELL_COUNT },
	{ "fruitless_interrupts", NULL, CELL_COUNT },
	{ "stacked", NULL, CELL_NUMBER },
	{ "former_name", NULL, CELL_TEXT },
	{ "latency_precision_ns", NULL, CELL_SPAN },
	{ "course", "bytes", CELL_COURSE },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))
#define COURSE (COLUMNS - 1)

static const char *const sum_names[IO_SUMS] = { "all storage", "all network", "all user I/O", "all others", "all" };

static void add_device(struct io_sum *sum, const struct bcoslog_account_device *device)
{
	sum->input += device->input;
	sum->output += device->output;
	sum->inputs += device->inputs;
	sum->outputs += device->outputs;
	sum->interrupts += device->interrupts;
	sum->faults += device->faults;
	sum->lost |= device->lost;
}

void io_begin(struct io_rows *rows, bool courses)
{
	memset(rows, 0, sizeof(*rows));
	table_begin(&rows->table, columns, courses ? COLUMNS : COURSE);
	rows->table.spare = "inputs outputs failures latency_99_ns device latency_median_ns";
}

/* The loss of these kinds makes counts of failures lower bounds: transfers fail, and drivers tell of errors. */
#define LOST_FAILURES (BCOSLOG_LOST_TRANSFERS | BCOSLOG_LOST_EVENTS)
/* Likewise of latencies, from an interrupt to a transfer. */
#define LOST_LATENCIES (BCOSLOG_LOST_TRANSFERS | BCOSLOG_LOST_INTERRUPTS)

/* Sets the cells from input_bytes to failures. @lost: kinds BCOSLOG_LOST_* of what was lost. */
static void sum_cells(struct cell *cells, const struct io_sum *sum)
{
	bool least = sum->lost & BCOSLOG_LOST_TRANSFERS;

	cells[0] = cell_sum(sum->input, least);
	cells[1] = cell_sum(sum->output, least);
	cells[2] = cell_sum(sum->inputs, least);
	cells[3] = cell_sum(sum->outputs, least);
	cells[4] = cell_sum(sum->interrupts, sum->lost & BCOSLOG_LOST_INTERRUPTS);
	cells[5] = cell_sum(sum->faults, sum->lost & LOST_FAILURES);
}

/* Sets the cells from latencies to latency_max_at. */
static void latency_cells(struct cell *cells, const struct bcoslog_latency *latency, bool lost)
{
	cells[0] = cell_sum(latency->count, lost);
	if (!latency->count)
		return;
	cells[1] = cell_at_most(latency->minimum, lost);
	cells[2] = cell_about(latency->median, lost);
	cells[3] = cell_about(latency->ninety_nine, lost);
	cells[4] = cell_sum(latency->maximum, lost);
	cells[5] = CELL_OF(latency->maximum_at);
}

/* Is the error of a latency larger than that of the buckets in which the account counts latencies? */
static bool is_rough(const struct cell *latency, u64 precision)
{
	return !latency->absent && precision > 1 && precision > latency->number / 16;
}

void io_row(struct io_rows *rows, const struct bcoslog_account_device *device, const struct bcoslog_latency *latency,
	    u64 precision, const char *former)
{
	struct io_sum sum = { 0 };
	struct cell cells[COLUMNS];
	char id[16], name[FULL_NAME];
	size_t i;

	if (!device->inputs && !device->outputs && !device->interrupts && !device->faults)
		return;
	if (!device->stacked) {
		add_device(&rows->sums[device->id >> 30], device);
		add_device(&rows->sums[IO_SUMS - 1], device);
	}
	snprintf(id, sizeof(id), "0x%08X", device->id);
	for (i = 0; i < COLUMNS; i++)
		cells[i] = CELL_NONE;
	add_device(&sum, device);
	cells[0] = CELL_WORD(id);
	cells[1] = full_name(name, device->name, device->name_length, rows->people ? former : "");
	sum_cells(&cells[2], &sum);
	latency_cells(&cells[8], latency, device->lost & LOST_LATENCIES);
	for (i = 9; i < 13; i++)
		cells[i].about |= is_rough(&cells[i], precision);
	cells[14] = cell_sum(device->batched, device->lost & LOST_LATENCIES);
	cells[15] = cell_at_most(device->unprompted, device->lost & BCOSLOG_LOST_INTERRUPTS);
	cells[16] = cell_at_most(device->fruitless, device->lost & BCOSLOG_LOST_TRANSFERS);
	cells[17] = CELL_OF(device->stacked);
	if (*former)
		cells[18] = CELL_WORD(former);
	if (latency->count)
		cells[19] = CELL_EXACT(precision);
	table_row(&rows->table, cells);
}

static void sum_row(struct io_rows *rows, unsigned int which)
{
	const struct io_sum *sum = &rows->sums[which];
	struct cell cells[COLUMNS];
	size_t i;

	for (i = 0; i < COLUMNS; i++)
		cells[i] = CELL_NONE;
	cells[0] = CELL_WORD("");
	cells[1] = CELL_WORD(sum_names[which]);
	sum_cells(&cells[2], sum);
	if (rows->table.width == COLUMNS)
		io_course_sum(which, rows->table.rows);
	table_row(&rows->table, cells);
}

static int most_bytes(const struct cell *left, const struct cell *right)
{
	u64 a = left[2].number + left[3].number, b = right[2].number + right[3].number;

	if (a != b)
		return a > b ? -1 : 1;
	return memcmp(left->text, right->text, left->length < right->length ? left->length : right->length);
}

void io_end(struct io_rows *rows)
{
	size_t i;

	table_sort(&rows->table, most_bytes);
	for (i = 0; i < IO_SUMS - 1; i++)
		if (rows->sums[i].inputs || rows->sums[i].outputs || rows->sums[i].interrupts || rows->sums[i].faults)
			sum_row(rows, i);
	sum_row(rows, IO_SUMS - 1);
}

/* ---- stretches of time ---------------------------------------------------------------- */

struct flow {
	u64 input, output, inputs, outputs, interrupts, faults;
};

/**
 * struct io - the state of bcoslog io
 * @report: its report
 * @devices: the rows of devices, and the sums
 * @flows: the sums of all devices in stretches, with --every
 * @faults_before: the failures of the device of an event before the account gets the event
 * @last: the transfer before the present one
 */
struct io {
	struct report *report;
	struct io_rows devices;
	struct buckets flows;
	u64 faults_before;
	struct transfer {
		u64 serial, time;
		bool out, full;
	} last;
};

static const struct column flow_columns[] = {
	BUCKET_HEADS,
	{ "input_bytes", "in", CELL_BYTES },
	{ "output_bytes", "out", CELL_BYTES },
	{ "input_bytes_per_second", "in/s", CELL_BYTES },
	{ "output_bytes_per_second", "out/s", CELL_BYTES },
	{ "inputs", "transfers in", CELL_COUNT },
	{ "outputs", "out", CELL_COUNT },
	{ "interrupts", "interrupts", CELL_COUNT },
	{ "failures", "failed", CELL_COUNT },
};

static struct cell byte_rate(u64 bytes, const struct bucket_row *row)
{
	return cell_sum(row->seconds > 0 ? (u64)((double)bytes / row->seconds + 0.5) : 0,
			row->lost & BCOSLOG_LOST_TRANSFERS);
}

static void fill_bucket(struct cell *cells, const struct bucket_row *row)
{
	const struct flow *flow = row->counted;
	bool least = row->lost & BCOSLOG_LOST_TRANSFERS;

	cells[0] = cell_sum(flow->input, least);
	cells[1] = cell_sum(flow->output, least);
	cells[2] = byte_rate(flow->input, row);
	cells[3] = byte_rate(flow->output, row);
	cells[4] = cell_sum(flow->inputs, least);
	cells[5] = cell_sum(flow->outputs, least);
	cells[6] = cell_sum(flow->interrupts, row->lost & BCOSLOG_LOST_INTERRUPTS);
	cells[7] = cell_sum(flow->faults, row->lost & LOST_FAILURES);
}

/* The counts of a device, while options choose devices: a name that the device gets later may choose it. */
struct held {
	struct held_flow {
		u64 time;		/* a time in the bucket */
		struct flow flow;
	} *of;
	size_t count, room;
};

/* Return: the counts of a device in the bucket of @time; NULL if there is no memory. */
static struct flow *held_flow(struct io *io, const struct bcoslog_account_device *device, u64 time)
{
	struct held *held = device->user;
	struct held_flow *larger;
	size_t room;

	if (!held) {
		held = calloc(1, sizeof(*held));
		bcoslog_account_set_device_user(device, held);
	}
	if (held && held->count && held->of[held->count - 1].time / io->flows.every == time / io->flows.every)
		return &held->of[held->count - 1].flow;
	if (held && held->count == held->room) {
		room = held->room ? 2 * held->room : 64;
		larger = reallocarray(held->of, room, sizeof(*larger));
		held->of = larger ? larger : held->of;
		held->room = larger ? room : held->room;
	}
	if (!held || held->count == held->room) {
		io->flows.failed = true;
		return NULL;
	}
	held->of[held->count] = (struct held_flow){ .time = time };
	return &held->of[held->count++].flow;
}

/* Without --every a device has a course, which io_course_free() frees. */
static void leave_course(void *user)
{
	(void)user;
}

static void free_held(void *user)
{
	struct held *held = user;

	free(held->of);
	free(held);
}

/* Counts what was held back of a device, if it is chosen, and frees it. */
static void release_flows(struct io *io, const struct bcoslog_account_device *device)
{
	u64 origin = bcoslog_account_totals(io->report->account)->begin;
	struct held *held = device->user;
	bool chosen = filter_wants_use(&io->report->session->filter, device);
	struct flow *flow, *add;
	size_t i;

	for (i = 0; held && chosen && i < held->count; i++) {
		add = &held->of[i].flow;
		flow = buckets_at(&io->flows, origin, held->of[i].time);
		if (!flow)
			break;
		flow->input += add->input;
		flow->output += add->output;
		flow->inputs += add->inputs;
		flow->outputs += add->outputs;
		flow->interrupts += add->interrupts;
		flow->faults += add->faults;
	}
	if (held)
		free_held(held);
	bcoslog_account_set_device_user(device, NULL);
}

/* Return: the bucket of @time, or NULL if the device does not count in the sums of all devices, or without --every. */
static struct flow *flow_of(struct io *io, const struct bcoslog_account_device *device, u64 time)
{
	const struct report *report = io->report;

	if (!io->flows.every || report->form == TABLE_SVG || device->stacked)
		return NULL;
	if (filter_has_devices(&report->session->filter))
		return held_flow(io, device, time);
	return buckets_at(&io->flows, bcoslog_account_totals(report->account)->begin, time);
}

static void io_interrupt(void *context, const struct bcoslog_account_device *device, __u64 time)
{
	struct io *io = context;
	struct report *report = io->report;
	struct flow *flow = flow_of(io, device, time);

	report->happens = true;
	if (flow)
		flow->interrupts++;
	if (report->form == TABLE_SVG)
		svg_io_interrupt(device, bcoslog_account_totals(report->account)->begin, time);
}

static void io_fault(struct io *io, const struct bcoslog_account_device *device, u64 time)
{
	struct report *report = io->report;
	struct flow *flow = flow_of(io, device, time);

	report->happens = true;
	if (flow)
		flow->faults++;
	if (report->form == TABLE_SVG)
		svg_io_fault(device, bcoslog_account_totals(report->account)->begin, time);
}

/*
 * A transfer of more bytes than 32 bits hold is several entries with the same time. Is the entry one of these, but not
 * the first?
 */
static bool is_part(struct transfer *last, const struct bcoslog_account_device *device, bool out, u64 time, u32 bytes)
{
	bool part = last->full && last->serial == device->serial && last->time == time && last->out == out;

	last->serial = device->serial;
	last->time = time;
	last->out = out;
	last->full = bytes == 0xFFFFFFFFu;
	return part;
}

static void io_unknown(void *context, __u32 lost, __u64 begin, __u64 end)
{
	struct io *io = context;

	chart_unknown(context, lost, begin, end);
	buckets_unknown(&io->flows, lost, begin, end);
}

static int take_every(struct arguments *arguments, const char *text)
{
	struct io *io = ((struct report *)arguments->context)->context;

	if (buckets_take(&io->flows, text))
		return -1;
	svg_io_width(io->flows.every);
	return 0;
}

static int take_by(struct arguments *arguments, const char *text)
{
	struct report *report = arguments->context;

	if (requests_choose(text)) {
		complain("--by takes process, device, cgroup, user, parent or name, and not \"%s\"", text);
		return -1;
	}
	report->no_process = NULL;
	recorder_wants(arguments->session, BCOS_CLASS_REQUEST);
	return 0;
}

static int take_histogram(struct arguments *arguments, const char *text)
{
	(void)arguments, (void)text;
	requests_choose_histogram();
	return 0;
}

static int io_ready(struct report *report, struct arguments *arguments)
{
	struct io *io = report->context;

	(void)arguments;
	report->free_user = io->flows.every ? free_held : leave_course;
	if (!requests_chosen() && filter_has_cgroups(&report->session->filter)) {
		complain("io tells of devices: leave --cgroup out, or see io --by cgroup");
		return -1;
	}
	if (requests_chosen() && io->flows.every) {
		complain("--every tells of all devices together: leave --by out");
		return -1;
	}
	return requests_ready(report);
}

/* ---- the report ----------------------------------------------------------------------- */

static void row_of_device(struct io *io, const struct bcoslog_account_device *device)
{
	const struct report *report = io->report;
	struct bcoslog_latency latency;
	char former[FORMER_TEXT];
	size_t rows = io->devices.table.rows;

	if (!filter_wants_use(&report->session->filter, device))
		return;
	bcoslog_account_latency(device, &latency);
	io->devices.people = report->form == TABLE_TEXT;
	io_row(&io->devices, device, &latency, bcoslog_account_latency_precision(device),
	       former_device_names(former, device));
	if (io->devices.table.rows > rows)
		io_course_row(device, bcoslog_account_totals(report->account)->begin, rows);
}

/* Takes a device whose names are all known. */
static void take_device(struct io *io, const struct bcoslog_account_device *device)
{
	const struct report *report = io->report;

	if (report->form == TABLE_SVG && !filter_wants_use(&report->session->filter, device))
		svg_io_drop(device);
	else if (report->form != TABLE_SVG && io->flows.every)
		release_flows(io, device);
	else if (report->form != TABLE_SVG)
		row_of_device(io, device);
}

static void io_ended(void *context, const struct bcoslog_account_device *device)
{
	take_device(context, device);
}

static bool transfers_lost(const void *context, u64 begin, u64 end)
{
	const struct io *io = context;

	return buckets_lost(&io->flows, begin, end) & BCOSLOG_LOST_TRANSFERS;
}

static void io_transfer(void *context, const struct bcoslog_account_device *device, bool out, __u64 time, __u32 bytes)
{
	struct io *io = context;
	struct report *report = io->report;
	u64 origin = bcoslog_account_totals(report->account)->begin;
	struct flow *flow = flow_of(io, device, time);
	bool part = is_part(&io->last, device, out, time, bytes);

	report->happens = true;
	if (flow && out) {
		flow->output += bytes;
		flow->outputs += !part;
	} else if (flow) {
		flow->input += bytes;
		flow->inputs += !part;
	}
	if (io->flows.every && report->form != TABLE_SVG)
		return;
	if (report->form == TABLE_SVG)
		svg_io_transfer(device, origin, out, time, bytes);
	else
		io_course_transfer(device, origin, time, bytes);
}

static int io_before(struct report *report, const struct bcos_entry *entry)
{
	const struct bcoslog_account_device *device;
	struct io *io = report->context;

	if (entry->type != BCOS_GENERIC_DEVICE)
		return 0;
	device = bcoslog_account_device(report->account, entry->source);
	io->faults_before = device ? device->faults : 0;
	return 0;
}

static int io_after(struct report *report, const struct bcos_entry *entry)
{
	const struct bcoslog_account_device *device;
	struct io *io = report->context;

	if (requests_chosen())
		return requests_entry(report, entry);
	if (entry->type == BCOS_GENERIC_DEVICE) {
		device = bcoslog_account_device(report->account, entry->source);
		if (device && device->faults != io->faults_before)
			io_fault(io, device, entry->time);
	}
	if (entry->type == BCOS_DEVICE_INPUT || entry->type == BCOS_DEVICE_OUTPUT || entry->type == BCOS_IRQ)
		report_note_precision(report, entry);
	return 0;
}

static int print_io(struct report *report)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(report->account);
	const struct bcoslog_account_device *device = NULL;
	struct io *io = report->context;
	size_t sum, devices;
	int error;

	if (requests_chosen())
		return requests_print(report);
	while ((device = bcoslog_account_next_device(report->account, device)))
		take_device(io, device);
	if (report->form == TABLE_SVG)
		return svg_io_draw(report);
	if (io->flows.every)
		return buckets_print(report, &io->flows, flow_columns, sizeof(flow_columns) / sizeof(*flow_columns),
				     "failures outputs inputs end", fill_bucket);
	/* Lost entries may belong to a device that the log does not name, so all sums are lower bounds. */
	for (sum = 0; sum < IO_SUMS; sum++)
		io->devices.sums[sum].lost |= totals->lost;
	/* Rows of devices have to be filled before io_end() sorts them, and rows of sums after it has added them. */
	io_course_fill_devices(&io->devices.table, totals->begin, totals->end, transfers_lost, io);
	devices = io->devices.table.rows;
	io_end(&io->devices);
	if (totals->lost & BCOSLOG_LOST_INTERRUPTS && !totals->losses && !totals->overtaken)
		complain("the class irq was off: where it was, there are no latencies, and interrupts are missing");
	io_course_fill_sums(&io->devices.table, totals->begin, totals->end, transfers_lost, io);
	error = report_table(report, &io->devices.table);
	report->rows = devices;
	return error;
}

static void end_io(struct report *report)
{
	struct io *io = report->context;

	requests_end();
	table_free(&io->devices.table);
	buckets_free(&io->flows);
	io_course_free();
}

static int cmd_io(struct session *session, int argc, char **argv)
{
	struct io io = { .flows.size = sizeof(struct flow) };
	struct report report = {
		.context = &io,
		.no_process = "io tells of devices: leave --process out, or see io --by process",
		.ready = io_ready,
		.no_cpu = "io tells of devices, and the log does not say for which CPU they work: leave --cpu out",
		.no_core = "io tells of devices, and the log does not say for which core they work: leave --core out",
		.command = &command_io,
		.print = print_io,
		.free_user = leave_course,
		.end = end_io,
		.svg = true,
		.lists = "device with transfers, interrupts or failures",
		.lists_lost = BCOSLOG_LOST_TRANSFERS | BCOSLOG_LOST_INTERRUPTS | BCOSLOG_LOST_EVENTS,
		.entry = io_before,
		.after = io_after,
		.sinks = {.device_ended = io_ended,
			  .process_ended = requests_process_ended,
			  .transfer = io_transfer,
			  .interrupt = io_interrupt,
			  .unknown = io_unknown},
	};

	io.report = &report;
	io_begin(&io.devices, true);
	return report_run(session, &report, argc, argv);
}

static const struct option_spec options[] = {
	{ .name = "by", .value = "process|device|" GROUP_VALUES, .word = "WHAT", .take = take_by,
	  .help = "show requests of disks, a row for each process or device, or for all processes of a control group (cgroup), "
		  "user, parent or name (class request)" },
	{ .name = "histogram", .take = take_histogram,
	  .help = "with --by, show how many requests took how long, a row for each power of two" },
	{ .name = "every", .value = "WIDTH", .take = take_every,
	  .help = "all devices together, a row for each stretch, such as 1s; with --svg stretches of this width" },
	{ .name = NULL },
};

const struct command command_io = {
	.name = "io",
	.summary = "show bytes and interrupts of the devices",
	.usage = "bcoslog io [OPTIONS] [LOG]",
	.about =
"Shows the transfers of each device: bytes in and out, transfers, interrupts,\n"
"failures, and the time from an interrupt to the data after it (median, 99th\n"
"percentile, maximum).  Sums over several devices leave out stacked devices,\n"
"which pass their transfers on to others.  A line of blocks shows the bytes over\n"
"time, as shares of the greatest value.",
	.options = { options, cgroup_options, device_row_options, DRAWN_REPORT_OPTIONS },
	.silent = report_refused_options,
	.after = REPORT_AFTER,
	.status = STATUS_OF_LOG,
	.records = true,
	.takes_program = true,
	.run = cmd_io,
};
