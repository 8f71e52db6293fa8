// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table off: for how long processes had no CPU. */
#include "buffer.h"

enum { TS, DUR, UPID, PID, NAME, CPU, UNKNOWN_NS, BEGINS, COLUMNS };

static const struct bcoslog_rows_column columns[] = {
	[TS] = { "ts", BCOSLOG_INTEGER, "when it lost its last CPU, ns since boot" },
	[DUR] = { "dur", BCOSLOG_INTEGER, "how long it had none, ns: an upper bound if unknown_ns is not 0" },
	[UPID] = { "upid", BCOSLOG_INTEGER, "the process, as in the table process" },
	[PID] = { "pid", BCOSLOG_INTEGER, "its process ID" },
	[NAME] = { "name", BCOSLOG_TEXT, "its name" },
	[CPU] = { "cpu", BCOSLOG_INTEGER, "the CPU that it got at the end" },
	[UNKNOWN_NS] = { "unknown_ns", BCOSLOG_INTEGER, "for how long of that it may have run unseen, ns" },
	[BEGINS] = { "begins", BCOSLOG_INTEGER, "0 if it began before the time that --since chooses, so that it is longer" },
};

_Static_assert(sizeof(columns) / sizeof(columns[0]) == COLUMNS, "each column has a name");

static void add_stretch(void *context, const struct bcoslog_stretch *stretch)
{
	struct bcoslog_rows *rows = context;
	const struct known_process *known;
	struct bcoslog_value *row;

	if (!rows_wants_time(rows, stretch->begin) || !rows_wants_pid(rows, stretch->process->id))
		return;
	known = rows_process(rows, stretch->process);
	row = known ? rows_add(rows) : NULL;
	if (!row)
		return;
	value_set(&row[TS], stretch->begin);
	value_set(&row[DUR], stretch->end - stretch->begin);
	value_set(&row[UPID], (u64)known->upid);
	value_set(&row[PID], stretch->process->id);
	value_set_name(&row[NAME], known->name);
	value_set(&row[CPU], stretch->cpu);
	value_set(&row[UNKNOWN_NS], stretch->unknown);
	value_set(&row[BEGINS], !stretch->cut);
}

static void begin_off(struct bcoslog_rows *rows, struct bcoslog_account_options *sinks)
{
	(void)sinks;
	rows->stretch = add_stretch;
}

const struct rows_kind rows_of_off = {
	.table = {
		.name = "off",
		.about = "a stretch of time for which a process had no CPU, between two turns",
		.columns = columns,
		.count = COLUMNS,
	},
	.account = true,
	.threads = true,
	.keeps = 1ull << NAME,
	.begin = begin_off,
};
