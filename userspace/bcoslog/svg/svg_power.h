/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bcoslog power as a drawing. */
#ifndef BCOSLOG_SVG_POWER_H
#define BCOSLOG_SVG_POWER_H

#include "chart.h"

void svg_power_width(u64 width);
/* @origin: of the window. */
void svg_power_segment(const struct bcoslog_segment *segment, u64 origin);
/* At the end.  Return: 0 or a negative errno after a complaint. */
int svg_power_draw(const struct report *report);

#endif
