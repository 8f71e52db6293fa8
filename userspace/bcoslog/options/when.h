/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Times and durations as users write them. All options have this one grammar. */
#ifndef BCOSLOG_WHEN_H
#define BCOSLOG_WHEN_H

#include "core/host/user.h"

enum when {
	WHEN_NONE,
	WHEN_BOOT,		/* `123.5`: seconds since boot */
	WHEN_WALL,		/* `2026-11-23 14:03:05.5`, local, or with a zone such as Z or +0200 at the end */
	WHEN_CLOCK,		/* `14:03`, likewise, on a day of the log */
	WHEN_BEFORE,		/* `5s`, `1h 30m`: that long before the log's end */
};

/**
 * struct time_asked - a time
 * @kind: the event from which @ns counts
 * @zoned: WHEN_CLOCK: the text names the zone @zone
 * @skipped: WHEN_WALL: the clocks of the zone never show this time, since they go forward over it
 * @zone: seconds east of UTC
 * @ns: time in ns: for WHEN_BOOT since boot, for WHEN_WALL since 1970 (UTC), for WHEN_CLOCK since midnight, for
 *      WHEN_BEFORE from there to the log's end
 * @later: WHEN_WALL: the second such time of an hour that exists twice; else @ns
 * @text: the text of the user; NULL: the time is no option's
 */
struct time_asked {
	enum when kind;
	bool zoned, skipped;
	s32 zone;
	u64 ns, later;
	const char *text;
};

/* What is a time, for complaints. */
#define MOMENT_FORMS "seconds since boot (123.5), a time of the wall clock (14:03, \"2026-11-23 14:03:05.5\"), or how long before " \
	"the end (5s, 200ms, 1h)"
/* Return: whether the text is a time, which @moment then gets. */
bool is_time_asked(const char *text, struct time_asked *moment);
/* Parses a time.  Return: 0, or -1 after a complaint that says what @option takes. */
int parse_moment(const char *option, const char *text, struct time_asked *moment);
/* Return: whether the text is a duration with a unit, which @ns then gets. */
bool is_duration(const char *text, u64 *ns);
/* Parses a duration such as `5s`, `200ms` or `1h 30m` into ns.  Return: as parse_moment(). */
int parse_duration(const char *option, const char *text, u64 *ns);

/*
 * Takes the day on which the wall clock shows @utc, in ns since 1970, and @days later.
 * Return: the WHEN_WALL at which it shows the WHEN_CLOCK @clock on that day.
 */
struct time_asked clock_on_day(const struct time_asked *clock, u64 utc, int days);

#endif
