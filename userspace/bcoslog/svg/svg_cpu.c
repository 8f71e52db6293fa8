// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Draws the report of bcoslog cpu: the use of all CPUs, of each core and of each CPU over time. */
#include "svg.h"

/* The subject of a row: all CPUs, a core, or a CPU. */
enum row_kind { ROW_ALL, ROW_CORE, ROW_CPU };

static void add_interval(struct svg_rows *rows, enum row_kind kind, u32 id, const struct bcoslog_interval *interval, u64 origin)
{
	struct svg_row *row = svg_row_of(rows, kind, id);

	if (row && interval->end > interval->begin)
		timeline_add(&row->timeline, origin, interval->begin, interval->end, interval->use,
			     (double)(interval->end - interval->begin));
}

void svg_cpu_interval(struct svg_rows *rows, const struct bcoslog_interval *interval, u64 origin)
{
	add_interval(rows, ROW_ALL, 0, interval, origin);
	add_interval(rows, ROW_CORE, interval->core, interval, origin);
	add_interval(rows, ROW_CPU, interval->cpu, interval, origin);
}

/* Draws the shares of the online CPUs' time, from below: processes, the kernel, unknown, idle. */
static void draw_bucket(const struct svg_row *row, size_t bucket, double y)
{
	static const enum bcoslog_use order[] = { BCOSLOG_USE_PROCESS, BCOSLOG_USE_KERNEL, BCOSLOG_USE_UNKNOWN,
						  BCOSLOG_USE_IDLE };
	static const char *const classes[] = { "process", "kernel", "idle", "unknown" };
	const double *sum = row->timeline.sum[bucket];
	double online = 0, x, width, height, below = CHART_BAR;
	u64 begin, end;
	char class[32];
	size_t i;

	for (i = 0; i < BCOSLOG_USES; i++)
		online += sum[i];
	if (online <= 0)
		return;
	chart_window(&begin, &end);
	x = chart_x(timeline_from(&row->timeline, bucket, begin));
	width = chart_x(timeline_to(&row->timeline, bucket, end)) - x;
	for (i = 0; i < BCOSLOG_USES; i++) {
		height = CHART_BAR * sum[order[i]] / online;
		below -= height;
		/* Rounding may leave a tiny share that is none. */
		if (height > 0.005)
			svg_rect(chart_class(class, sizeof(class), classes[order[i]], &row->timeline, bucket), x,
				 y + below, width, height, NULL);
	}
}

static void draw_row(const struct svg_row *row, size_t at)
{
	char name[32];
	size_t i;

	if (row->kind == ROW_ALL)
		snprintf(name, sizeof(name), "all CPUs");
	else
		snprintf(name, sizeof(name), "%s %u", row->kind == ROW_CORE ? "core" : "CPU", (u32)row->id);
	chart_name(at, name, strlen(name));
	for (i = 0; i < row->timeline.count; i++)
		draw_bucket(row, i, chart_row(at));
}

static void draw_legend(void)
{
	static const char *const classes[] = { "process", "kernel", "idle", "unknown" };
	static const char *const names[] = { "processes", "kernel", "idle", "unknown" };
	size_t i;

	for (i = 0; i < 4; i++) {
		svg_rect(classes[i], CHART_X + 100 * (double)i, 40, 12, 12, NULL);
		svg_note("note", CHART_X + 100 * (double)i + 18, 50, "%s", names[i]);
	}
}

int svg_cpu_draw(struct svg_rows *rows, struct report *report)
{
	size_t i;

	if (svg_rows_whole(rows)) {
		svg_rows_sort(rows);
		report->rows |= rows->count;
		chart_begin(report, "What CPUs were used for", rows->count, CHART_ROW);
		draw_legend();
		for (i = 0; i < rows->count; i++)
			draw_row(rows->of[i], i);
		svg_rows_imprecise(rows);
		/* No losses are marked, since each row shows its unknown time. */
		chart_end(0);
	}
	return svg_rows_end(rows);
}
