// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The rows as pixels: a column is a stretch of time, and shows how much of it
 * each use had, from below: the process that had most of it, other processes
 * as it, the kernel, what is unknown; the rest is idle.
 */
#include <stdlib.h>

#include "export.h"
#include "model.h"
#include "paint.h"

#define PALETTE_MOST 64

/* What of a column was what, ns. */
struct column {
	float process, kernel, unknown, offline;
	u32 top;		/* the process that had most of it */
	float top_time;
	u32 now;		/* whom the newest part is for, and how much */
	float now_time;
};

static struct {
	u32 *pixels;
	u32 width, height, room;
	struct row *rows;
	u32 row_count, row_room;
	struct column *columns;
	float *lives;		/* of process rows, row by row: ns on CPUs */
	u32 *row_of;		/* of each process, or ~0 */
	u32 row_of_room;
	u32 palette[PALETTE_MOST];
	u32 palette_count;
	u32 chosen;		/* the process that stands out, or WHO_NONE */
	double from, width_ns;	/* of the window's left edge, since the log's beginning; of a column */
} paint = { .chosen = WHO_NONE };

/* Room for a picture.  Return: where its pixels are, NULL if there is no memory. */
EXPORT(paint_size) u32 *paint_size(u32 width, u32 height)
{
	size_t need = (size_t)width * height;
	u32 *larger;

	if (need > paint.room) {
		larger = realloc(paint.pixels, need * sizeof(u32));
		if (!larger)
			return NULL;
		paint.pixels = larger;
		paint.room = (u32)need;
	}
	free(paint.columns);
	paint.columns = malloc(width * sizeof(*paint.columns));
	paint.width = width;
	paint.height = height;
	return paint.columns ? paint.pixels : NULL;
}

/* Room for @count rows, which the page fills in.  Return: NULL if there is no memory. */
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

EXPORT(paint_palette) u32 *paint_palette(u32 count)
{
	paint.palette_count = count < PALETTE_MOST ? count : PALETTE_MOST;
	return paint.palette;
}

/* One process stands out, or none: ~0. */
EXPORT(paint_choose) void paint_choose(u32 process)
{
	paint.chosen = process;
}

static u32 color_of(u32 who)
{
	const struct process_item *item = process_at(who);

	if (item->id == BCOS_PROCESS_KERNEL)
		return paint.palette[COLOR_KERNEL];
	if (paint.chosen < WHO_NONE && paint.chosen != who)
		return paint.palette[COLOR_DIM];
	return paint.palette[COLOR_FIRST + item->color % (paint.palette_count - COLOR_FIRST)];
}

/* @part of 256 of @over, the rest of @under. */
static u32 blend(u32 over, u32 under, u32 part)
{
	u32 red_blue = ((over & 0xFF00FF) * part + (under & 0xFF00FF) * (256 - part)) >> 8;
	u32 green = ((over & 0x00FF00) * part + (under & 0x00FF00) * (256 - part)) >> 8;

	return 0xFF000000u | (red_blue & 0xFF00FF) | (green & 0x00FF00);
}

static void fold(struct column *column)
{
	if (column->now_time > column->top_time) {
		column->top_time = column->now_time;
		column->top = column->now;
	}
}

static void add(struct column *column, u32 who, float time)
{
	if (who == WHO_IDLE)
		return;
	if (who == WHO_UNKNOWN) {
		column->unknown += time;
	} else if (who == WHO_OFFLINE) {
		column->offline += time;
	} else if (process_at(who)->id == BCOS_PROCESS_KERNEL) {
		column->kernel += time;
	} else {
		column->process += time;
		/* Others may have been in between: then the larger part counts, which is near enough where many share a pixel. */
		if (column->now != who) {
			fold(column);
			column->now = who;
			column->now_time = column->top == who ? column->top_time : 0;
		}
		column->now_time += time;
	}
}

/* A stretch, in columns, given to each that it touches. */
static void spread(double begin, double end, u32 who, float *life)
{
	double left = begin > 0 ? begin : 0, right = end < paint.width ? end : paint.width, until;
	u32 x;

	for (x = (u32)left; left < right; x++, left = until) {
		until = x + 1.0 < right ? x + 1.0 : right;
		if (life)
			life[x] += (float)(until - left);
		else
			add(&paint.columns[x], who, (float)(until - left));
	}
}

/* The stretches of a CPU that are in the window: to its columns, and to the rows of processes. */
static void sweep(const struct cpu_item *cpu, bool columns)
{
	double from = paint.from + (double)model.begin, scale = 1 / paint.width_ns;
	const struct stretch *stretch;
	u64 end;
	u32 i, row;

	i = list_after(&cpu->stretches, from > 0 ? (u64)from : 0);
	for (i = i ? i - 1 : 0; i < cpu->stretches.count; i++) {
		double left, right;

		stretch = list_at(&cpu->stretches, i);
		end = i + 1 < cpu->stretches.count ?
			((const struct stretch *)list_at(&cpu->stretches, i + 1))->begin : cpu->end;
		left = ((double)(s64)(stretch->begin - model.begin) - paint.from) * scale;
		right = ((double)(s64)(end - model.begin) - paint.from) * scale;
		if (left >= paint.width)
			break;
		if (right <= 0)
			continue;
		if (columns) {
			spread(left, right, stretch->who, NULL);
		} else if (stretch->who < WHO_NONE) {
			row = paint.row_of[stretch->who];
			if (row != ~0u)
				spread(left, right, 0, paint.lives + (size_t)row * paint.width);
		}
	}
}

static void hatch(u32 x, s32 from, s32 to)
{
	s32 y;

	for (y = from < 0 ? 0 : from; y < to && y < (s32)paint.height; y++)
		paint.pixels[(size_t)y * paint.width + x] =
			paint.palette[(x + (u32)y) % 6 < 2 ? COLOR_HATCH : COLOR_UNKNOWN];
}

static void fill(u32 x, s32 from, s32 to, u32 color)
{
	s32 y;

	for (y = from < 0 ? 0 : from; y < to && y < (s32)paint.height; y++)
		paint.pixels[(size_t)y * paint.width + x] = color;
}

/* From @bottom up, @share of @height: the pixel at the top in part.  Return: where it ends. */
static s32 bar(u32 x, s32 bottom, u32 height, float share, u32 color)
{
	u32 full = (u32)(share * (float)height * 256.0f + 0.5f), part = full & 255;
	s32 top = bottom - (s32)(full >> 8);

	fill(x, top, bottom, color);
	if (part && top > 0 && top <= (s32)paint.height) {
		u32 *pixel = &paint.pixels[(size_t)(top - 1) * paint.width + x];

		*pixel = blend(color, *pixel, part);
	}
	return top;
}

static void paint_cpu(const struct row *row)
{
	const struct cpu_item *cpu = cpu_at(row->number);
	s32 bottom = row->top + (s32)row->height, top;
	u64 first = cpu->stretches.count ? ((const struct stretch *)list_at(&cpu->stretches, 0))->begin : 0;
	double begin = ((double)(s64)(first - model.begin) - paint.from) / paint.width_ns;
	double end = ((double)(s64)(cpu->end - model.begin) - paint.from) / paint.width_ns;
	struct column *column;
	u32 x;

	memset(paint.columns, 0, paint.width * sizeof(*paint.columns));
	for (x = 0; x < paint.width; x++)
		paint.columns[x].top = paint.columns[x].now = WHO_NONE;
	sweep(cpu, true);
	for (x = 0; x < paint.width; x++) {
		column = &paint.columns[x];
		if (x + 1.0 <= begin || x >= end || column->offline >= 0.999f)
			continue;
		fold(column);
		fill(x, row->top, bottom, paint.palette[COLOR_IDLE]);
		top = bottom;
		if (column->process > 0)
			top = bar(x, top, row->height, column->process, color_of(column->top));
		if (column->kernel > 0)
			top = bar(x, top, row->height, column->kernel, paint.palette[COLOR_KERNEL]);
		if (column->unknown > 0)
			hatch(x, top - (s32)(column->unknown * (float)row->height + 0.99f), top);
	}
}

static void paint_process(const struct row *row, u32 index)
{
	const struct process_item *item = process_at(row->number);
	s32 bottom = row->top + (s32)row->height, middle = row->top + (s32)row->height / 2;
	double left = ((double)(s64)(item->start - model.begin) - paint.from) / paint.width_ns;
	double right = paint.width;
	const float *life = paint.lives + (size_t)index * paint.width;
	u32 x, color = color_of(row->number);

	if (item->start < model.begin)
		left = -paint.from / paint.width_ns;
	if (item->ended || item->vanished)
		right = ((double)(s64)(item->end - model.begin) - paint.from) / paint.width_ns;
	else
		right = ((double)(model.end - model.begin) - paint.from) / paint.width_ns;
	for (x = left > 0 ? (u32)left : 0; x < paint.width && x < right; x++)
		fill(x, middle, middle + 1, paint.palette[COLOR_LIFE]);
	for (x = 0; x < paint.width; x++) {
		float share = life[x] > 1 ? 1 : life[x], least = 2.0f / (float)row->height;

		if (share > 0)
			bar(x, bottom, row->height, share > least ? share : least, color);
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
	paint.lives = calloc((size_t)paint.row_count * paint.width + 1, sizeof(float));
	if ((model.processes.count && !paint.row_of) || !paint.lives)
		return false;
	memset(paint.row_of, 0xFF, model.processes.count * sizeof(u32));
	for (i = 0; i < paint.row_count; i++)
		if (paint.rows[i].kind == ROW_PROCESS)
			paint.row_of[paint.rows[i].number] = i;
	return true;
}

/**
 * paint_draw() - the picture
 * @from: of its left edge, ns since the log's beginning
 * @span: of its width, ns
 *
 * Return: 0, or -ENOMEM.
 */
EXPORT(paint_draw) int paint_draw(double from, double span)
{
	bool processes = false;
	size_t i;

	paint.from = from;
	paint.width_ns = span / paint.width;
	for (i = 0; i < (size_t)paint.width * paint.height; i++)
		paint.pixels[i] = paint.palette[COLOR_BACK];
	for (i = 0; i < paint.row_count; i++) {
		if (paint.rows[i].kind == ROW_CPU)
			paint_cpu(&paint.rows[i]);
		else
			processes = true;
	}
	if (!processes)
		return 0;
	if (!prepare_lives())
		return -ENOMEM;
	for (i = 0; i < model.cpus.count; i++)
		sweep(cpu_at((u32)i), false);
	for (i = 0; i < paint.row_count; i++)
		if (paint.rows[i].kind == ROW_PROCESS)
			paint_process(&paint.rows[i], (u32)i);
	return 0;
}
