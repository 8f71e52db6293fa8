/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Painting the rows of CPUs, processes and devices. A row has a column for each pixel of the picture's width. */
#ifndef EXPLORER_PAINT_H
#define EXPLORER_PAINT_H

#include "core/host/user.h"

enum row_kind { ROW_CPU, ROW_PROCESS, ROW_DEVICE };

/* A row to paint, as rows.js writes it. */
struct row {
	u32 kind;		/* enum row_kind */
	u32 number;		/* number of the CPU, process or device */
	s32 top;		/* first line of the row in the picture */
	u32 height;
};

/*
 * Colours have the format of the page's canvas: red in the lowest byte, alpha in the
 * highest. From COLOR_FIRST on there are the colours of processes, and after them,
 * for each of these colours, the colour of the lines of its textures.
 */
enum color {
	COLOR_BACK, COLOR_IDLE, COLOR_KERNEL, COLOR_UNKNOWN, COLOR_HATCH, COLOR_LIFE, COLOR_DIM, COLOR_INPUT,
	COLOR_OUTPUT, COLOR_INTERRUPT, COLOR_FIRST
};

#define PALETTE 64u

/* The picture, for the files of this folder. */
struct canvas {
	u32 *pixels;
	u32 width, height;	/* in pixels */
	double from, width_ns;	/* time of the left edge, ns since the log's beginning, and ns of a column */
	u32 palette[PALETTE];
	u32 palette_count;
};

extern struct canvas canvas;

/* ---- canvas.c ------------------------------------------------------------------------ */

/* Fill column @x from line @from to before line @to. */
void canvas_fill(u32 x, s32 from, s32 to, u32 color);
/*
 * Paint a bar in column @x that reaches from @bottom up to @share of @height. The topmost pixel is blended if the bar
 * covers only a part of it.
 * Return: the line at which the bar ends.
 */
s32 canvas_bar(u32 x, s32 bottom, u32 height, float share, u32 color);

/* The textures, which theme.js has in the same order. The lines of a texture lie on the colour of a bar. */
enum texture { TEXTURE_PLAIN, TEXTURE_STRIPED, TEXTURE_LINED, TEXTURES };

void canvas_texture(u32 x, s32 from, s32 to, enum texture texture, u32 ink);
void canvas_hatch(u32 x, s32 from, s32 to);

/* ---- look.c -------------------------------------------------------------------------- */

/* Return: true if the bars of two processes have the same colour, and neither is dimmed. */
bool look_is_alike(u32 who, u32 other);
/*
 * Paint the bar of a process as canvas_bar() does. @width is the number of adjacent columns with a bar of this process;
 * only in enough columns a texture can be seen.
 * Return: the line at which the bar ends.
 */
s32 look_bar(u32 who, u32 x, s32 bottom, u32 height, float share, u32 width);

/* Return: the place of a moment in the picture, in columns from the left edge (canvas.c). */
double canvas_x(u64 time);

/* ---- devices.c ----------------------------------------------------------------------- */

/* Paint those of @rows that are rows of devices.  Return: 0 or -ENOMEM. */
int paint_devices(const struct row *rows, u32 count);

/* ---- labels.c ------------------------------------------------------------------------ */

struct mix;
/* Find the labels of the row of a CPU, whose columns are complete. */
void labels_row(u32 row, const struct mix *columns, u32 width);

/* ---- paint.c ------------------------------------------------------------------------- */

/* Return: the number of rows in the picture. */
u32 paint_row_count(void);
/* Return: the index of the row of a CPU, process or device; ~0 if it is not in the picture. */
u32 paint_row_of(enum row_kind kind, u32 number);
/* Return: likewise for the CPU with an ID, and for the first CPU of the core with an ID. */
u32 paint_row_of_cpu(u32 id);
u32 paint_row_of_core(u32 id);

#endif
