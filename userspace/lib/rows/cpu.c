// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables cpu and core: CPUs with their sums, and cores over time. */
#include "buffer.h"

/* ---- cpu --------------------------------------------------------------------------------------- */

enum { CPU, CORE, UP, ONLINE_NS, PROCESS_NS, KERNEL_NS, IDLE_NS, UNKNOWN_NS, TURNS, COMPLETE, CPU_COLUMNS };

static const struct bcoslog_rows_column cpu_columns[] = {
	[CPU] = { "cpu", BCOSLOG_INTEGER, "the CPU" },
	[CORE] = { "core", BCOSLOG_INTEGER, "its core" },
	[UP] = { "up", BCOSLOG_INTEGER, "1 if it is online at the end" },
	[ONLINE_NS] = { "online_ns", BCOSLOG_INTEGER, "for how long it was online, ns: the sum of the next four" },
	[PROCESS_NS] = { "process_ns", BCOSLOG_INTEGER, "time of processes, ns" },
	[KERNEL_NS] = { "kernel_ns", BCOSLOG_INTEGER, "time of the kernel, ns" },
	[IDLE_NS] = { "idle_ns", BCOSLOG_INTEGER, "time without work, ns" },
	[UNKNOWN_NS] = { "unknown_ns", BCOSLOG_INTEGER, "time of which nobody knows, ns" },
	[TURNS] = { "turns", BCOSLOG_INTEGER, "how often it was assigned" },
	[COMPLETE] = { "complete", BCOSLOG_INTEGER, "1 if no assignment was lost; 0 if turns is a lower bound" },
};

_Static_assert(sizeof(cpu_columns) / sizeof(cpu_columns[0]) == CPU_COLUMNS, "each column has a name");

static void add_cpu(struct bcoslog_rows *rows, const struct bcoslog_account_cpu *cpu)
{
	struct bcoslog_value *row;

	if (rows->options.cpu >= 0 && cpu->id != (u64)rows->options.cpu)
		return;
	row = rows_add(rows);
	if (!row)
		return;
	value_set(&row[CPU], cpu->id);
	value_set(&row[CORE], cpu->core);
	value_set(&row[UP], cpu->up);
	value_set(&row[ONLINE_NS], cpu->online);
	value_set(&row[PROCESS_NS], cpu->time[BCOSLOG_USE_PROCESS]);
	value_set(&row[KERNEL_NS], cpu->time[BCOSLOG_USE_KERNEL]);
	value_set(&row[IDLE_NS], cpu->time[BCOSLOG_USE_IDLE]);
	value_set(&row[UNKNOWN_NS], cpu->time[BCOSLOG_USE_UNKNOWN]);
	value_set(&row[TURNS], cpu->turns);
	value_set(&row[COMPLETE], !rows->damaged && !cpu->lost && !cpu->time[BCOSLOG_USE_UNKNOWN]);
}

static void end_cpu(struct bcoslog_rows *rows)
{
	const struct bcoslog_account_cpu *cpu = NULL;

	while ((cpu = bcoslog_account_next_cpu(rows->account, cpu)))
		add_cpu(rows, cpu);
}

const struct rows_kind rows_of_cpu = {
	.table = {
		.name = "cpu",
		.about = "a CPU that is or was online, and what it did in all",
		.columns = cpu_columns,
		.count = CPU_COLUMNS,
	},
	.account = true,
	.end = end_cpu,
};

/* ---- core -------------------------------------------------------------------------------------- */

enum { S_TS, S_DUR, S_CORE, S_CPUS, S_BUSY, S_PERFORMANCE, S_CAPACITY, S_POWER_MW, CORE_COLUMNS };

static const struct bcoslog_rows_column core_columns[] = {
	[S_TS] = { "ts", BCOSLOG_INTEGER, "when it began, ns since boot" },
	[S_DUR] = { "dur", BCOSLOG_INTEGER, "how long it lasted, ns" },
	[S_CORE] = { "core", BCOSLOG_INTEGER, "the core" },
	[S_CPUS] = { "cpus", BCOSLOG_INTEGER, "how many of its CPUs were online" },
	[S_BUSY] = { "busy", BCOSLOG_INTEGER, "how many of these executed a process or the kernel" },
	[S_PERFORMANCE] = { "performance", BCOSLOG_INTEGER, "instructions in 125 us of its busy CPUs together" },
	[S_CAPACITY] = { "capacity", BCOSLOG_INTEGER, "instructions in 125 us if all its CPUs were busy" },
	[S_POWER_MW] = { "power_mw", BCOSLOG_INTEGER, "its power in mW" },
};

_Static_assert(sizeof(core_columns) / sizeof(core_columns[0]) == CORE_COLUMNS, "each column has a name");

static void add_segment(void *context, const struct bcoslog_segment *segment)
{
	struct bcoslog_rows *rows = context;
	struct bcoslog_value *row;

	if (segment->begin == segment->end || !rows_wants_time(rows, segment->begin))
		return;
	row = rows_add(rows);
	if (!row)
		return;
	value_set(&row[S_TS], segment->begin);
	value_set(&row[S_DUR], segment->end - segment->begin);
	value_set(&row[S_CORE], segment->core);
	value_set(&row[S_CPUS], segment->cpus);
	value_set(&row[S_BUSY], segment->busy);
	if (segment->performance_known) {
		value_set(&row[S_PERFORMANCE], segment->performance);
		value_set(&row[S_CAPACITY], segment->capacity);
	}
	if (segment->power_known)
		value_set(&row[S_POWER_MW], 2 * (u64)segment->power);
}

static void begin_core(struct bcoslog_rows *rows, struct bcoslog_account_options *sinks)
{
	(void)rows;
	sinks->segment = add_segment;
}

const struct rows_kind rows_of_core = {
	.table = {
		.name = "core",
		.about = "a stretch of time for which nothing changed about a core",
		.columns = core_columns,
		.count = CORE_COLUMNS,
	},
	.account = true,
	.begin = begin_core,
};
