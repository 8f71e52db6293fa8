/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The window of time that is asked for, for window.c and log_end.c. */
#ifndef BCOSLOG_WINDOW_H
#define BCOSLOG_WINDOW_H

#include "when.h"

struct window {
	struct moment since, until, moment;
	u64 near;			/* what is farther from the moment is not needed; 0: all is */
	u64 position;			/* time of the newest entry that is not historical */
};

extern struct window window_asked;

#endif
