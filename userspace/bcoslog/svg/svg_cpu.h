/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bcoslog cpu as a drawing. */
#ifndef BCOSLOG_SVG_CPU_H
#define BCOSLOG_SVG_CPU_H

#include "chart.h"

/* A bucket is so wide; else as wide as need be. */
void svg_cpu_width(u64 width);
/* @origin: of the window. */
void svg_cpu_interval(const struct bcoslog_interval *interval, u64 origin);
/* At the end.  Return: 0 or a negative errno after a complaint. */
int svg_cpu_draw(const struct report *report);

#endif
