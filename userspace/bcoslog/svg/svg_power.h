/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Draws the report of bcoslog power. */
#ifndef BCOSLOG_SVG_POWER_H
#define BCOSLOG_SVG_POWER_H

#include "chart.h"

/* Sets the width of buckets in ns. Without this call they are so wide that the whole log fits. */
void svg_power_width(u64 width);
/* Adds a segment to the drawing. @origin is the begin of the window. */
void svg_power_segment(const struct bcoslog_segment *segment, u64 origin);
/* Draws the report at the end of the log.  Return: 0, or a negative errno after a complaint. */
int svg_power_draw(struct report *report);

#endif
