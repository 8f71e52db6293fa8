/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The rows of CPUs, processes and devices, as pixels. */
#ifndef EXPLORER_PAINT_H
#define EXPLORER_PAINT_H

#include "core/host/user.h"

enum row_kind { ROW_CPU, ROW_PROCESS, ROW_DEVICE };

/* As the page writes them. */
struct row {
	u32 kind;
	u32 number;		/* of the CPU, process or device */
	s32 top;		/* pixel */
	u32 height;
};

/*
 * Colours as the canvas has them: red in the lowest byte, alpha in the highest.
 * From COLOR_FIRST on there are those of processes, and then, for each of them,
 * that of the lines of its texture.
 */
enum color {
	COLOR_BACK, COLOR_IDLE, COLOR_KERNEL, COLOR_UNKNOWN, COLOR_HATCH, COLOR_LIFE, COLOR_DIM, COLOR_INPUT, COLOR_OUTPUT,
	COLOR_INTERRUPT, COLOR_FIRST
};

#define PALETTE 64u

/* The state that the parts of the painter share. */
struct canvas {
	u32 *pixels;
	u32 width, height;
	double from, width_ns;	/* of the left edge, since the log's beginning; of a column */
	u32 palette[PALETTE];
	u32 palette_count;
};

extern struct canvas canvas;

void canvas_fill(u32 x, s32 from, s32 to, u32 color);
/* From @bottom up, @share of @height: the pixel at the top in part.  Return: where it ends. */
s32 canvas_bar(u32 x, s32 bottom, u32 height, float share, u32 color);

/* These are colours of theme.js; a texture's lines lie on a colour. */
enum texture { TEXTURE_PLAIN, TEXTURE_STRIPED, TEXTURE_LINED, TEXTURES };

void canvas_texture(u32 x, s32 from, s32 to, enum texture texture, u32 ink);
void canvas_hatch(u32 x, s32 from, s32 to);

/* ---- look.c -------------------------------------------------------------------------- */

/* Columns of two processes in a row cannot be told by their colours. */
bool look_is_alike(u32 who, u32 other);
/*
 * The bar of a process from @bottom up, @share of @height; @width: so many columns in a row have one, which tells whether a
 * texture can be seen. Return: where it ends.
 */
s32 look_bar(u32 who, u32 x, s32 bottom, u32 height, float share, u32 width);

/* Where a moment is, in columns. */
double canvas_x(u64 time);

/* ---- devices.c: their rows, of all the rows there are ------------------------------- */

/* Return: 0 or -ENOMEM. */
int paint_devices(const struct row *rows, u32 count);

/* ---- labels.c: after the columns of a CPU's row are known ---------------------------- */

struct mix;
void labels_row(u32 row, const struct mix *columns, u32 width);

/* ---- paint.c: the row in which something is painted, or ~0 -------------------------- */

u32 paint_row_count(void);
u32 paint_row_of(enum row_kind kind, u32 number);
/* By ID. */
u32 paint_row_of_cpu(u32 id);
u32 paint_row_of_core(u32 id);

#endif
