/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parts that the drawings of reports share: rows along an axis of time, or bars along one of values. */
#ifndef BCOSLOG_CHART_H
#define BCOSLOG_CHART_H

#include "svg.h"
#include "timeline.h"
#include "views/report.h"

/* Where rows begin and how wide they are, pixels; names are to the left of them. */
#define CHART_X 200.0
#define CHART_WIDTH 740.0
/* Places of the first row, and from one to the next. */
#define CHART_Y 64.0
#define CHART_ROW 44.0
#define CHART_BAR 36.0
#define CHART_LINE 20.0
/* A table with more rows is drawn in part, which is printed. */
#define CHART_ROWS 200

/* The report's sink @unknown: what the log does not tell of, to be marked. */
void chart_unknown(void *context, __u32 lost, __u64 begin, __u64 end);

/* A drawing of @rows rows of @height along the time of the report. */
void chart_begin(const struct report *report, const char *title, size_t rows, double height);
/* Begins a drawing without that axis. */
void chart_rows(size_t rows, double height);
/* Marks what was lost of the kinds @lost, and ends it. */
void chart_end(u32 lost);
/* Marks stretches in which some entry belongs to one or another stretch of @width: its time is not known so well. */
void chart_imprecise(u64 width);
/* Where a moment is. */
double chart_x(u64 time);
/* Where a row begins, and its name. */
double chart_row(size_t row);
void chart_name(size_t row, const char *name, size_t length);
void chart_window(u64 *begin, u64 *end);
/* A class for what is of a bucket, which may reach out of the window: "process" or "process partial". */
const char *chart_class(char *text, size_t size, const char *class, const struct timeline *timeline, size_t bucket);

/* Columns of a table. */
struct bars {
	const char *title;
	size_t id, name, value, more;	/* @more: a larger value drawn after it; 0: there is none */
};

/* A bar for each row of a table.  As table_end(). */
int chart_bars(const struct report *report, struct table_rows *table, const struct bars *bars);

struct spans {
	const char *title;
	size_t id, name, begin, end;
	size_t tip, class;		/* texts; 0: the times, and "process" */
	bool apart;
};

/* A stretch of time for each row of a table; rows of one ID in one line, unless they are @apart.  As table_end(). */
int chart_spans(const struct report *report, struct table_rows *table, const struct spans *spans);

/* Complains that a drawing over time lacks memory, or that its stretches are too short.  Return: -ENOMEM. */
int chart_failed(bool overflow);

#endif
