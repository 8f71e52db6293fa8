// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Painting bars, textures and hatching into a column of the picture. */
#include "model/model.h"
#include "paint.h"

struct canvas canvas;

/* Return: the mixture of @part / 256 of the colour @over and the rest of the colour @under. */
static u32 blend_colors(u32 over, u32 under, u32 part)
{
	u32 red_blue = ((over & 0xFF00FF) * part + (under & 0xFF00FF) * (256 - part)) >> 8;
	u32 green = ((over & 0x00FF00) * part + (under & 0x00FF00) * (256 - part)) >> 8;

	return 0xFF000000u | (red_blue & 0xFF00FF) | (green & 0x00FF00);
}

void canvas_hatch(u32 x, s32 from, s32 to)
{
	s32 y;

	for (y = from < 0 ? 0 : from; y < to && y < (s32)canvas.height; y++)
		canvas.pixels[(size_t)y * canvas.width + x] =
			canvas.palette[(x + (u32)y) % 6 < 2 ? COLOR_HATCH : COLOR_UNKNOWN];
}

void canvas_texture(u32 x, s32 from, s32 to, enum texture texture, u32 ink)
{
	s32 y;

	for (y = from < 0 ? 0 : from; y < to && y < (s32)canvas.height; y++)
		if (texture == TEXTURE_STRIPED ? (x + (u32)(to - y)) % 6 < 2 : (u32)(to - y) % 5 == 2)
			canvas.pixels[(size_t)y * canvas.width + x] = ink;
}

void canvas_fill(u32 x, s32 from, s32 to, u32 color)
{
	s32 y;

	for (y = from < 0 ? 0 : from; y < to && y < (s32)canvas.height; y++)
		canvas.pixels[(size_t)y * canvas.width + x] = color;
}

s32 canvas_bar(u32 x, s32 bottom, u32 height, float share, u32 color)
{
	u32 full = (u32)(share * (float)height * 256.0f + 0.5f), part = full & 255;
	s32 top = bottom - (s32)(full >> 8);

	canvas_fill(x, top, bottom, color);
	if (part && top > 0 && top <= (s32)canvas.height) {
		u32 *pixel = &canvas.pixels[(size_t)(top - 1) * canvas.width + x];

		*pixel = blend_colors(color, *pixel, part);
	}
	return top;
}

double canvas_x(u64 time)
{
	return ((double)(s64)(time - model.begin) - canvas.from) / canvas.width_ns;
}
