// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables of a server: see tables.h. */
#include <string.h>

#include "tables.h"

static const struct ship_column common[] = {
	[SHIP_MACHINE] = { "machine", SHIP_WORD, false, NULL, "the ID of the machine; its name after \"host \" if the recording has no ID" },
	[SHIP_HOST] = { "host", SHIP_WORD, false, NULL, "the name of the machine" },
	[SHIP_BOOT] = { "boot", SHIP_WORD, false, NULL, "the ID of the boot" },
	[SHIP_ID] = { "id", SHIP_U64, false, NULL, "what tells rows of equal keys apart, the same when a row is sent again" },
	[SHIP_VERSION] = { "version", SHIP_U64, false, NULL, "of rows with one key the one with the greatest version is valid" },
	[SHIP_DATE] = { "day", SHIP_DAY, false, NULL, "the day of wall_ns, UTC; 1970-01-01 where that is unknown" },
	[SHIP_WALL_NS] = { "wall_ns", SHIP_I64, true, NULL, "the latest that the wall clock showed at that time, ns since 1970, UTC" },
	[SHIP_WALL_ERROR_NS] = { "wall_error_ns", SHIP_I64, true, NULL, "by how much earlier it may have shown that, ns; NULL: by more "
		"than 4.29 s, or unknown. How right that clock was is unknown" },
};

_Static_assert(sizeof(common) / sizeof(common[0]) == SHIP_OWN, "each column has a name");

static const struct ship_column life[] = {
	{ "end_ts", SHIP_I64, true, "end_ts", "when it ended, ns since boot; NULL if that is unknown" },
	{ "pid", SHIP_U32, true, "pid", "its process ID, which others may have before and after" },
	{ "name", SHIP_WORD, false, "name", "its newest name; empty if the log has none" },
	{ "former", SHIP_WORD, true, "former", "its name before that" },
	{ "start_ts", SHIP_I64, true, "start_ts", "when it began, ns since boot" },
	{ "start_error_ns", SHIP_I64, true, "start_error_ns", "by how much later it may have begun, ns" },
	{ "end_kind", SHIP_WORD, true, "end_kind", "how it ended: exit, signal, abnormal, vanished (its end was overwritten) or unknown" },
	{ "exit_code", SHIP_U32, true, "exit_code", "the code that it gave to exit()" },
	{ "signal", SHIP_U32, true, "signal", "the number of the signal that ended it" },
	{ "signal_name", SHIP_WORD, true, "signal_name", "the name of that signal" },
	{ "signal_by", SHIP_WORD, true, "signal_by", "who sent it: user or kernel" },
	{ "killer_pid", SHIP_U32, true, "killer_pid", "the process that sent it; 0 is the kernel" },
	{ "killer_name", SHIP_WORD, true, "killer_name", "the name of that process" },
	{ "killer_uid", SHIP_U32, true, "killer_uid", "the user of that process" },
	{ "oom", SHIP_U8, true, "oom", "1 if the out-of-memory killer chose it; NULL if the log does not say so" },
	{ "parent_pid", SHIP_U32, true, "parent_pid", "the process ID of its parent, if the log names that" },
	{ "parent_name", SHIP_WORD, true, "parent_name", "the name of its parent when it was born" },
	{ "uid", SHIP_U32, true, "uid", "its user, when it executed its newest program" },
	{ "path", SHIP_WORD, true, "path", "the path of that program" },
	{ "arguments", SHIP_TEXT, true, "arguments", "the arguments of that program, a JSON array" },
	{ "cgroup", SHIP_WORD, true, "cgroup", "its control group then" },
	{ "cpu_ns", SHIP_I64, true, "cpu_ns", "CPU time from counted_ts to its end, summed over CPUs, ns" },
	{ "turns", SHIP_I64, true, "turns", "how often a CPU was assigned to it since then" },
	{ "counted_ts", SHIP_I64, true, NULL, "since when cpu_ns and turns count, ns since boot: its begin, or that of what was shipped" },
	{ "complete", SHIP_U8, true, "complete", "1 if nothing was lost that these sums count; 0 if they are lower bounds" },
};

static const struct ship_column usage[] = {
	{ "ts", SHIP_I64, false, NULL, "when the step or its part begins, ns since boot" },
	{ "dur", SHIP_I64, false, NULL, "the length of the step of 10 s that begins at ts, or of the part of it that the machine has, ns" },
	{ "use", SHIP_WORD, false, NULL, "what the CPUs did: process, kernel, idle, or unknown where that was lost or not recorded" },
	{ "name", SHIP_WORD, false, NULL, "the name of the processes; empty if the log has none, or if no process had the CPUs" },
	{ "cpu_ns", SHIP_I64, false, NULL, "the time of CPUs, summed over CPUs, ns: that of all rows of a step is the time for which CPUs were online" },
};

static const struct ship_column event[] = {
	{ "ts", SHIP_I64, false, NULL, "when it was, ns since boot" },
	{ "error_ns", SHIP_I64, true, "error_ns", "by how much later it may have been, ns" },
	{ "subject", SHIP_WORD, true, "subject", "what it is about: process, core, CPU or device" },
	{ "subject_id", SHIP_U32, true, "id", "the ID of that" },
	{ "upid", SHIP_U64, true, "upid", "the process, as id in the table life" },
	{ "name", SHIP_WORD, true, "name", "the name of the process or device" },
	{ "severity", SHIP_U8, true, "severity", "how severe it is, from 0 to 255" },
	{ "severity_name", SHIP_WORD, true, "severity_name", "debug, info, error or critical" },
	{ "event_id", SHIP_U32, true, "event_id", "what it is, by number" },
	{ "event", SHIP_WORD, true, "event", "the meaning of that number, where bcos_evlog defines it" },
	{ "text", SHIP_TEXT, true, "text", "its text" },
};

static const struct ship_column loss[] = {
	{ "ts", SHIP_I64, false, NULL, "the earliest time of what is missing, ns since boot" },
	{ "dur", SHIP_I64, true, "dur", "the time from ts to the latest of what is missing, ns" },
	{ "cpu", SHIP_U32, true, "cpu", "the CPU that lost it; NULL: it concerns all CPUs" },
	{ "kinds", SHIP_WORD, true, "kinds", "the kinds of what is missing, in words" },
	{ "count", SHIP_U64, true, "count", "how many events or entries are missing; NULL if that is unknown" },
	{ "what", SHIP_WORD, true, "what", "what is missing, in the words of the log" },
	{ "why", SHIP_WORD, true, "why", "the reason" },
	{ "stated_ts", SHIP_I64, true, "stated_ts", "when the log states it, ns since boot; NULL: the sender noticed it, or this is the rest of a loss that began earlier" },
	{ "open", SHIP_U8, true, "open", "1 if the end is unknown, so that dur is a lower bound" },
	{ "bytes", SHIP_U64, true, "bytes", "bytes of the log that are damaged there; NULL: this is no damage" },
};

static const struct ship_column boots[] = {
	{ "ts", SHIP_I64, false, NULL, "the first time of which the machine has something, ns since boot" },
	{ "last_ts", SHIP_I64, true, NULL, "the time of the newest entry that the machine has recorded, ns since boot" },
	{ "last_wall_ns", SHIP_I64, true, NULL, "what the wall clock showed then, ns since 1970, UTC" },
	{ "shipped_ts", SHIP_I64, true, NULL, "what was before this time is in the other tables, ns since boot" },
	{ "entries", SHIP_U64, true, NULL, "how many entries the machine has of the boot now" },
	{ "losses", SHIP_U64, true, NULL, "how many of them state a loss" },
	{ "bytes", SHIP_U64, true, NULL, "the size of its files" },
	{ "ended", SHIP_TEXT, true, NULL, "how it ended, where the log states that, such as a panic; NULL: it goes on, or nobody knows" },
	{ "kernel", SHIP_WORD, true, NULL, "the release of its kernel and the architecture; NULL if the log does not state it" },
};

#define TABLE(about, key, columns) about, key, columns, sizeof(columns) / sizeof((columns)[0])

const struct ship_table ship_tables[SHIP_TABLES] = {
	[SHIP_LIFE] = { "life", TABLE("a process that has ended; id is its upid",
				      "name, machine, boot, id", life) },
	[SHIP_USAGE] = { "usage", TABLE("the CPU time of the processes of a name in a step of 10 s, or a use of CPUs by no process",
					"name, machine, boot, ts, id", usage) },
	[SHIP_EVENT] = { "event", TABLE("an event of at least the severity that is shipped",
					"machine, boot, ts, id", event) },
	[SHIP_LOSS] = { "loss", TABLE("what is missing: the log states it, it is damaged, or the recorder deleted it unsent",
				      "machine, boot, ts, id", loss) },
	[SHIP_BOOTS] = { "boot", TABLE("a boot of a machine: the newest row tells how far it was shipped",
				       "machine, boot, id", boots) },
};

const struct ship_column *ship_column(const struct ship_table *table, size_t number)
{
	if (number < SHIP_OWN)
		return &common[number];
	return number - SHIP_OWN < table->count ? &table->columns[number - SHIP_OWN] : NULL;
}

size_t ship_find(const struct ship_table *table, const char *name)
{
	const struct ship_column *column;
	size_t i;

	for (i = 0; (column = ship_column(table, i)) && strcmp(column->name, name); i++)
		;
	return i;
}

bool ship_may_be_without(const char *name)
{
	const struct ship_column *column;
	bool found = false;
	size_t i, j;

	for (i = 0; i < SHIP_TABLES; i++)
		for (j = 0; (column = ship_column(&ship_tables[i], j)); j++) {
			if (strcmp(column->name, name))
				continue;
			/* One that stays in any table would not be left out. */
			if (!column->nullable || column->type > SHIP_WORD)
				return false;
			found = true;
		}
	return found;
}

/* ---- the statements ------------------------------------------------------------------------------- */

/* For how many days a server keeps a row, until somebody changes that. */
#define KEEP_DAYS 30

static const char *type_of(const struct ship_column *column, enum ship_dialect dialect)
{
	static const char *const types[] = { "String", "String", "UInt8", "UInt32", "UInt64", "Int64", "Date" };
	static const char *const nullable[] = { "Nullable(String)", "Nullable(String)", "Nullable(UInt8)", "Nullable(UInt32)",
						"Nullable(UInt64)", "Nullable(Int64)", "Nullable(Date)" };

	if (column->type == SHIP_WORD && dialect == SHIP_NOW)
		return column->nullable ? "LowCardinality(Nullable(String))" : "LowCardinality(String)";
	return (column->nullable ? nullable : types)[column->type];
}

/* Times of a machine grow by little, so their differences take less room. */
static const char *codec_of(const struct ship_column *column, enum ship_dialect dialect)
{
	bool time = column->type == SHIP_I64 || column->type == SHIP_U64;

	if (dialect != SHIP_NOW || column->type == SHIP_WORD)
		return "";
	return time && !column->nullable ? " CODEC(Delta, ZSTD)" : " CODEC(ZSTD)";
}

void ship_schema(void (*write)(const char *format, ...), enum ship_dialect dialect)
{
	const struct ship_column *column;
	const struct ship_table *table;
	size_t i;

	for (table = ship_tables; table < ship_tables + SHIP_TABLES; table++) {
		write("CREATE TABLE IF NOT EXISTS %s\n(\n", table->name);
		write("\t-- %s\n", table->about);
		for (i = 0; (column = ship_column(table, i)); i++)
			write("\t%s %s%s%s -- %s\n", column->name, type_of(column, dialect), codec_of(column, dialect),
			      ship_column(table, i + 1) ? "," : "", column->about);
		write(")\nENGINE = ReplacingMergeTree(version)\nPARTITION BY day\nORDER BY (%s)", table->key);
		/* Rows without a known day are not older than others, and stay. */
		if (dialect == SHIP_NOW)
			write("\nTTL day + INTERVAL %d DAY DELETE WHERE day > toDate('1970-01-01')", KEEP_DAYS);
		write(";\n\n");
	}
}
