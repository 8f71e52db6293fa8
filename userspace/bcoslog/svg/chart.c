// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Draws rows along an axis of time: see svg.h. */
#include "svg.h"
#include "output/times.h"
#include "report/course/imprecise.h"
#include "complain/complain.h"

#define LOSSES 1024

static struct {
	size_t count;
	struct {
		u32 kinds;
		u64 begin, end;
	} of[LOSSES];
} losses;

static struct {
	u64 begin, end;
	size_t rows;
	double height;
	struct clock *clock;
} chart;

void chart_unknown(void *context, __u32 lost, __u64 begin, __u64 end)
{
	(void)context;
	if (losses.count < LOSSES) {
		losses.of[losses.count].kinds = lost;
		losses.of[losses.count].begin = begin;
		losses.of[losses.count++].end = end;
		return;
	}
	/* The last place takes all further losses: the eye does not tell so many apart. */
	losses.of[LOSSES - 1].kinds |= lost;
	if (end > losses.of[LOSSES - 1].end)
		losses.of[LOSSES - 1].end = end;
}

void chart_window(u64 *begin, u64 *end)
{
	*begin = chart.begin;
	*end = chart.end;
}

double chart_x(u64 time)
{
	if (time <= chart.begin || chart.end <= chart.begin)
		return CHART_X;
	if (time >= chart.end)
		return CHART_X + CHART_WIDTH;
	return CHART_X + CHART_WIDTH * ((double)(time - chart.begin) / (double)(chart.end - chart.begin));
}

double chart_row(size_t row)
{
	return CHART_Y + (double)row * chart.height;
}

void chart_name(size_t row, const char *name, size_t length)
{
	svg_text("label", CHART_X - 8, chart_row(row) + (chart.height > 30 ? 22 : 13), name, length);
}

/* Return: a step of 1, 2 or 5 and zeros, of which at most ten are in the span. */
static u64 step_of(u64 span)
{
	u64 step = 1;

	while (span / step > 10) {
		if (span / (2 * step) <= 10)
			return 2 * step;
		if (span / (5 * step) <= 10)
			return 5 * step;
		step *= 10;
	}
	return step;
}

/* Draws the label of a tick, @since ns after the begin of the drawing. */
static void put_tick(u64 since, u64 step, double x, double y)
{
	char text[TIME_TEXT];

	if (chart.clock->mode == TIME_WALL && chart.clock->known) {
		time_text(chart.clock, text, chart.begin + since);
		/* The note below the axis has the day. */
		svg_note("tick", x, y, "%s", strlen(text) > 11 ? text + 11 : text);
	} else if (step >= 100000000) {
		svg_note("tick", x, y, "%.12g s", (double)since / 1e9);
	} else if (step >= 100000) {
		svg_note("tick", x, y, "%.12g ms", (double)since / 1e6);
	} else {
		svg_note("tick", x, y, "%.12g us", (double)since / 1e3);
	}
}

static void draw_axis(void)
{
	double y = chart_row(chart.rows) + 4, x;
	u64 span = chart.end - chart.begin, step = step_of(span ? span : 1), since;
	bool wall_ticks = chart.clock->mode == TIME_WALL && chart.clock->known;
	char text[TIME_TEXT];

	/* Times of the wall clock are long texts, so ticks need more room. */
	if (wall_ticks)
		step *= step_of(span) == step ? 2 : 1;
	for (since = 0; ; since += step) {
		x = chart_x(chart.begin + since);
		svg_line("grid", x, CHART_Y - 4, x, y);
		put_tick(since, step, x, y + 14);
		/* The next tick may be beyond 64 bits. */
		if (span - since < step)
			break;
	}
	svg_line("axis", CHART_X, y, CHART_X + CHART_WIDTH, y);
	time_text(chart.clock, text, chart.begin);
	svg_note("note", CHART_X, y + 32, "%s %s%s", wall_ticks ? "from" : "since", text,
		 wall_ticks ? "" : " s since boot");
}

void chart_rows(size_t rows, double height)
{
	chart.rows = rows;
	chart.height = height;
}

void chart_begin(const struct report *report, const char *title, size_t rows, double height)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(report->account);

	chart.begin = totals->begin;
	chart.end = totals->end;
	chart.clock = &report->session->clock;
	chart_rows(rows, height);
	svg_begin(title, CHART_X + CHART_WIDTH + 24, CHART_Y + (double)rows * height + 48);
	draw_axis();
}

static void mark_imprecise(u64 begin, u64 end, u32 precision)
{
	double x = chart_x(begin), width = chart_x(end) - x;
	char span[TABLE_CELL], tip[2 * TABLE_CELL];

	table_span(span, sizeof(span), precision);
	snprintf(tip, sizeof(tip), "times in here may be up to %s later", span);
	svg_rect("imprecise", x, CHART_Y - 4, width < 2 ? 2 : width, (double)chart.rows * chart.height + 8, tip);
}

void chart_imprecise(u64 width)
{
	imprecise_each(width, mark_imprecise);
}

bool chart_lost(u32 lost, u64 begin, u64 end)
{
	size_t i;

	for (i = 0; i < losses.count; i++)
		if (losses.of[i].kinds & lost && losses.of[i].begin < end && losses.of[i].end > begin)
			return true;
	return false;
}

void chart_end(u32 lost)
{
	double x, width;
	size_t i;

	for (i = 0; i < losses.count; i++) {
		if (!(losses.of[i].kinds & lost))
			continue;
		x = chart_x(losses.of[i].begin);
		width = chart_x(losses.of[i].end) - x;
		/* A short stretch is at least two pixels wide, so that it is seen. */
		svg_rect("loss", x, CHART_Y - 4, width < 2 ? 2 : width, (double)chart.rows * chart.height + 8,
			 "the log does not tell of all that happened here");
	}
	svg_end();
}

const char *chart_class(char *text, size_t size, const char *class, const struct timeline *timeline, size_t bucket)
{
	u64 from = (timeline->first + bucket) * timeline->width;

	snprintf(text, size, "%s%s", class, from < chart.begin || from + timeline->width > chart.end ? " partial" : "");
	return text;
}

int chart_failed(bool overflow)
{
	if (overflow)
		complain("a drawing has at most %d stretches of time: choose a wider --every, or a part of the log by --since "
			 "and --until", TIMELINE_BUCKETS);
	else
		complain("no memory for the drawing");
	return -ENOMEM;
}
