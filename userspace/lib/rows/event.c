// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables event, call and clock. */
#include "buffer.h"
#include "core/format/entry.h"

/* ---- event ------------------------------------------------------------------------------------- */

enum { TS, ERROR_NS, SUBJECT, ID, UPID, NAME, SEVERITY, SEVERITY_NAME, EVENT_ID, EVENT, TEXT, EVENT_COLUMNS };

static const struct bcoslog_rows_column event_columns[] = {
	[TS] = { "ts", BCOSLOG_INTEGER, "when it was, ns since boot" },
	[ERROR_NS] = { "error_ns", BCOSLOG_INTEGER, "by how much later it may have been, ns" },
	[SUBJECT] = { "subject", BCOSLOG_TEXT, "what it is about: process, core, CPU or device" },
	[ID] = { "id", BCOSLOG_INTEGER, "the ID of that" },
	[UPID] = { "upid", BCOSLOG_INTEGER, "the process, as in the table process" },
	[NAME] = { "name", BCOSLOG_TEXT, "the name of the process or device" },
	[SEVERITY] = { "severity", BCOSLOG_INTEGER, "how severe it is, from 0 to 255" },
	[SEVERITY_NAME] = { "severity_name", BCOSLOG_TEXT, "debug, info, error or critical" },
	[EVENT_ID] = { "event_id", BCOSLOG_INTEGER, "what it is, by number" },
	[EVENT] = { "event", BCOSLOG_TEXT, "the meaning of that number, where bcos_evlog defines it" },
	[TEXT] = { "text", BCOSLOG_TEXT, "its text" },
};

_Static_assert(sizeof(event_columns) / sizeof(event_columns[0]) == EVENT_COLUMNS, "each column has a name");

/* Sets the subject of an event. */
static void set_subject(struct bcoslog_rows *rows, struct bcoslog_value *row, const struct bcos_entry *entry)
{
	const struct bcoslog_account_process *process;
	const struct bcoslog_account_device *device;
	const struct known_process *known;

	value_set_word(&row[SUBJECT], bcoslog_subject(entry->type));
	value_set(&row[ID], entry->source);
	if (entry->type == BCOS_GENERIC_PROCESS) {
		process = bcoslog_account_process(rows->account, entry->source);
		known = process ? rows_process(rows, process) : NULL;
		if (!known)
			return;
		value_set(&row[UPID], (u64)known->upid);
		value_set_name(&row[NAME], known->name);
	} else if (entry->type == BCOS_GENERIC_DEVICE) {
		device = bcoslog_account_device(rows->account, entry->source);
		if (device)
			value_set_kept(rows, &row[NAME], device->name, device->name_length);
	}
}

static void event_entry(struct bcoslog_rows *rows, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	struct bcoslog_value *row;
	const char *text;
	size_t length;

	if (!bcoslog_is_generic(entry->type) || !rows_wants_time(rows, entry->time))
		return;
	row = rows_add(rows);
	if (!row)
		return;
	value_set(&row[TS], entry->time);
	if (entry->precision != UINT32_MAX)
		value_set(&row[ERROR_NS], entry->precision);
	set_subject(rows, row, entry);
	value_set(&row[SEVERITY], event->severity);
	value_set_word(&row[SEVERITY_NAME], bcoslog_severity(event->severity));
	value_set(&row[EVENT_ID], event->event_id);
	value_set_word(&row[EVENT], bcoslog_event(entry->type, event->event_id));
	text = bcoslog_text(entry, &length);
	value_set_text(&row[TEXT], rows_copy(rows, text, length), length);
}

const struct rows_kind rows_of_event = {
	.table = {
		.name = "event",
		.about = "a generic event: a line of the kernel's log, an event of a program, or what bcos_evlog states",
		.columns = event_columns,
		.count = EVENT_COLUMNS,
	},
	.account = true,
	.instant = true,
	.entry = event_entry,
};

/* ---- call ---------------------------------------------------------------------------------------- */

enum { C_TS, C_UPID, C_PID, C_NAME, C_NUMBER, C_COMPAT, CALL_COLUMNS };

static const struct bcoslog_rows_column call_columns[] = {
	[C_TS] = { "ts", BCOSLOG_INTEGER, "when it was, ns since boot; calls of one entry have one time" },
	[C_UPID] = { "upid", BCOSLOG_INTEGER, "the process, as in the table process" },
	[C_PID] = { "pid", BCOSLOG_INTEGER, "its process ID" },
	[C_NAME] = { "name", BCOSLOG_TEXT, "its name" },
	[C_NUMBER] = { "number", BCOSLOG_INTEGER, "the number of the system call; NULL if the log has none" },
	[C_COMPAT] = { "compat", BCOSLOG_INTEGER, "1 if it is a call of the 32-bit ABI" },
};

_Static_assert(sizeof(call_columns) / sizeof(call_columns[0]) == CALL_COLUMNS, "each column has a name");

static void call_entry(struct bcoslog_rows *rows, const struct bcos_entry *entry)
{
	const struct bcos_kernel_api *calls = (const struct bcos_kernel_api *)entry;
	size_t count = (entry->size - sizeof(*entry)) / sizeof(calls->function[0]), i;
	const struct bcoslog_account_process *process;
	const struct known_process *known;
	struct bcoslog_value *row;

	if (entry->type != BCOS_KERNEL_API || !rows_wants_time(rows, entry->time) || !rows_wants_pid(rows, entry->source))
		return;
	process = bcoslog_account_process(rows->account, entry->source);
	known = process ? rows_process(rows, process) : NULL;
	for (i = 0; i < count; i++) {
		row = rows_add(rows);
		if (!row)
			return;
		value_set(&row[C_TS], entry->time);
		if (known) {
			value_set(&row[C_UPID], (u64)known->upid);
			value_set_name(&row[C_NAME], known->name);
		}
		value_set(&row[C_PID], entry->source);
		if (calls->function[i] == BCOS_FUNCTION_NONE)
			continue;
		value_set(&row[C_NUMBER], calls->function[i] & ~BCOS_FUNCTION_COMPAT);
		value_set(&row[C_COMPAT], !!(calls->function[i] & BCOS_FUNCTION_COMPAT));
	}
}

const struct rows_kind rows_of_call = {
	.table = {
		.name = "call",
		.about = "a system call, where the class api was on",
		.columns = call_columns,
		.count = CALL_COLUMNS,
	},
	.account = true,
	.instant = true,
	.keeps = 1ull << C_NAME,
	.entry = call_entry,
};

/* ---- clock --------------------------------------------------------------------------------------- */

enum { W_TS, W_WALL_NS, W_WALL_ERROR_NS, CLOCK_COLUMNS };

static const struct bcoslog_rows_column clock_columns[] = {
	[W_TS] = { "ts", BCOSLOG_INTEGER, "when the wall clock was read, ns since boot" },
	[W_WALL_NS] = { "wall_ns", BCOSLOG_INTEGER, "what it showed, ns since 1970, UTC" },
	[W_WALL_ERROR_NS] = { "wall_error_ns", BCOSLOG_INTEGER, "by how much later than ts it may have shown that, ns" },
};

_Static_assert(sizeof(clock_columns) / sizeof(clock_columns[0]) == CLOCK_COLUMNS, "each column has a name");

static void clock_entry(struct bcoslog_rows *rows, const struct bcos_entry *entry)
{
	struct bcoslog_wall wall;
	struct bcoslog_value *row;

	if (entry->type != BCOS_GENERIC_PROCESS || !bcoslog_wall_clock(entry, &wall) || !rows_wants_time(rows, wall.boot))
		return;
	row = rows_add(rows);
	if (!row)
		return;
	value_set(&row[W_TS], wall.boot);
	value_set(&row[W_WALL_NS], wall.utc);
	if (wall.precision != UINT32_MAX)
		value_set(&row[W_WALL_ERROR_NS], wall.precision);
}

const struct rows_kind rows_of_clock = {
	.table = {
		.name = "clock",
		.about = "a reading of the wall clock that the log states",
		.columns = clock_columns,
		.count = CLOCK_COLUMNS,
	},
	.account = true,
	.instant = true,
	.entry = clock_entry,
};
