// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog power as a drawing: power and performance of each core over time. */
#include <stdlib.h>

#include "svg_power.h"

/* Energy in 2 mW times ns, instructions in 125 us times ns; how long each is known; and how long the core was online. */
enum series { ENERGY, ENERGY_KNOWN, WORK, WORK_KNOWN, ONLINE };

struct row {
	u32 core;
	bool all;			/* of all cores: a sum, and no mean */
	struct timeline timeline;
};

static struct {
	struct row **rows;
	size_t count;
	bool failed;
} drawing;

static struct row *row_of(u32 core, bool all)
{
	struct row **larger, *row;
	size_t i;

	for (i = 0; i < drawing.count; i++)
		if (drawing.rows[i]->core == core && drawing.rows[i]->all == all)
			return drawing.rows[i];
	row = calloc(1, sizeof(*row));
	larger = row ? reallocarray(drawing.rows, drawing.count + 1, sizeof(*larger)) : NULL;
	if (!larger) {
		free(row);
		drawing.failed = true;
		return NULL;
	}
	row->core = core;
	row->all = all;
	drawing.rows = larger;
	drawing.rows[drawing.count++] = row;
	return row;
}

static void add(struct row *row, const struct bcoslog_segment *segment, u64 origin)
{
	double span = (double)(segment->end - segment->begin);

	if (!row || segment->end <= segment->begin)
		return;
	timeline_add(&row->timeline, origin, segment->begin, segment->end, ONLINE, span);
	if (segment->power_known) {
		timeline_add(&row->timeline, origin, segment->begin, segment->end, ENERGY, span * segment->power);
		timeline_add(&row->timeline, origin, segment->begin, segment->end, ENERGY_KNOWN, span);
	}
	if (segment->performance_known) {
		timeline_add(&row->timeline, origin, segment->begin, segment->end, WORK, span * (double)segment->performance);
		timeline_add(&row->timeline, origin, segment->begin, segment->end, WORK_KNOWN, span);
	}
}

void svg_power_segment(const struct bcoslog_segment *segment, u64 origin)
{
	add(row_of(0, true), segment, origin);
	add(row_of(segment->core, false), segment, origin);
}

/* The value of a bucket of which something is known. */
static double value_of(const struct row *row, size_t bucket, enum series sum, enum series known)
{
	const struct timeline *timeline = &row->timeline;
	u64 begin, end;

	chart_window(&begin, &end);
	if (!row->all)
		return timeline->sum[bucket][sum] / timeline->sum[bucket][known];
	return timeline->sum[bucket][sum] / (double)(timeline_to(timeline, bucket, end) - timeline_from(timeline, bucket, begin));
}

static double largest(const struct row *row, enum series sum, enum series known)
{
	double most = 0, value;
	size_t i;

	for (i = 0; i < row->timeline.count; i++) {
		value = row->timeline.sum[i][known] > 0 ? value_of(row, i, sum, known) : 0;
		most = value > most ? value : most;
	}
	return most;
}

/* In steps, of what is known of each bucket. */
static void draw_line(const struct row *row, enum series sum, enum series known, const char *class, double y)
{
	const struct timeline *timeline = &row->timeline;
	double most = largest(row, sum, known), value;
	bool begins = true;
	u64 begin, end;
	size_t i;

	chart_window(&begin, &end);
	svg_path_begin(class);
	for (i = 0; i < timeline->count; i++) {
		if (timeline->sum[i][known] <= 0) {
			begins = true;
			continue;
		}
		value = value_of(row, i, sum, known);
		value = y + CHART_BAR - (most > 0 ? CHART_BAR * value / most : 0);
		svg_path_point(chart_x(timeline_from(timeline, i, begin)), value, begins);
		svg_path_point(chart_x(timeline_to(timeline, i, end)), value, false);
		begins = false;
	}
	svg_path_end();
}

/* A bucket that is unknown in part is hatched as a whole. */
static void draw_unknown(const struct timeline *timeline, enum series known, double y)
{
	u64 begin, end;
	double x;
	size_t i;

	chart_window(&begin, &end);
	for (i = 0; i < timeline->count; i++) {
		if (timeline->sum[i][ONLINE] <= 0 || timeline->sum[i][known] > 0)
			continue;
		x = chart_x(timeline_from(timeline, i, begin));
		svg_rect("unknown", x, y, chart_x(timeline_to(timeline, i, end)) - x, CHART_BAR, NULL);
	}
}

static void draw_core(const struct row *row, size_t at)
{
	double watts = largest(row, ENERGY, ENERGY_KNOWN) * 2e-3;
	double instructions = largest(row, WORK, WORK_KNOWN) * 8000 / 1e6;
	char name[48], who[24];

	snprintf(who, sizeof(who), row->all ? "all cores" : "core %u", row->core);
	snprintf(name, sizeof(name), "%s: power", who);
	chart_name(at, name, strlen(name));
	svg_note("label", CHART_X - 8, chart_row(at) + 36, watts > 0 ? "up to %.4g W" : "unknown", watts);
	draw_unknown(&row->timeline, ENERGY_KNOWN, chart_row(at));
	draw_line(row, ENERGY, ENERGY_KNOWN, "second", chart_row(at));
	snprintf(name, sizeof(name), "%s: performance", who);
	chart_name(at + 1, name, strlen(name));
	svg_note("label", CHART_X - 8, chart_row(at + 1) + 36, instructions > 0 ? "up to %.4g M instr/s" : "unknown",
		 instructions);
	draw_unknown(&row->timeline, WORK_KNOWN, chart_row(at + 1));
	draw_line(row, WORK, WORK_KNOWN, "first", chart_row(at + 1));
}

int svg_power_draw(const struct report *report)
{
	size_t i;

	if (!drawing.failed) {
		chart_begin(report, "Power and performance of cores", 2 * drawing.count, CHART_ROW);
		for (i = 0; i < drawing.count; i++)
			draw_core(drawing.rows[i], 2 * i);
		chart_end(BCOSLOG_LOST_ASSIGNMENTS);
	}
	for (i = 0; i < drawing.count; i++)
		free(drawing.rows[i]);
	free(drawing.rows);
	return drawing.failed ? chart_failed(false) : 0;
}
