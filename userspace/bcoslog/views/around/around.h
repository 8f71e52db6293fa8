/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The report of what happens around a moment. */
#ifndef BCOSLOG_VIEWS_AROUND_H
#define BCOSLOG_VIEWS_AROUND_H

#include "happening.h"

/**
 * struct window - the time around a moment
 * @moment: ns since boot
 * @span: ns before and after it
 * @until: up to here the log tells of it
 * @map_only: only the map is to be printed
 * @happenings: what happens, in order when it is printed
 */
struct window {
	u64 moment, span, until;
	bool map_only;
	struct happenings happenings;
};

u64 window_begin(const struct window *window);
u64 window_end(const struct window *window);

/* Print it.  Return: 0 or -ENOMEM. */
int window_text(const struct window *window);
/* Prints the window as JSON or CSV.  Return: as above. */
int window_data(const struct window *window, enum table_form form);

#endif
