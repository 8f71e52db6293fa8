// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table run: what each CPU did, from when until when. */
#include "buffer.h"

enum { TS, DUR, CPU, CORE, USE, UPID, PID, NAME, COLUMNS };

static const struct bcoslog_rows_column columns[] = {
	[TS] = { "ts", BCOSLOG_INTEGER, "when it began, ns since boot" },
	[DUR] = { "dur", BCOSLOG_INTEGER, "how long it lasted, ns; what lasts at the end of the log ends there" },
	[CPU] = { "cpu", BCOSLOG_INTEGER, "the CPU" },
	[CORE] = { "core", BCOSLOG_INTEGER, "the core of the CPU" },
	[USE] = { "use", BCOSLOG_TEXT, "what the CPU did: process, kernel, idle, or unknown where that was lost or not recorded" },
	[UPID] = { "upid", BCOSLOG_INTEGER, "the process, as in the table process" },
	[PID] = { "pid", BCOSLOG_INTEGER, "its process ID, which others may have before and after" },
	[NAME] = { "name", BCOSLOG_TEXT, "its name at the end of this run" },
};

_Static_assert(sizeof(columns) / sizeof(columns[0]) == COLUMNS, "each column has a name");

static const char *const uses[] = { "process", "kernel", "idle", "unknown" };

static bool is_wanted(const struct bcoslog_rows_options *options, const struct bcoslog_interval *interval)
{
	if (options->cpu >= 0 && interval->cpu != (u64)options->cpu)
		return false;
	if (options->pid >= 0 && (!interval->process || interval->process->id != (u64)options->pid))
		return false;
	return (s64)interval->begin >= options->from && (s64)interval->begin <= options->to;
}

static void take_interval(void *context, const struct bcoslog_interval *interval)
{
	struct bcoslog_rows *rows = context;
	const struct known_process *process;
	struct bcoslog_value *row;

	/* No time at all is unknown before the first entry that tells of the CPU. */
	if (interval->use == BCOSLOG_USE_UNKNOWN && interval->begin == interval->end)
		return;
	if (!is_wanted(&rows->options, interval))
		return;
	row = rows_add(rows);
	if (!row)
		return;
	value_set(&row[TS], interval->begin);
	value_set(&row[DUR], interval->end - interval->begin);
	value_set(&row[CPU], interval->cpu);
	value_set(&row[CORE], interval->core);
	value_set_word(&row[USE], uses[interval->use]);
	if (!interval->process)
		return;
	process = rows_process(rows, interval->process);
	if (!process)
		return;
	value_set(&row[UPID], (u64)process->upid);
	value_set(&row[PID], interval->process->id);
	value_set_name(&row[NAME], process->name);
}

static void begin_run(struct bcoslog_rows *rows, struct bcoslog_account_options *sinks)
{
	(void)rows;
	sinks->interval = take_interval;
}

const struct rows_kind rows_of_run = {
	.table = {
		.name = "run",
		.about = "a stretch of time for which the use of a CPU did not change: it executed one process or the kernel, "
			 "was idle, or nobody knows",
		.columns = columns,
		.count = COLUMNS,
	},
	.account = true,
	.timed = true,
	.keeps = 1ull << USE | 1ull << NAME,
	.begin = begin_run,
};
