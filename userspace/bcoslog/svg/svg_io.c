// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Draws the report of bcoslog io: the bytes of each device over time, input upwards and output downwards. */
#include "entry/text.h"
#include "svg.h"

enum series { IN, OUT, INTERRUPTS, FAULTS };

static struct svg_rows io_drawn;

void svg_io_width(u64 width)
{
	io_drawn.fixed = width;
}

/* Return: the row of a device, whose name it updates; NULL if there is no memory. */
static struct svg_row *row_of(const struct bcoslog_account_device *device)
{
	struct svg_row *row = svg_row_of(&io_drawn, 0, device->serial);

	if (!row)
		return NULL;
	row->length = utf8_fit(device->name, device->name_length, sizeof(row->name));
	if (row->length)
		memcpy(row->name, device->name, row->length);
	return row;
}

static void count_transfer(const struct bcoslog_account_device *device, u64 origin, u64 time, enum series series,
			   double amount)
{
	struct svg_row *row = row_of(device);

	if (row)
		timeline_add(&row->timeline, origin, time, time, series, amount);
}

void svg_io_transfer(const struct bcoslog_account_device *device, u64 origin, bool out, u64 time, u32 bytes)
{
	count_transfer(device, origin, time, out ? OUT : IN, bytes);
}

void svg_io_interrupt(const struct bcoslog_account_device *device, u64 origin, u64 time)
{
	count_transfer(device, origin, time, INTERRUPTS, 1);
}

void svg_io_fault(const struct bcoslog_account_device *device, u64 origin, u64 time)
{
	count_transfer(device, origin, time, FAULTS, 1);
}

void svg_io_drop(const struct bcoslog_account_device *device)
{
	svg_row_drop(&io_drawn, 0, device->serial);
}

static double most_of(const struct svg_row *row)
{
	double most = 0;
	size_t i;

	for (i = 0; i < row->timeline.count; i++) {
		most = row->timeline.sum[i][IN] > most ? row->timeline.sum[i][IN] : most;
		most = row->timeline.sum[i][OUT] > most ? row->timeline.sum[i][OUT] : most;
	}
	return most;
}

/* Return: the mark of a lower bound if entries of the kinds @lost are lost in the bucket, else "". */
static const char *at_least(const struct svg_row *row, size_t bucket, u32 lost)
{
	u64 begin, end;

	chart_window(&begin, &end);
	return chart_lost(lost, timeline_from(&row->timeline, bucket, begin), timeline_to(&row->timeline, bucket, end)) ? ">=" : "";
}

static void draw_bucket(const struct svg_row *row, size_t bucket, double middle, double most)
{
	const double *sum = row->timeline.sum[bucket];
	double x, width, half = CHART_BAR / 2;
	char class[32], tip[96];
	const char *least;
	u64 begin, end;

	chart_window(&begin, &end);
	x = chart_x(timeline_from(&row->timeline, bucket, begin));
	width = chart_x(timeline_to(&row->timeline, bucket, end)) - x;
	least = at_least(row, bucket, BCOSLOG_LOST_TRANSFERS);
	snprintf(tip, sizeof(tip), "%s%.0f bytes in, %s%.0f bytes out", least, sum[IN], least, sum[OUT]);
	if (sum[IN] > 0)
		svg_rect(chart_class(class, sizeof(class), "in", &row->timeline, bucket), x,
			 middle - half * sum[IN] / most, width < 1 ? 1 : width, half * sum[IN] / most, tip);
	if (sum[OUT] > 0)
		svg_rect(chart_class(class, sizeof(class), "out", &row->timeline, bucket), x, middle,
			 width < 1 ? 1 : width, half * sum[OUT] / most, tip);
}

/* Marks interrupts on the line in the middle, and failures below the row. */
static void draw_marks(const struct svg_row *row, size_t bucket, double y)
{
	const double *sum = row->timeline.sum[bucket];
	u64 begin, end;
	char tip[96];
	double x;

	chart_window(&begin, &end);
	x = chart_x(timeline_from(&row->timeline, bucket, begin));
	if (sum[INTERRUPTS] > 0) {
		snprintf(tip, sizeof(tip), "interrupts: %s%.0f", at_least(row, bucket, BCOSLOG_LOST_INTERRUPTS), sum[INTERRUPTS]);
		svg_rect("kernel", x, y + CHART_BAR / 2 - 2, 2, 4, tip);
	}
	if (sum[FAULTS] > 0) {
		snprintf(tip, sizeof(tip), "failed: %s%.0f", at_least(row, bucket, BCOSLOG_LOST_TRANSFERS | BCOSLOG_LOST_EVENTS),
			 sum[FAULTS]);
		svg_rect("critical", x, y + CHART_BAR, 4, 4, tip);
	}
}

static void draw_row(const struct svg_row *row, size_t at)
{
	double most = most_of(row), middle = chart_row(at) + CHART_BAR / 2, seconds = (double)row->timeline.width / 1e9;
	double rate = seconds > 0 ? most / seconds : 0;
	u64 begin, end;
	size_t i;

	chart_window(&begin, &end);
	chart_name(at, row->name, row->length);
	svg_note("label", CHART_X - 8, chart_row(at) + 36, rate < 10000 ? "up to %s%.4g bytes/s" : "up to %s%.0f bytes/s",
		 chart_lost(BCOSLOG_LOST_TRANSFERS, begin, end) ? ">=" : "", rate);
	svg_line("axis", CHART_X, middle, CHART_X + CHART_WIDTH, middle);
	for (i = 0; most > 0 && i < row->timeline.count; i++)
		draw_bucket(row, i, middle, most);
	for (i = 0; i < row->timeline.count; i++)
		draw_marks(row, i, chart_row(at));
}

/* Return: what the legend adds to a kind of marks of which some may be missing, where the drawing does not hatch that. */
static const char *missing_text(const struct report *report, u32 lost)
{
	return bcoslog_account_totals(report->account)->lost & lost ? ", not all" : "";
}

int svg_io_draw(struct report *report)
{
	size_t i;

	if (svg_rows_whole(&io_drawn)) {
		report->rows |= io_drawn.count;
		chart_begin(report, "What devices transferred", io_drawn.count, CHART_ROW);
		svg_rect("in", CHART_X, 40, 12, 12, NULL);
		svg_note("note", CHART_X + 18, 50, "in");
		svg_rect("out", CHART_X + 100, 40, 12, 12, NULL);
		svg_note("note", CHART_X + 118, 50, "out");
		svg_rect("kernel", CHART_X + 205, 44, 2, 4, NULL);
		svg_note("note", CHART_X + 218, 50, "interrupts%s", missing_text(report, BCOSLOG_LOST_INTERRUPTS));
		svg_rect("critical", CHART_X + 354, 44, 4, 4, NULL);
		svg_note("note", CHART_X + 368, 50, "failures%s",
			 missing_text(report, BCOSLOG_LOST_TRANSFERS | BCOSLOG_LOST_EVENTS));
		for (i = 0; i < io_drawn.count; i++)
			draw_row(io_drawn.of[i], i);
		svg_rows_imprecise(&io_drawn);
		chart_end(BCOSLOG_LOST_TRANSFERS);
	}
	return svg_rows_end(&io_drawn);
}
