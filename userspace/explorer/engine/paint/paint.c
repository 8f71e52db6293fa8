// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Painting the rows. A column is an interval of time. In the row of a CPU it shows
 * the share of each use in this interval, from below: all processes, in the colour of
 * the one that had most of the time; then the kernel; then unknown use. The rest is
 * idle.
 */
#include <stdlib.h>

#include "export.h"
#include "model/grid.h"
#include "model/model.h"
#include "paint.h"

/* The least number of adjacent columns of a process that a line may separate from another process. */
#define DIVIDED_LEAST 3u

static struct {
	u32 room;		/* number of pixels for which canvas.pixels has room */
	struct row *rows;
	u32 row_count, row_room;	/* number of elements of @rows, and for how many there is room */
	struct mix *columns;	/* for each column, the mix of the CPU that is being painted; the column's time is 1 */
	float *lives;		/* for each row and column, the CPU time of the row's process; the column's time is 1 */
	u32 *row_of;		/* for each process, the index of its row, or ~0 */
	u32 row_of_room;	/* number of elements of @row_of */
} paint;

/* Set the size of the picture.  Return: the pixels; NULL if there is no memory. */
EXPORT(paint_size) u32 *paint_size(u32 width, u32 height)
{
	size_t need = (size_t)width * height;
	u32 *larger;

	if (need > paint.room) {
		larger = realloc(canvas.pixels, need * sizeof(u32));
		if (!larger)
			return NULL;
		canvas.pixels = larger;
		paint.room = (u32)need;
	}
	free(paint.columns);
	paint.columns = malloc(width * sizeof(*paint.columns));
	canvas.width = width;
	canvas.height = height;
	return paint.columns ? canvas.pixels : NULL;
}

/* Set the number of rows.  Return: the rows, which the page fills in; NULL if there is no memory. */
EXPORT(paint_rows) struct row *paint_rows(u32 count)
{
	struct row *larger;

	if (count > paint.row_room) {
		larger = realloc(paint.rows, count * sizeof(*larger));
		if (!larger)
			return NULL;
		paint.rows = larger;
		paint.row_room = count;
	}
	paint.row_count = count;
	return paint.rows;
}

u32 paint_row_count(void)
{
	return paint.row_count;
}

u32 paint_row_of(enum row_kind kind, u32 number)
{
	u32 i;

	if (kind == ROW_PROCESS)
		return number < paint.row_of_room ? paint.row_of[number] : ~0u;
	for (i = 0; i < paint.row_count; i++)
		if (paint.rows[i].kind == kind && paint.rows[i].number == number)
			return i;
	return ~0u;
}

u32 paint_row_of_cpu(u32 id)
{
	u32 i;

	for (i = 0; i < paint.row_count && paint.rows[i].kind == ROW_CPU; i++)
		if (cpu_at(paint.rows[i].number)->id == id)
			return i;
	return ~0u;
}

u32 paint_row_of_core(u32 id)
{
	u32 i;

	for (i = 0; i < paint.row_count && paint.rows[i].kind == ROW_CPU; i++)
		if (cpu_at(paint.rows[i].number)->core == id)
			return i;
	return ~0u;
}

/* Add @share of column @x to the mix of the CPU that is being painted, and to the row of the process, if it has one. */
static inline void give_share(u32 x, u32 who, bool kernel, float *life, float share)
{
	mix_add(&paint.columns[x], who, kernel, share);
	if (life)
		life[x] += share;
}

/* Add a stretch from place @left to place @right to each column that it touches.  Most stretches lie within one. */
static void spread_turn(double left, double right, u32 who)
{
	bool kernel = who < WHO_NONE && !process_at(who)->id;
	float *life = NULL;
	double until;
	u32 x;

	if (who < WHO_NONE && paint.row_of[who] != ~0u)
		life = paint.lives + (size_t)paint.row_of[who] * canvas.width;
	left = left > 0 ? left : 0;
	right = right < canvas.width ? right : canvas.width;
	x = (u32)left;
	if (right <= x + 1.0) {
		if (left < right)
			give_share(x, who, kernel, life, (float)(right - left));
		return;
	}
	for (; left < right; x++, left = until) {
		until = x + 1.0 < right ? x + 1.0 : right;
		give_share(x, who, kernel, life, (float)(until - left));
	}
}

/* Add the stretches of a CPU in the window to the columns of the CPU, and to the rows of processes. */
static void sweep_cpu(const struct cpu_item *cpu)
{
	double from = canvas.from + (double)model.begin, scale = 1 / canvas.width_ns, left, right;
	const struct stretch *stretch, *next;
	u32 i;

	i = list_after(&cpu->stretches, from > 0 ? (u64)from : 0);
	i = i ? i - 1 : 0;
	if (i >= cpu->stretches.count)
		return;
	next = list_at(&cpu->stretches, i);
	left = ((double)(s64)(next->begin - model.begin) - canvas.from) * scale;
	for (; next && left < canvas.width; left = right) {
		stretch = next;
		next = ++i < cpu->stretches.count ? list_at(&cpu->stretches, i) : NULL;
		right = ((double)(s64)((next ? next->begin : cpu->end) - model.begin) - canvas.from) * scale;
		if (right > 0 && stretch->who != WHO_IDLE)
			spread_turn(left, right, stretch->who);
	}
}

/* Return: the index of the first bucket of a level in the window.  *@end receives the index after the last one. */
static u32 bucket_range(const struct level *level, u32 *end)
{
	double from = canvas.from / level->width, until = (canvas.from + canvas.width * canvas.width_ns) / level->width;

	*end = until < 0 ? 0 : until >= level->buckets ? level->buckets : (u32)until + 1;
	return from <= 0 ? 0 : from >= level->buckets ? *end : (u32)from;
}

/*
 * Find the columns that a bucket touches: at most two, because a bucket is narrower than a column. *@first receives the
 * share of the bucket in the first column; the rest lies in the next column.
 * Return: the first column; ~0 if it is left of the picture.
 */
static u32 place_bucket(const struct level *level, u32 bucket, float *first)
{
	double scale = level->width / canvas.width_ns, left = (bucket * level->width - canvas.from) / canvas.width_ns;
	double next = (double)(s64)left + 1;

	if (left < 0) {
		*first = (float)(left + scale > 0 ? -left / scale : 1);
		return ~0u;
	}
	*first = (float)(left + scale > next ? (next - left) / scale : 1);
	return (u32)left;
}

static void columns_of_level(const struct level *level, u32 cpu)
{
	const struct mix *mixes = grid_mixes(level, cpu);
	float scale = (float)(1 / canvas.width_ns), first;
	u32 bucket, end, x;

	for (bucket = bucket_range(level, &end); bucket < end; bucket++) {
		x = place_bucket(level, bucket, &first);
		if (x < canvas.width)
			mix_merge(&paint.columns[x], &mixes[bucket], first * scale);
		if (first < 1 && x + 1 < canvas.width)
			mix_merge(&paint.columns[x + 1], &mixes[bucket], (1 - first) * scale);
	}
}

static void lives_of_level(const struct level *level)
{
	float scale = (float)(1 / canvas.width_ns), first;
	const struct part *part, *last;
	u32 bucket, end, x;
	float *life;

	for (bucket = bucket_range(level, &end); bucket < end; bucket++) {
		x = place_bucket(level, bucket, &first);
		part = level->parts + level->first[bucket];
		last = level->parts + level->first[bucket + 1];
		for (; part < last; part++) {
			if (paint.row_of[part->process] == ~0u)
				continue;
			life = paint.lives + (size_t)paint.row_of[part->process] * canvas.width;
			if (x < canvas.width)
				life[x] += part->time * first * scale;
			if (first < 1 && x + 1 < canvas.width)
				life[x + 1] += part->time * (1 - first) * scale;
		}
	}
}

/* Return: the number of adjacent columns from @x on in which one process has most of the time. */
static u32 run_width(u32 x)
{
	u32 end = x, who = paint.columns[x].top;

	while (end < canvas.width && paint.columns[end].process > 0 && paint.columns[end].top == who)
		end++;
	return end - x;
}

/* Return: true if another process begins at column @x that looks like the process of the column before. */
static bool is_alike(u32 x)
{
	const struct mix *before = &paint.columns[x - (x > 0)], *column = &paint.columns[x];

	return before->process > 0 && before->top != column->top && look_is_alike(before->top, column->top);
}

static void paint_cpu(const struct row *row)
{
	const struct cpu_item *cpu = cpu_at(row->number);
	s32 bottom = row->top + (s32)row->height, top;
	u64 first = cpu->stretches.count ? ((const struct stretch *)list_at(&cpu->stretches, 0))->begin : 0;
	double begin = canvas_x(first);
	double end = canvas_x(cpu->end);
	u32 x, width = 0, next = 0;
	struct mix *column;

	for (x = 0; x < canvas.width; x++) {
		column = &paint.columns[x];
		if (x + 1.0 <= begin || x >= end || column->offline >= 0.999f)
			continue;
		canvas_fill(x, row->top, bottom, canvas.palette[COLOR_IDLE]);
		top = bottom;
		if (column->process > 0) {
			if (x >= next) {
				width = run_width(x);
				next = x + width;
				if (width >= DIVIDED_LEAST && is_alike(x)) {
					canvas_fill(x, row->top, bottom, canvas.palette[COLOR_BACK]);
					continue;
				}
			}
			top = look_bar(column->top, x, top, row->height, column->process, width);
		}
		if (column->kernel > 0)
			top = canvas_bar(x, top, row->height, column->kernel, canvas.palette[COLOR_KERNEL]);
		if (column->unknown > 0)
			canvas_hatch(x, top - (s32)(column->unknown * (float)row->height + 0.99f), top);
	}
}

static void columns_clear(void)
{
	u32 x;

	memset(paint.columns, 0, canvas.width * sizeof(*paint.columns));
	for (x = 0; x < canvas.width; x++)
		paint.columns[x].top = WHO_NONE;
}

/* Paint the CPUs that have a row, and add the times of all CPUs to the rows of processes. */
static void paint_cpus(void)
{
	const struct level *level = grid_level(canvas.width_ns);
	u32 cpu, row;

	for (cpu = 0; cpu < model.cpus.count; cpu++) {
		row = paint_row_of(ROW_CPU, cpu);
		if (level && row == ~0u)
			continue;
		columns_clear();
		if (level)
			columns_of_level(level, cpu);
		else
			sweep_cpu(cpu_at(cpu));
		if (row != ~0u) {
			paint_cpu(&paint.rows[row]);
			labels_row(row, paint.columns, canvas.width);
		}
	}
	if (level)
		lives_of_level(level);
}

static void paint_process(const struct row *row, u32 index)
{
	const struct process_item *item = process_at(row->number);
	s32 bottom = row->top + (s32)row->height, middle = row->top + (s32)row->height / 2;
	double left = canvas_x(item->start), right = canvas_x(item->ended || item->vanished ? item->end : model.end);
	const float *life = paint.lives + (size_t)index * canvas.width;
	u32 x, next, width = 0;

	if (item->start < model.begin)
		left = -canvas.from / canvas.width_ns;
	for (x = left > 0 ? (u32)left : 0; x < canvas.width && x < right; x++)
		canvas_fill(x, middle, middle + 1, canvas.palette[COLOR_LIFE]);
	for (x = next = 0; x < canvas.width; x++) {
		float share = life[x] > 1 ? 1 : life[x], least = 2.0f / (float)row->height;

		if (!(share > 0))
			continue;
		if (x >= next) {
			while (next < x || (next < canvas.width && life[next] > 0))
				next++;
			width = next - x;
		}
		look_bar(row->number, x, bottom, row->height, share > least ? share : least, width);
	}
}

static bool prepare_lives(void)
{
	u32 i;

	if (model.processes.count > paint.row_of_room) {
		free(paint.row_of);
		paint.row_of = malloc(model.processes.count * sizeof(u32));
		paint.row_of_room = paint.row_of ? model.processes.count : 0;
	}
	free(paint.lives);
	paint.lives = calloc((size_t)paint.row_count * canvas.width + 1, sizeof(float));
	if ((model.processes.count && !paint.row_of) || !paint.lives)
		return false;
	memset(paint.row_of, 0xFF, model.processes.count * sizeof(u32));
	for (i = 0; i < paint.row_count; i++)
		if (paint.rows[i].kind == ROW_PROCESS)
			paint.row_of[paint.rows[i].number] = i;
	return true;
}

/**
 * paint_draw() - paint the picture
 * @from: time of the picture's left edge, ns since the log's beginning
 * @span: width of the picture, ns
 *
 * Return: 0 or -ENOMEM.
 */
EXPORT(paint_draw) int paint_draw(double from, double span)
{
	size_t i;

	canvas.from = from;
	canvas.width_ns = span / canvas.width;
	for (i = 0; i < (size_t)canvas.width * canvas.height; i++)
		canvas.pixels[i] = canvas.palette[COLOR_BACK];
	if (!prepare_lives())
		return -ENOMEM;
	paint_cpus();
	if (paint_devices(paint.rows, paint.row_count))
		return -ENOMEM;
	for (i = 0; i < paint.row_count; i++)
		if (paint.rows[i].kind == ROW_PROCESS)
			paint_process(&paint.rows[i], (u32)i);
	return 0;
}
