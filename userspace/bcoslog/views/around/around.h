/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The window of bcoslog around, and how it is printed. */
#ifndef BCOSLOG_VIEWS_AROUND_H
#define BCOSLOG_VIEWS_AROUND_H

#include "happening.h"

/**
 * struct vicinity - the time around a moment
 * @moment: the moment, ns since boot
 * @span: ns before and after the moment
 * @until: the log has the window up to this time
 * @from: time of the log's first normal entry
 * @map_only: only the map is printed
 * @happenings: the happenings in the window, sorted when they are printed
 */
struct vicinity {
	u64 moment, span, until, from;
	bool map_only;
	struct happenings happenings;
};

/* Return: the begin and the end of the window, ns since boot. */
u64 vicinity_begin(const struct vicinity *window);
u64 vicinity_end(const struct vicinity *window);

/* Prints the window for people.  Return: 0, or -ENOMEM after a complaint. */
int vicinity_text(const struct vicinity *window, struct session *session);
/* Prints the window as JSON or CSV.  Return: as vicinity_text(). */
int vicinity_data(const struct vicinity *window, struct session *session);

#endif
