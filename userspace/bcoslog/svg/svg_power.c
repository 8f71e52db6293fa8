// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Draws the report of bcoslog power: the power and performance of each core over time. */
#include "svg.h"

/*
 * ENERGY is in units of 2 mW times ns, and WORK in instructions in 125 us times ns. The others are in ns: for how long
 * each of the two is known, and for how long the core was online.
 */
enum series { ENERGY, ENERGY_KNOWN, WORK, WORK_KNOWN, ONLINE };

/* The row of all cores shows sums, and that of a core shows means over the time for which they are known. */
enum row_kind { ROW_ALL, ROW_CORE };

static void add_segment(struct svg_row *row, const struct bcoslog_segment *segment, u64 origin)
{
	double span = (double)(segment->end - segment->begin);

	if (!row || segment->end <= segment->begin)
		return;
	timeline_add(&row->timeline, origin, segment->begin, segment->end, ONLINE, span);
	if (segment->power_known) {
		timeline_add(&row->timeline, origin, segment->begin, segment->end, ENERGY, span * segment->power);
		timeline_add(&row->timeline, origin, segment->begin, segment->end, ENERGY_KNOWN, span);
		row->least |= segment->at_least;
	}
	if (segment->performance_known) {
		timeline_add(&row->timeline, origin, segment->begin, segment->end, WORK,
			     span * (double)segment->performance);
		timeline_add(&row->timeline, origin, segment->begin, segment->end, WORK_KNOWN, span);
	}
}

void svg_power_segment(struct svg_rows *rows, const struct bcoslog_segment *segment, u64 origin)
{
	add_segment(svg_row_of(rows, ROW_ALL, 0), segment, origin);
	add_segment(svg_row_of(rows, ROW_CORE, segment->core), segment, origin);
}

/* Return: the value of a bucket, in which @known is above 0. */
static double value_of(const struct svg_row *row, size_t bucket, enum series sum, enum series known)
{
	const struct timeline *timeline = &row->timeline;
	u64 begin, end;

	chart_window(&begin, &end);
	if (row->kind != ROW_ALL)
		return timeline->sum[bucket][sum] / timeline->sum[bucket][known];
	return timeline->sum[bucket][sum] /
	       (double)(timeline_to(timeline, bucket, end) - timeline_from(timeline, bucket, begin));
}

/* Return: the largest value of a bucket, or -1 if none is known. */
static double largest_sum(const struct svg_row *row, enum series sum, enum series known)
{
	double most = -1, value;
	size_t i;

	for (i = 0; i < row->timeline.count; i++) {
		value = row->timeline.sum[i][known] > 0 ? value_of(row, i, sum, known) : -1;
		most = value > most ? value : most;
	}
	return most;
}

/* Draws the known values as steps. Buckets that exceed the time of the drawing have a path of another class. */
static void draw_line(const struct svg_row *row, enum series sum, enum series known, const char *class, double y)
{
	const struct timeline *timeline = &row->timeline;
	double most = largest_sum(row, sum, known), value, before = -1;
	char own[32], drawn[32] = "";
	u64 begin, end;
	size_t i;

	chart_window(&begin, &end);
	for (i = 0; i < timeline->count; i++) {
		if (timeline->sum[i][known] <= 0) {
			before = -1;
			continue;
		}
		chart_class(own, sizeof(own), class, timeline, i);
		if (strcmp(own, drawn)) {
			if (*drawn)
				svg_path_end();
			svg_path_begin(own);
			if (before >= 0)
				svg_path_point(chart_x(timeline_from(timeline, i, begin)), before, true);
			strcpy(drawn, own);
		}
		value = value_of(row, i, sum, known);
		value = y + CHART_BAR - (most > 0 ? CHART_BAR * value / most : 0);
		svg_path_point(chart_x(timeline_from(timeline, i, begin)), value, before < 0);
		svg_path_point(chart_x(timeline_to(timeline, i, end)), value, false);
		before = value;
	}
	if (*drawn)
		svg_path_end();
}

/* Is something unknown from @begin to before @end? A difference of a billionth is due to rounding. */
static bool is_unknown(const struct timeline *timeline, enum series known, u64 begin, u64 end)
{
	u64 from;
	size_t i;

	for (i = 0; i < timeline->count; i++) {
		from = (timeline->first + i) * timeline->width;
		if (from < end && (from >= begin || begin - from < timeline->width) &&
		    timeline->sum[i][known] < timeline->sum[i][ONLINE] * (1 - 1e-9))
			return true;
	}
	return false;
}

/* Return: the number of cores of which something is unknown from @begin to before @end. */
static u32 unknown_cores(const struct svg_rows *rows, enum series known, u64 begin, u64 end)
{
	u32 count = 0;
	size_t i;

	for (i = 0; i < rows->count; i++)
		count += rows->of[i]->kind == ROW_CORE &&
			 is_unknown(&rows->of[i]->timeline, known, begin, end);
	return count;
}

/* Hatches the buckets of which something is unknown. The line of the known values is drawn over them. */
static void draw_unknown(const struct svg_rows *rows, const struct svg_row *row, enum series known, double y)
{
	const struct timeline *timeline = &row->timeline;
	u64 begin, end, from, to;
	char tip[48];
	size_t i;
	u32 cores;

	chart_window(&begin, &end);
	for (i = 0; i < timeline->count; i++) {
		from = timeline_from(timeline, i, begin);
		to = timeline_to(timeline, i, end);
		if (!is_unknown(timeline, known, from, to))
			continue;
		cores = unknown_cores(rows, known, from, to);
		snprintf(tip, sizeof(tip), "%u core%s unknown", cores, cores == 1 ? "" : "s");
		svg_rect("unknown", chart_x(from), y, chart_x(to) - chart_x(from), CHART_BAR,
			 row->kind == ROW_ALL ? tip : NULL);
	}
}

/*
 * Notes the greatest value of the line, and the number of cores that are not in it: "up to 0.8 W + 1 core unknown". A
 * value below 0 is unknown.
 */
static void note_most(const struct svg_rows *rows, const struct svg_row *row, enum series known, double most,
		      const char *unit, bool least, double y)
{
	u32 cores = row->kind == ROW_ALL ? unknown_cores(rows, known, 0, UINT64_MAX) : 0;
	char more[32] = "";

	if (cores)
		snprintf(more, sizeof(more), " + %u core%s unknown", cores, cores == 1 ? "" : "s");
	if (most >= 0)
		svg_note("label", CHART_X - 8, y, most < 10000 ? "up to %s%.4g %s%s" : "up to %s%.0f %s%s", least ? ">=" : "", most, unit, more);
	else
		svg_note("label", CHART_X - 8, y, "unknown");
}

static void draw_core(const struct svg_rows *rows, const struct svg_row *row, size_t at)
{
	double watts = largest_sum(row, ENERGY, ENERGY_KNOWN) * 2e-3;
	double instructions = largest_sum(row, WORK, WORK_KNOWN) * 8000 / 1e6;
	char name[48], who[24];

	snprintf(who, sizeof(who), row->kind == ROW_ALL ? "all cores" : "core %u", (u32)row->id);
	snprintf(name, sizeof(name), "%s: power", who);
	chart_name(at, name, strlen(name));
	note_most(rows, row, ENERGY_KNOWN, watts, "W", row->least, chart_row(at) + 36);
	draw_unknown(rows, row, ENERGY_KNOWN, chart_row(at));
	draw_line(row, ENERGY, ENERGY_KNOWN, "second", chart_row(at));
	snprintf(name, sizeof(name), "%s: performance", who);
	chart_name(at + 1, name, strlen(name));
	note_most(rows, row, WORK_KNOWN, instructions, "M instr/s", false, chart_row(at + 1) + 36);
	draw_unknown(rows, row, WORK_KNOWN, chart_row(at + 1));
	draw_line(row, WORK, WORK_KNOWN, "first", chart_row(at + 1));
}

int svg_power_draw(struct svg_rows *rows, struct report *report)
{
	size_t i;

	if (svg_rows_whole(rows)) {
		report->rows |= rows->count;
		chart_begin(report, "Power and performance of cores", 2 * rows->count, CHART_ROW);
		for (i = 0; i < rows->count; i++)
			draw_core(rows, rows->of[i], 2 * i);
		svg_rows_imprecise(rows);
		chart_end(BCOSLOG_LOST_ASSIGNMENTS);
	}
	return svg_rows_end(rows);
}
