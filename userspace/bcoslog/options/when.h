/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Times and durations as users write them. All options have this one grammar. */
#ifndef BCOSLOG_WHEN_H
#define BCOSLOG_WHEN_H

#include "core/host/user.h"

enum when {
	WHEN_NONE,
	WHEN_BOOT,		/* `123.5`: seconds since boot */
	WHEN_WALL,		/* `2026-11-23 14:03:05.5`, local; with a Z at the end UTC */
	WHEN_CLOCK,		/* `14:03`, on the last day on which the log has that time */
	WHEN_BEFORE,		/* `5s`, `1h 30m`: that long before the log's end */
};

/**
 * struct moment - a time
 * @kind: the event from which @ns counts
 * @ns: time in ns: for WHEN_BOOT since boot, for WHEN_WALL since 1970 (UTC), for WHEN_CLOCK since local midnight, for
 *      WHEN_BEFORE from there to the log's end
 */
struct moment {
	enum when kind;
	u64 ns;
};

/* Parses a time.  Return: 0, or -1 after a complaint that says what @option takes. */
int parse_moment(const char *option, const char *text, struct moment *moment);
/* Parses a duration such as `5s`, `200ms` or `1h 30m` into ns.  Return: as parse_moment(). */
int parse_duration(const char *option, const char *text, u64 *ns);

/* Return: the last time up to @end that is @ns after a local midnight. That time and @end are in ns since 1970. */
u64 last_clock(u64 ns, u64 end);

#endif
