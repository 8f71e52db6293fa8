/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The window of time that the options ask for. Only window.c and log_end.c include this header. */
#ifndef BCOSLOG_WINDOW_H
#define BCOSLOG_WINDOW_H

#include "when.h"

/**
 * struct window - what is asked for
 * @since: the begin, which run_settle_times() settles as WHEN_BOOT; of standard input, a WHEN_WALL is settled when the log
 *	has stated the wall clock
 * @until: likewise the end
 * @moment: likewise the moment
 * @last: @since was given by --last
 * @by_wall: a time of the wall clock was asked for, so answers are by the wall clock
 * @late_since: the WHEN_WALL from which @since was settled by what a log had stated that comes only once
 * @late_until: likewise for @until
 * @near: ns around the moment that are needed; 0: the whole log is
 * @span: ns around the moment that are shown
 * @position: time of the newest entry that is not historical
 * @first: time of the first entry that is not historical; valid if @counted
 * @newest: time of the newest one that was counted
 * @counted: number of entries that are not historical
 * @inside: number of those that are in the window
 */
struct window {
	struct moment since, until, moment;
	struct moment late_since, late_until;
	bool last, by_wall;
	u64 near, span;
	u64 position;
	u64 first, newest, counted, inside;
};

extern struct window window_asked;

#endif
