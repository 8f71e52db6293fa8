// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The looks of processes: their colours and textures, and the chosen process, beside which the others are dimmed. */
#include "export.h"
#include "model/model.h"
#include "paint.h"

/* The least number of adjacent columns of a process in which its texture can be seen. */
#define TEXTURE_LEAST 8u

static u32 chosen_process = WHO_NONE;	/* the process that stands out, or WHO_NONE */

/* Return: the palette, which the page fills with @count colours. */
EXPORT(paint_palette) u32 *paint_palette(u32 count)
{
	canvas.palette_count = count < PALETTE ? count : PALETTE;
	return canvas.palette;
}

/* Choose the process that stands out; ~0 for none. */
EXPORT(paint_choose) void paint_choose(u32 process)
{
	chosen_process = process;
}

/* Return: the number of colours of processes in the palette. */
static u32 count_colors(void)
{
	return canvas.palette_count > COLOR_FIRST + 1 ? (canvas.palette_count - COLOR_FIRST) / 2 : 1;
}

static u32 color_of(u32 who)
{
	const struct process_item *item = process_at(who);

	if (item->id == BCOS_PROCESS_KERNEL)
		return canvas.palette[COLOR_KERNEL];
	if (chosen_process < WHO_NONE && chosen_process != who)
		return canvas.palette[COLOR_DIM];
	return canvas.palette[COLOR_FIRST + item->id % count_colors()];
}

/* Return: the texture on the bar of a process. *@ink receives the colour of its lines. */
static enum texture texture_of(u32 who, u32 *ink)
{
	const struct process_item *item = process_at(who);

	if (item->id == BCOS_PROCESS_KERNEL || (chosen_process < WHO_NONE && chosen_process != who))
		return TEXTURE_PLAIN;
	*ink = canvas.palette[COLOR_FIRST + count_colors() + item->id % count_colors()];
	return (item->id / count_colors()) % TEXTURES;
}

bool look_is_alike(u32 who, u32 other)
{
	return color_of(who) == color_of(other) && color_of(who) != canvas.palette[COLOR_DIM];
}

s32 look_bar(u32 who, u32 x, s32 bottom, u32 height, float share, u32 width)
{
	s32 top = canvas_bar(x, bottom, height, share, color_of(who));
	enum texture texture;
	u32 ink;

	if (width >= TEXTURE_LEAST) {
		texture = texture_of(who, &ink);
		if (texture != TEXTURE_PLAIN)
			canvas_texture(x, top, bottom, texture, ink);
	}
	return top;
}
