// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog cpu as a drawing: what all CPUs, each core and each CPU were used for, over time. */
#include <stdlib.h>

#include "svg_cpu.h"

/* A CPU, a core, or all. */
struct row {
	enum row_kind { ROW_ALL, ROW_CORE, ROW_CPU } kind;
	u32 id;
	struct timeline timeline;
};

static struct {
	struct row **rows;
	size_t count;
	u64 fixed;
	bool failed;
} drawing;

void svg_cpu_width(u64 width)
{
	drawing.fixed = width;
}

static struct row *row_of(enum row_kind kind, u32 id)
{
	struct row **larger, *row;
	size_t i;

	for (i = 0; i < drawing.count; i++)
		if (drawing.rows[i]->kind == kind && drawing.rows[i]->id == id)
			return drawing.rows[i];
	row = calloc(1, sizeof(*row));
	larger = row ? reallocarray(drawing.rows, drawing.count + 1, sizeof(*larger)) : NULL;
	if (!larger) {
		free(row);
		drawing.failed = true;
		return NULL;
	}
	row->kind = kind;
	row->id = id;
	row->timeline.fixed = drawing.fixed;
	drawing.rows = larger;
	drawing.rows[drawing.count++] = row;
	return row;
}

static void add(enum row_kind kind, u32 id, const struct bcoslog_interval *interval, u64 origin)
{
	struct row *row = row_of(kind, id);

	if (row && interval->end > interval->begin)
		timeline_add(&row->timeline, origin, interval->begin, interval->end, interval->use,
			     (double)(interval->end - interval->begin));
}

void svg_cpu_interval(const struct bcoslog_interval *interval, u64 origin)
{
	add(ROW_ALL, 0, interval, origin);
	add(ROW_CORE, interval->core, interval, origin);
	add(ROW_CPU, interval->cpu, interval, origin);
}

static int by_kind(const void *left, const void *right)
{
	const struct row *a = *(struct row *const *)left, *b = *(struct row *const *)right;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* The shares of the online CPUs' time, from below: processes, the kernel, unknown; above them they were idle. */
static void draw_bucket(const struct row *row, size_t bucket, double y)
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
		/* Rounding leaves specks. */
		if (height > 0.005)
			svg_rect(chart_class(class, sizeof(class), classes[order[i]], &row->timeline, bucket), x, y + below,
				 width, height, NULL);
	}
}

static void draw_row(const struct row *row, size_t at)
{
	char name[32];
	size_t i;

	if (row->kind == ROW_ALL)
		snprintf(name, sizeof(name), "all CPUs");
	else
		snprintf(name, sizeof(name), "%s %u", row->kind == ROW_CORE ? "core" : "CPU", row->id);
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

int svg_cpu_draw(const struct report *report)
{
	bool overflow = false;
	size_t i;

	for (i = 0; i < drawing.count; i++)
		overflow |= drawing.rows[i]->timeline.overflow;
	if (!overflow && !drawing.failed) {
		if (drawing.count)
			qsort(drawing.rows, drawing.count, sizeof(*drawing.rows), by_kind);
		chart_begin(report, "What CPUs were used for", drawing.count, CHART_ROW);
		draw_legend();
		for (i = 0; i < drawing.count; i++)
			draw_row(drawing.rows[i], i);
		/* The rows have themselves what is not known of them. */
		chart_end(0);
	}
	for (i = 0; i < drawing.count; i++)
		free(drawing.rows[i]);
	free(drawing.rows);
	return overflow || drawing.failed ? chart_failed(overflow) : 0;
}
