/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Writes a drawing as SVG to standard output: a document that stands alone, light or dark as its viewer is. Coordinates
 * are pixels of a drawing without zoom. Text of the log cannot be markup, since svg_text() and tips escape it.
 */
#ifndef BCOSLOG_SVG_H
#define BCOSLOG_SVG_H

#include "core/host/user.h"

/* The number of bytes to which text of the log is cut. */
#define SVG_TEXT 64

/* Begins a drawing. @title says what the drawing shows. */
void svg_begin(const char *title, double width, double height);
/* Ends the drawing. */
void svg_end(void);

/*
 * Draw a rectangle, whose @tip may be NULL, a line, and text of the log. @class is one of these: of shapes "process",
 * "kernel", "idle", "unknown" (hatched), "loss" (hatched, see-through), "in", "out" and "more"; of lines "axis",
 * "grid", "first" and "second"; of texts "title", "label" (which ends at @x), "tick" (centred at @x) and "note".
 */
void svg_rect(const char *class, double x, double y, double width, double height, const char *tip);
void svg_line(const char *class, double x1, double y1, double x2, double y2);
void svg_text(const char *class, double x, double y, const char *text, size_t length);
/* Draws text that is not from the log, by a format. */
void svg_note(const char *class, double x, double y, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Draw a line through points. A point with @begins is not connected with the one before it. */
void svg_path_begin(const char *class);
void svg_path_point(double x, double y, bool begins);
void svg_path_end(void);

#endif
