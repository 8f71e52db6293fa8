/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Times and durations as users write them: one grammar for all options. */
#ifndef BCOSLOG_WHEN_H
#define BCOSLOG_WHEN_H

#include "core/host/user.h"

enum when {
	WHEN_NONE,
	WHEN_BOOT,		/* `123.5`: seconds since boot */
	WHEN_WALL,		/* `2026-11-23 14:03:05.5`, local; with a Z at the end UTC */
	WHEN_CLOCK,		/* `14:03`, of the last day of the log that has it */
	WHEN_BEFORE,		/* `5s`, `1h 30m`: that long before the log's end */
};

/**
 * struct moment - a time
 * @kind: what it is
 * @ns: since boot; since 1970, UTC; since midnight; before the end
 */
struct moment {
	enum when kind;
	u64 ns;
};

/* Return: 0, or -1 after saying what @option takes. */
int parse_moment(const char *option, const char *text, struct moment *moment);
/* `5s`, `200ms`, `1h 30m`.  Likewise. */
int parse_duration(const char *option, const char *text, u64 *ns);

/* The last time of the wall clock that is not after @end (both ns since 1970) and @ns after a local midnight. */
u64 last_clock(u64 ns, u64 end);

#endif
