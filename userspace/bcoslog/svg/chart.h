/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions that the drawings of reports share: rows along an axis of time, or bars along an axis of values. */
#ifndef BCOSLOG_CHART_H
#define BCOSLOG_CHART_H

#include "report/report.h"
#include "svg.h"
#include "timeline.h"

/* The left edge and the width of rows, in pixels. Names are to the left of rows. */
#define CHART_X 200.0
#define CHART_WIDTH 740.0
/* In pixels: the top of the first row; the height of a high row, of the drawing in it, and of a low row. */
#define CHART_Y 64.0
#define CHART_ROW 44.0
#define CHART_BAR 36.0
#define CHART_LINE 20.0
/* If a table has more rows, the first of them are drawn, and a note says so. */
#define CHART_ROWS 200

/* The sink @unknown of the account: notes a stretch of which entries are lost, which chart_end() marks. */
void chart_unknown(void *context, __u32 lost, __u64 begin, __u64 end);

/* Begins a drawing of @rows rows of @height pixels along the time of the report, and draws the axis. */
void chart_begin(const struct report *report, const char *title, size_t rows, double height);
/* Sets the rows of a drawing without an axis of time, for chart_row() and chart_name(). */
void chart_rows(size_t rows, double height);
/* Marks the stretches in which entries of the kinds @lost (BCOSLOG_LOST_*) are lost, and ends the drawing. */
void chart_end(u32 lost);
/* Marks the stretches with entries whose precision exceeds @width, in ns. */
void chart_imprecise(u64 width);
/* Return: the x coordinate of a time, in ns since boot. */
double chart_x(u64 time);
/* Return: the y coordinate of the top of a row. */
double chart_row(size_t row);
/* Draws the name of a row. */
void chart_name(size_t row, const char *name, size_t length);
/* Gets the time of the drawing, in ns since boot. */
void chart_window(u64 *begin, u64 *end);
/* Return: @text with a class for a bucket: "process", or "process partial" if the bucket exceeds that time. */
const char *chart_class(char *text, size_t size, const char *class, const struct timeline *timeline, size_t bucket);

/* The title of a drawing of bars, and the columns of the table that it shows. */
struct bars {
	const char *title;
	size_t id, name, value, more;	/* @more: a larger value, whose bar lies under the other; 0: there is none */
};

/* Draws a bar for each row of the table, which it frees.  Return: as table_end(). */
int chart_bars(struct report *report, struct table_rows *table, const struct bars *bars);

/* The title of a drawing of stretches, and the columns of the table that it shows. */
struct spans {
	const char *title;
	size_t id, name, begin, end;
	size_t tip, class;		/* columns of texts; 0: the tip shows the times, and the class is "process" */
	size_t unknown;			/* column of the unknown part of the stretch, which dims it; 0: there is none */
	bool apart;			/* each row has a line of its own; else rows of the same ID share one */
};

/* Draws a stretch of time for each row of the table, which it frees.  Return: as table_end(). */
int chart_spans(struct report *report, struct table_rows *table, const struct spans *spans);

/* Complains that a drawing needs more buckets than there are (@overflow), or more memory.  Return: -ENOMEM. */
int chart_failed(bool overflow);

#endif
