// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The text of OpenMetrics 1.0: families, labels and values, and # EOF. */
#include "entry/text.h"
#include "metrics.h"

/* Puts what comes before the samples of a metric: its type and help. */
static void put_family(FILE *out, const char *name, const char *type, const char *unit, const char *help)
{
	fprintf(out, "# TYPE %s %s\n", name, type);
	if (unit)
		fprintf(out, "# UNIT %s %s\n", name, unit);
	fprintf(out, "# HELP %s %s\n", name, help);
}

/*
 * Puts a name as the value of a label: as other commands show it, so that it is harmless to a terminal, with backslash and
 * double quote escaped as the format wants it.
 */
static void put_name(FILE *out, const char *name, size_t length)
{
	const char *at = name, *end = name + length;
	char escape[ESCAPE_MAX];
	size_t n, i, escaped;

	for (; at < end; at += n ? n : 1) {
		n = escape_character(at, (size_t)(end - at), escape, &escaped);
		for (i = 0; n && i < escaped; i++) {
			if (escape[i] == '\\')
				putc('\\', out);
			putc(escape[i], out);
		}
		if (!n && *at == '"')
			putc('\\', out);
		if (!n)
			putc(*at, out);
	}
}

/* Puts "NAME_total{LABEL="", of a counter. */
static void put_begin(FILE *out, const char *name, const char *label)
{
	fprintf(out, "%s_total{%s=\"", name, label);
}

static void put_count(FILE *out, u64 value)
{
	fprintf(out, " %llu\n", (unsigned long long)value);
}

/* Puts ns as seconds, without rounding. */
static void put_seconds(FILE *out, u64 ns)
{
	fprintf(out, " %llu.%09llu\n", (unsigned long long)(ns / 1000000000), (unsigned long long)(ns % 1000000000));
}

/* Puts a counter of each series that is shown, and of the others, which have no name. */
static void put_series(FILE *out, const struct series_table *table, const char *name, const char *label, const char *more, int value,
		       void (*put)(FILE *out, u64 value))
{
	const struct series *series;
	size_t i;

	for (i = 0; i < table->shown; i++) {
		series = table->list[i];
		put_begin(out, name, label);
		put_name(out, series->name, series->length);
		fprintf(out, "\"%s}", more);
		put(out, series->value[value]);
	}
	put_begin(out, name, label);
	fprintf(out, "\"%s}", more);
	put(out, table->others[value]);
}

/* ---- processes -------------------------------------------------------------------------------- */

static void put_processes(FILE *out, const struct metrics *metrics)
{
	static const char *const kinds[ENDED_KINDS] = { "exit", "signal", "abnormal", "vanished", "unknown" };
	char more[32];
	int i;

	put_family(out, "bcos_cpu_seconds", "counter", "seconds",
		   "CPU time of processes, by the name at the end of each turn on a CPU; an empty comm has all other names. "
		   "A lower bound while bcos_lower_bound of assignments is 1.");
	put_series(out, &metrics->names, "bcos_cpu_seconds", "comm", "", NAME_CPU_NS, put_seconds);
	put_family(out, "bcos_turns", "counter", NULL,
		   "How often a CPU was assigned to a process. A lower bound while bcos_lower_bound of assignments is 1.");
	put_series(out, &metrics->names, "bcos_turns", "comm", "", NAME_TURNS, put_count);
	put_family(out, "bcos_cgroup_cpu_seconds", "counter", "seconds",
		   "CPU time of processes, by the control group at the end of each turn on a CPU; an empty cgroup has all other groups, and "
		   "what the log does not tell (class who). A lower bound while bcos_lower_bound of assignments is 1.");
	put_series(out, &metrics->groups, "bcos_cgroup_cpu_seconds", "cgroup", "", NAME_CPU_NS, put_seconds);
	put_family(out, "bcos_cgroup_turns", "counter", NULL,
		   "How often a CPU was assigned to a process, likewise. A lower bound while bcos_lower_bound of assignments is 1.");
	put_series(out, &metrics->groups, "bcos_cgroup_turns", "cgroup", "", NAME_TURNS, put_count);
	put_family(out, "bcos_processes_started", "counter", NULL,
		   "Births of processes, by the first name, which is that of the parent until a program is executed. "
		   "A lower bound while bcos_lower_bound of lives is 1.");
	put_series(out, &metrics->names, "bcos_processes_started", "comm", "", NAME_STARTED, put_count);
	put_family(out, "bcos_processes_executed", "counter", NULL,
		   "Changes of the name of a process, as by exec, by the new name. "
		   "A lower bound while bcos_lower_bound of lives is 1.");
	put_series(out, &metrics->names, "bcos_processes_executed", "comm", "", NAME_EXECUTED, put_count);
	put_family(out, "bcos_processes_ended", "counter", NULL,
		   "Ends of processes: exit, signal, abnormal, vanished (the end was overwritten) or "
		   "unknown (the status was lost). A lower bound while bcos_lower_bound of lives is 1.");
	for (i = 0; i < ENDED_KINDS; i++) {
		snprintf(more, sizeof(more), ",kind=\"%s\"", kinds[i]);
		put_series(out, &metrics->names, "bcos_processes_ended", "comm", more, NAME_ENDED + i, put_count);
	}
	put_family(out, "bcos_oom_kills", "counter", NULL,
		   "Processes that the out-of-memory killer chose. A lower bound while bcos_lower_bound of events is 1.");
	put_series(out, &metrics->names, "bcos_oom_kills", "comm", "", NAME_OOM, put_count);
}

static void put_kill(FILE *out, const char *name, size_t length, u32 number, u64 count)
{
	const char *signal = bcoslog_signal(number);

	put_begin(out, "bcos_processes_killed", "comm");
	put_name(out, name, length);
	if (signal)
		fprintf(out, "\",signal=\"%s\"}", signal);
	else
		fprintf(out, "\",signal=\"%u\"}", number);
	put_count(out, count);
}

/* Signals above this have no series of their own, as no system has them. */
#define SIGNALS 128

static void put_kills(FILE *out, const struct metrics *metrics)
{
	u64 others[SIGNALS] = { 0 }, unkept = metrics->kills.unkept[0];
	const struct series *series, *name;
	size_t i;

	put_family(out, "bcos_processes_killed", "counter", NULL,
		   "Ends of processes by a signal; the pairs of name and signal that came. "
		   "A lower bound while bcos_lower_bound of lives is 1.");
	for (i = 0; i < metrics->kills.count; i++) {
		series = metrics->kills.list[i];
		name = series_find(&metrics->names, series->name, series->length, 0);
		if (series->number >= SIGNALS)
			unkept += series->value[0];
		else if (name && name->shown)
			put_kill(out, series->name, series->length, series->number, series->value[0]);
		else
			others[series->number] += series->value[0];
	}
	for (i = 0; i < SIGNALS; i++)
		if (others[i])
			put_kill(out, "", 0, (u32)i, others[i]);
	if (!unkept)
		return;
	put_begin(out, "bcos_processes_killed", "comm");
	fprintf(out, "\",signal=\"\"}");
	put_count(out, unkept);
}

/* ---- CPUs and devices --------------------------------------------------------------------------- */

static void put_uses(FILE *out, const struct metrics *metrics)
{
	static const char *const uses[BCOSLOG_USES] = { "process", "kernel", "idle", "unknown" };
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(metrics->report->account);
	int use;

	put_family(out, "bcos_cpu_use_seconds", "counter", "seconds",
		   "What all CPUs did while they were online. What was lost is unknown, and no other time is guessed.");
	for (use = 0; use < BCOSLOG_USES; use++) {
		put_begin(out, "bcos_cpu_use_seconds", "use");
		fprintf(out, "%s\"}", uses[use]);
		put_seconds(out, totals->time[use]);
	}
}

static void put_directions(FILE *out, const struct metrics *metrics, const char *name, int from, int to)
{
	put_series(out, &metrics->devices, name, "device", ",direction=\"input\"", from, put_count);
	put_series(out, &metrics->devices, name, "device", ",direction=\"output\"", to, put_count);
}

static void put_devices(FILE *out, const struct metrics *metrics)
{
	put_family(out, "bcos_device_bytes", "counter", "bytes",
		   "Bytes that devices transferred. A device that passes transfers on to others, such as a RAID, has them "
		   "once more. A lower bound while bcos_lower_bound of transfers is 1.");
	put_directions(out, metrics, "bcos_device_bytes", DEVICE_INPUT, DEVICE_OUTPUT);
	put_family(out, "bcos_device_transfers", "counter", NULL,
		   "Transfers of devices, likewise. A lower bound while bcos_lower_bound of transfers is 1.");
	put_directions(out, metrics, "bcos_device_transfers", DEVICE_INPUTS, DEVICE_OUTPUTS);
	put_family(out, "bcos_device_faults", "counter", NULL,
		   "Events of devices that report an error. A lower bound while bcos_lower_bound of events or transfers is "
		   "1.");
	put_series(out, &metrics->devices, "bcos_device_faults", "device", "", DEVICE_FAULTS, put_count);
	put_family(out, "bcos_device_interrupts", "counter", NULL,
		   "Interrupts of devices. A lower bound while bcos_lower_bound of interrupts is 1.");
	put_series(out, &metrics->devices, "bcos_device_interrupts", "device", "", DEVICE_INTERRUPTS, put_count);
}

static void put_lines(FILE *out, const struct metrics *metrics)
{
	const struct series_table *lines = &metrics->lines;
	const struct series *series;
	size_t i;

	put_family(out, "bcos_line_interrupts", "counter", NULL,
		   "Interrupts by the line that the kernel numbers, and its device; the lines that interrupted. "
		   "A lower bound while bcos_lower_bound of interrupts is 1.");
	for (i = 0; i < lines->shown; i++) {
		series = lines->list[i];
		put_begin(out, "bcos_line_interrupts", "device");
		put_name(out, series->name, series->length);
		fprintf(out, "\",line=\"%u\"}", series->number);
		put_count(out, series->value[0]);
	}
	put_begin(out, "bcos_line_interrupts", "device");
	fprintf(out, "\",line=\"\"}");
	put_count(out, lines->others[0]);
}

/* ---- the log ------------------------------------------------------------------------------------- */

static void put_losses(FILE *out, const struct metrics *metrics)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(metrics->report->account);
	char kinds[LOST_KINDS_TEXT];
	size_t i;

	put_family(out, "bcos_lower_bound", "gauge", NULL,
		   "1 if events of this kind were lost, or not recorded, in the time that is counted: what counts them is a lower "
		   "bound.");
	for (i = 0; i < LOSS_KINDS; i++)
		fprintf(out, "bcos_lower_bound{kind=\"%s\"} %u\n", lost_kinds(kinds, sizeof(kinds), 1u << i),
			      totals->lost >> i & 1);
	put_family(out, "bcos_losses", "counter", NULL,
		   "What the log states as lost or not recorded, once that has ended, by the kinds of events that are "
		   "missing there.");
	for (i = 0; i < metrics->loss_count; i++) {
		put_begin(out, "bcos_losses", "kinds");
		fprintf(out, "%s\"}", metrics->losses[i].kinds);
		put_count(out, metrics->losses[i].count);
	}
	put_family(out, "bcos_lost_events", "counter", NULL,
		   "Events that are missing there, as far as the log tells the number: a lower bound.");
	for (i = 0; i < metrics->loss_count; i++) {
		put_begin(out, "bcos_lost_events", "kinds");
		fprintf(out, "%s\"}", metrics->losses[i].kinds);
		put_count(out, metrics->losses[i].events);
	}
}

static void put_log(FILE *out, const struct metrics *metrics)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(metrics->report->account);

	put_family(out, "bcos_log_begin_seconds", "gauge", "seconds",
		   "When the counted part of the log begins, in seconds since boot.");
	fprintf(out, "bcos_log_begin_seconds");
	put_seconds(out, totals->begin);
	put_family(out, "bcos_log_end_seconds", "gauge", "seconds", "When it ends: the newest entry, in seconds since boot.");
	fprintf(out, "bcos_log_end_seconds");
	put_seconds(out, totals->end);
	put_family(out, "bcos_log_entries", "counter", NULL, "Entries that were read.");
	fprintf(out, "bcos_log_entries_total");
	put_count(out, totals->entries);
	put_family(out, "bcos_log_bytes", "counter", "bytes", "The size of these entries.");
	fprintf(out, "bcos_log_bytes_total");
	put_count(out, metrics->bytes);
	put_family(out, "bcos_names_shown", "gauge", NULL,
		   "Names of processes that have series of their own; all others are together under an empty comm.");
	fprintf(out, "bcos_names_shown");
	put_count(out, metrics->names.shown);
}

void exposition_put(FILE *out, const struct metrics *metrics)
{
	put_uses(out, metrics);
	put_processes(out, metrics);
	put_kills(out, metrics);
	put_devices(out, metrics);
	put_lines(out, metrics);
	put_losses(out, metrics);
	put_log(out, metrics);
	fprintf(out, "# EOF\n");
}
