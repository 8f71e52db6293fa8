/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Times that users write become times since boot, by the wall clock of the log and by where it begins and ends. */
#ifndef BCOSLOG_MOMENTS_H
#define BCOSLOG_MOMENTS_H

#include "when.h"

struct clock;

/**
 * struct reach - the time that a log covers
 * @clock: the wall clock throughout the log, which is known; NULL: it is not
 * @begin: time of its first entry that is not historical, ns since boot
 * @end: time of the last one, or now if the log is running
 * @follows: entries after @end will be read, too
 */
struct reach {
	struct clock *clock;
	u64 begin, end;
	bool follows;
};

/*
 * A WHEN_CLOCK becomes a WHEN_WALL: the last such time that lies in the log and, if @ends is set, not before @after, in ns
 * since boot. If none does, it becomes the one on a day of the log that is nearest to the log.
 */
void moment_choose_day(struct time_asked *moment, const struct reach *reach, bool ends, u64 after);
/*
 * A WHEN_WALL becomes a WHEN_BOOT: where the clock showed that time. If it did so several times in the log, this is the
 * last time if @ends is set, else the first time; @option names the moment in a note that says so.
 */
void moment_choose_time(struct time_asked *moment, const struct reach *reach, bool ends, const char *option);

#endif
