/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A drawing as SVG on standard output: a document that stands alone, light or
 * dark as its viewer is.  Coordinates are pixels of a drawing without zoom.
 * Text of the log cannot be markup: svg_text() and tips escape it.
 */
#ifndef BCOSLOG_SVG_H
#define BCOSLOG_SVG_H

#include "core/host/user.h"

/* Text of the log that is longer is cut. */
#define SVG_TEXT 64

/* @title: what it shows. */
void svg_begin(const char *title, double width, double height);
void svg_end(void);

/*
 * Classes of shapes: "process", "kernel", "idle", "unknown" (hatched), "loss" (hatched, see-through), "in", "out", "more";
 * of lines: "axis", "grid", "first", "second"; of texts: "title", "label" (ends at its x), "tick" (around it),
 * "note".
 */
void svg_rect(const char *class, double x, double y, double width, double height, const char *tip);
void svg_line(const char *class, double x1, double y1, double x2, double y2);
void svg_text(const char *class, double x, double y, const char *text, size_t length);
/* A sentence that we made ourselves. */
void svg_note(const char *class, double x, double y, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* A line through points; the first one of a line that goes on elsewhere has @begins. */
void svg_path_begin(const char *class);
void svg_path_point(double x, double y, bool begins);
void svg_path_end(void);

#endif
