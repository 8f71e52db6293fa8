/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What bcoslog metrics counts, and the text of OpenMetrics that it prints. */
#ifndef BCOSLOG_VIEWS_METRICS_H
#define BCOSLOG_VIEWS_METRICS_H

#include "report/report.h"
#include "rows/missing.h"
#include "series.h"

/* The counters of processes by name; the first ones choose the names that are shown. */
enum { NAME_CPU_NS, NAME_STARTED, NAME_EXECUTED, NAME_TURNS, NAME_OOM, NAME_ENDED };

/* How processes ended: counter NAME_ENDED + ENDED_EXIT and so on. */
enum { ENDED_EXIT, ENDED_SIGNAL, ENDED_ABNORMAL, ENDED_VANISHED, ENDED_UNKNOWN, ENDED_KINDS };

_Static_assert(NAME_ENDED + ENDED_KINDS <= SERIES_VALUES, "a series has room for all");

/* The counters of devices by name. */
enum { DEVICE_INPUT, DEVICE_OUTPUT, DEVICE_INPUTS, DEVICE_OUTPUTS, DEVICE_INTERRUPTS, DEVICE_FAULTS, DEVICE_VALUES };

_Static_assert(DEVICE_VALUES <= SERIES_VALUES, "a series has room for all");

/* The kinds of events that can be lost: bits of BCOSLOG_LOST_*. */
#define LOSS_KINDS 9

/**
 * struct loss_sum - losses of the same kinds
 * @kinds: the kinds, in words
 * @count: how many there are
 * @events: how many events they tell of; those that tell no number count none
 */
struct loss_sum {
	char kinds[LOST_KINDS_TEXT];
	u64 count, events;
};

/**
 * struct metrics - what was counted
 * @report: the report whose log it is
 * @names: processes by name
 * @kills: deaths by signals by name, whose number is that of the signal
 * @devices: devices by name
 * @lines: interrupts by the name of the device, whose number is that of the line
 * @missing: what the log states as missing
 * @losses: sums of that
 * @loss_count: number of @losses
 * @bytes: size of the entries
 * @now: time of the newest entry that is not historical
 * @births: births when the entry that is being applied came
 * @execs: likewise changes of names
 * @output: file to write; NULL: standard output
 * @every: ns between two writes, with --follow
 * @failed: there was no memory
 */
struct metrics {
	struct report *report;
	struct series_table names, kills, devices, lines;
	struct missing missing;
	struct loss_sum *losses;
	size_t loss_count;
	u64 bytes, now, births, execs;
	const char *output;
	u64 every;
	bool failed;
};

/* Puts all metrics, once series_choose() has chosen what is shown. */
void exposition_put(const struct metrics *metrics);

#endif
