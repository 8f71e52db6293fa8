/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The window of time that the options ask for. Only window.c and log_end.c include this header. */
#ifndef BCOSLOG_WINDOW_H
#define BCOSLOG_WINDOW_H

#include "when.h"

struct window {
	struct moment since, until, moment;
	u64 near;			/* ns around the moment that are needed; 0: the whole log is */
	u64 position;			/* time of the newest entry that is not historical */
};

extern struct window window_asked;

#endif
