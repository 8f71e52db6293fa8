/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Writes a drawing as SVG to standard output: a document that stands alone, light or dark as its viewer is. Coordinates
 * are pixels of a drawing without zoom. Text of the log cannot be markup, since svg_text() and tips escape it.
 */
#ifndef BCOSLOG_SVG_H
#define BCOSLOG_SVG_H

#include "core/host/user.h"
#include "report/report.h"

/* The number of bytes to which text of the log is cut, and to which a tip is. */
#define SVG_TEXT 64
#define SVG_TIP 192

/* Begins a drawing. @title says what the drawing shows. */
void svg_begin(const char *title, double width, double height);
/* Ends the drawing. */
void svg_end(void);

/*
 * Draw a rectangle, whose @tip may be NULL, a line, and text of the log. @class is one of these: of shapes "process",
 * "kernel", "idle", "unknown" (hatched), "loss" (hatched, see-through), "in", "out" and "more"; of lines "axis",
 * "grid", "first" and "second"; of texts "title", "label" (which ends at @x), "tick" (centred at @x) and "note".
 */
void svg_rect(const char *class, double x, double y, double width, double height, const char *tip);
void svg_line(const char *class, double x1, double y1, double x2, double y2);
void svg_text(const char *class, double x, double y, const char *text, size_t length);
/* Draws text that is not from the log, by a format. */
void svg_note(const char *class, double x, double y, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Draw a line through points. A point with @begins is not connected with the one before it. */
void svg_path_begin(const char *class);
void svg_path_point(double x, double y, bool begins);
void svg_path_end(void);

/* ---- timeline.c ------------------------------------------------------------------ */

/* Amounts over time, in buckets that begin at multiples of their width. The width doubles until the whole log fits. */

#define TIMELINE_BUCKETS 256
#define TIMELINE_SERIES 5

/**
 * struct timeline - amounts of several series; zeros at first
 * @width: width of a bucket in ns; 0: nothing was added yet
 * @fixed: width that does not change; 0: the width doubles when it has to
 * @first: number of the first bucket: its time, divided by @width
 * @count: number of buckets up to the last one to which something was added
 * @overflow: with @fixed, not everything had room
 * @sum: the amounts
 */
struct timeline {
	u64 width, fixed, first;
	size_t count;
	bool overflow;
	double sum[TIMELINE_BUCKETS][TIMELINE_SERIES];
};

/*
 * Adds @amount to a series, spread evenly from @begin to @end, which may be equal. @origin is the same in all calls,
 * and no time is before it.
 */
void timeline_add(struct timeline *timeline, u64 origin, u64 begin, u64 end, unsigned int series, double amount);
/* Return: the begin of a bucket, or @begin if that is later. */
u64 timeline_from(const struct timeline *timeline, size_t bucket, u64 begin);
/* Return: the end of a bucket, or @end if that is earlier. */
u64 timeline_to(const struct timeline *timeline, size_t bucket, u64 end);

/* ---- chart.c, chart_table.c ------------------------------------------------------ */

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
/* Return: whether entries of the kinds @lost are lost somewhere from @begin to before @end. */
bool chart_lost(u32 lost, u64 begin, u64 end);
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

/**
 * struct bars - a drawing of bars, and the columns of the table that it shows
 * @title: its title
 * @id: column of the ID
 * @name: column of the name
 * @value: column of the value
 * @more: column of a larger value, whose bar lies under the other; 0: there is none
 * @unsure: column of the number of values that are not certain, and so in no other column; 0: there is none
 * @unsure_most: column of the largest of these
 * @class: gets the class of the bar of a row, whose cells it gets; NULL: all are of the class "process"
 */
struct bars {
	const char *title;
	size_t id, name, value, more, unsure, unsure_most;
	const char *(*class)(const struct cell *row);
};

/* Draws a bar for each row of the table, which it frees.  Return: as table_end(). */
int chart_bars(struct report *report, struct table_rows *table, const struct bars *bars);

/* The title of a drawing of stretches, and the columns of the table that it shows. */
struct spans {
	const char *title;
	size_t id, name, begin, end;
	size_t tip, class;		/* columns of texts; 0: the tip shows the times, and the class is "process" */
	size_t how;			/* column of a text that follows the times in the tip; 0: there is none */
	size_t unknown;			/* column of the unknown part of the stretch, which dims it; 0: there is none */
	u32 lost;			/* kinds (BCOSLOG_LOST_*) whose losses make the drawing incomplete */
	bool apart;			/* each row has a line of its own; else rows of the same ID share one */
	/* Tells whether the stretch may have ended where nobody saw it, which dims it; NULL: none may. */
	bool (*unsure)(const struct cell *row);
};

/* Draws a stretch of time for each row of the table, which it frees.  Return: as table_end(). */
int chart_spans(struct report *report, struct table_rows *table, const struct spans *spans);

/* Complains that a drawing needs more buckets than there are (@overflow), or more memory.  Return: -ENOMEM. */
int chart_failed(bool overflow);

/* ---- rows.c ---------------------------------------------------------------------- */

/* The rows of a drawing over time. A row is made when the log first has something for it. */

/**
 * struct svg_row - a row of a drawing
 * @kind: the kind of its subject, such as all CPUs or one; the drawing defines the numbers, by which rows are sorted
 * @id: the ID of its subject
 * @timeline: its amounts
 * @least: some amounts are lower bounds
 * @length: length of @name
 * @name: a name for the use of the drawing, zeros at first
 */
struct svg_row {
	u32 kind;
	u64 id;
	struct timeline timeline;
	bool least;
	size_t length;
	char name[SVG_TEXT];
};

/**
 * struct svg_rows - the rows of a drawing; zeros at first
 * @of: the rows
 * @count: number of rows
 * @fixed: the width of buckets in ns; 0: so wide that the whole log fits
 * @failed: there was no memory for a row
 */
struct svg_rows {
	struct svg_row **of;
	size_t count;
	u64 fixed;
	bool failed;
};

/* Return: the row of @kind and @id, which the first call makes, or NULL if there is no memory. */
struct svg_row *svg_row_of(struct svg_rows *rows, u32 kind, u64 id);

/* Sorts the rows by kind and ID. */
void svg_rows_sort(struct svg_rows *rows);

/* Return: false if a row is missing, or has no room for all of its buckets. */
bool svg_rows_whole(const struct svg_rows *rows);

/* Marks the stretches with entries whose precision exceeds the width of buckets. */
void svg_rows_imprecise(const struct svg_rows *rows);

/* Takes the row of this object out, if there is one. */
void svg_row_drop(struct svg_rows *rows, u32 kind, u64 id);

/* Frees the rows.  Return: 0, or -ENOMEM after a complaint if svg_rows_whole() is false. */
int svg_rows_end(struct svg_rows *rows);

/* ---- svg_cpu.c ------------------------------------------------------------------- */

/* Adds an interval to the drawing. @origin is the begin of the window. */
void svg_cpu_interval(struct svg_rows *rows, const struct bcoslog_interval *interval, u64 origin);
/* Draws the report at the end of the log, and frees the rows.  Return: 0, or a negative errno after a complaint. */
int svg_cpu_draw(struct svg_rows *rows, struct report *report);

/* ---- svg_io.c -------------------------------------------------------------------- */

/* Sets the width of buckets in ns. Without this call they are so wide that the whole log fits. */
void svg_io_width(u64 width);
/* These add a transfer, an interrupt and a failure of a device. @origin is the begin of the window. */
void svg_io_transfer(const struct bcoslog_account_device *device, u64 origin, bool out, u64 time, u32 bytes);
void svg_io_interrupt(const struct bcoslog_account_device *device, u64 origin, u64 time);
void svg_io_fault(const struct bcoslog_account_device *device, u64 origin, u64 time);
/* Takes the row of a device out. */
void svg_io_drop(const struct bcoslog_account_device *device);
/* Draws the report at the end of the log.  Return: 0, or a negative errno after a complaint. */
int svg_io_draw(struct report *report);

/* ---- svg_power.c ----------------------------------------------------------------- */

/* Adds a segment to the drawing. @origin is the begin of the window. */
void svg_power_segment(struct svg_rows *rows, const struct bcoslog_segment *segment, u64 origin);
/* Draws the report at the end of the log, and frees the rows.  Return: 0, or a negative errno after a complaint. */
int svg_power_draw(struct svg_rows *rows, struct report *report);

#endif
