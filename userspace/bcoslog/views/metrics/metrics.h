/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What bcoslog metrics counts, and the text of OpenMetrics that it prints. */
#ifndef BCOSLOG_VIEWS_METRICS_H
#define BCOSLOG_VIEWS_METRICS_H

#include <stdio.h>

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
 * @groups: processes by control group: the first counters of @names
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
 * @asks_every: the user chose @every
 * @failed: there was no memory
 */
struct metrics {
	struct report *report;
	struct series_table names, groups, kills, devices, lines;
	struct missing missing;
	struct loss_sum *losses;
	size_t loss_count;
	u64 bytes, now, births, execs;
	const char *output;
	u64 every;
	bool asks_every;
	bool failed;
};

/* Writes all metrics, once series_choose() has chosen what is shown. */
void exposition_put(FILE *out, const struct metrics *metrics);

/* ---- counter.c: metrics beside another use of a log ----------------------------------------- */

struct counter;

/* Return: NULL if there is no memory. */
struct counter *counter_new(void);
/* Counts entries. One thread may do so while another one asks for the text.  Return: 0 or -ENOMEM. */
int counter_add(struct counter *counter, const struct bcoslog_batch *batch);
/* Return: all metrics up to the newest entry, which the caller frees; NULL if there is no memory. */
char *counter_text(struct counter *counter, size_t *size);
/* Frees a counter.  NULL is ignored. */
void counter_free(struct counter *counter);

/* ---- metrics.c ------------------------------------------------------------------------------- */

/* Has the report count into the metrics. */
void metrics_begin(struct metrics *metrics, struct report *report);
/* Counts up to the newest entry, and writes all metrics.  Return: 0 or -ENOMEM. */
int metrics_put(struct metrics *metrics, FILE *out);
/* Frees what was counted, but not the users of the account. */
void metrics_free(struct metrics *metrics);

#endif
