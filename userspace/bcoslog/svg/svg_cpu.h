/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Draws the report of bcoslog cpu. */
#ifndef BCOSLOG_SVG_CPU_H
#define BCOSLOG_SVG_CPU_H

#include "chart.h"

/* Sets the width of buckets in ns. Without this call they are so wide that the whole log fits. */
void svg_cpu_width(u64 width);
/* Adds an interval to the drawing. @origin is the begin of the window. */
void svg_cpu_interval(const struct bcoslog_interval *interval, u64 origin);
/* Draws the report at the end of the log.  Return: 0, or a negative errno after a complaint. */
int svg_cpu_draw(struct report *report);

#endif
