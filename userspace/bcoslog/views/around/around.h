/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The window of bcoslog around, and how it is printed. */
#ifndef BCOSLOG_VIEWS_AROUND_H
#define BCOSLOG_VIEWS_AROUND_H

#include "happening.h"

/**
 * struct window - the time around a moment
 * @moment: the moment, ns since boot
 * @span: ns before and after the moment
 * @until: the log has the window up to this time
 * @from: time of the log's first normal entry
 * @map_only: only the map is printed
 * @happenings: the happenings in the window, sorted when they are printed
 */
struct window {
	u64 moment, span, until, from;
	bool map_only;
	struct happenings happenings;
};

/* Return: the begin and the end of the window, ns since boot. */
u64 window_begin(const struct window *window);
u64 window_end(const struct window *window);

/* Prints the window for people.  Return: 0, or -ENOMEM after a complaint. */
int window_text(const struct window *window);
/* Prints the window as JSON or CSV.  Return: as window_text(). */
int window_data(const struct window *window, enum table_form form);

#endif
