// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Times and durations as users write them: see when.h. */
#include <stdlib.h>
#include <time.h>

#include "complain/complain.h"
#include "when.h"

#define SECOND 1000000000ull
#define DAY 86400
#define UTC_MOST (~0ull / SECOND)	/* the last second that 64 bits of ns hold */

static const struct {
	const char *name;
	u64 ns;
} units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", SECOND },
	{ "m", 60 * SECOND },
	{ "min", 60 * SECOND },
	{ "h", 3600 * SECOND },
	{ "d", 86400 * SECOND },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Parses digits and, after a point, more digits.  Return: the text after the number, or NULL. */
static const char *decimal_number(const char *at, u64 *whole, u64 *billionths)
{
	u64 scale = SECOND / 10;

	if (!is_digit(*at))
		return NULL;
	*billionths = 0;
	for (*whole = 0; is_digit(*at); at++)
		if (__builtin_mul_overflow(*whole, 10, whole) ||
		    __builtin_add_overflow(*whole, (u64)(*at - '0'), whole))
			return NULL;
	if (*at != '.')
		return at;
	if (!is_digit(*++at))
		return NULL;
	for (; is_digit(*at); at++, scale /= 10)
		*billionths += (u64)(*at - '0') * scale;
	return at;
}

/* Adds the number, scaled by @unit in ns, to @sum.  Return: 0, or -1 if the sum is above 2^64 - 1. */
static int add_scaled(u64 *sum, u64 whole, u64 billionths, u64 unit)
{
	u64 part;

	if (__builtin_mul_overflow(whole, unit, &part) || __builtin_add_overflow(*sum, part, sum))
		return -1;
	/* A day has less than 2^47 ns, and @billionths are below 2^30: the product needs more than 64 bits. */
	part = (u64)((unsigned __int128)billionths * unit / SECOND);
	return __builtin_add_overflow(*sum, part, sum) ? -1 : 0;
}

bool is_duration(const char *at, u64 *ns)
{
	u64 whole, billionths;
	size_t length, i;

	*ns = 0;
	do {
		at = decimal_number(at, &whole, &billionths);
		if (!at)
			return false;
		length = strspn(at, "abcdefghijklmnopqrstuvwxyz");
		for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
			if (strlen(units[i].name) == length && !memcmp(at, units[i].name, length))
				break;
		if (i == sizeof(units) / sizeof(units[0]) || add_scaled(ns, whole, billionths, units[i].ns))
			return false;
		at += length;
		at += strspn(at, " ");
	} while (*at);
	return true;
}

static bool is_seconds(const char *at, u64 *ns)
{
	u64 whole, billionths;

	*ns = 0;
	at = decimal_number(at, &whole, &billionths);
	return at && !*at && !add_scaled(ns, whole, billionths, SECOND);
}

/* Parses `14:03`, `14:03:05` or `14:03:05.5`.  Return: the text after it, or NULL. */
static const char *time_of_day(const char *at, struct tm *parts, u64 *billionths)
{
	u64 seconds = 0;
	int used;

	*billionths = 0;
	if (!is_digit(*at) || sscanf(at, "%2d:%2d%n", &parts->tm_hour, &parts->tm_min, &used) != 2 ||
	    !is_digit(at[used - 1]))
		return NULL;
	at += used;
	if (*at == ':') {
		at = decimal_number(at + 1, &seconds, billionths);
		if (!at)
			return NULL;
	}
	parts->tm_sec = seconds > 60 ? 61 : (int)seconds;
	return parts->tm_hour > 23 || parts->tm_min > 59 || parts->tm_min < 0 || seconds > 60 ? NULL : at;
}

/* Parses nothing, `Z`, `+0200` or `+02:00`, also after a space.  Return: whether the text is one of these. */
static bool take_zone(const char *at, struct time_asked *moment)
{
	int hours, minutes, used = 0;

	moment->zoned = *at;
	moment->zone = 0;
	at += *at == ' ';
	if (!moment->zoned || !strcmp(at, "Z"))
		return true;
	if ((*at != '+' && *at != '-') || !is_digit(at[1]) || !is_digit(at[2]))
		return false;
	hours = (at[1] - '0') * 10 + (at[2] - '0');
	at[3] == ':' ? sscanf(at + 4, "%2d%n", &minutes, &used) : sscanf(at + 3, "%2d%n", &minutes, &used);
	if (used != 2 || at[used + 3 + (at[3] == ':')] || minutes < 0 || minutes > 59 || hours > 23)
		return false;
	moment->zone = (hours * 60 + minutes) * (*at == '-' ? -60 : 60);
	return true;
}

static bool is_clock(const char *at, struct time_asked *moment)
{
	struct tm parts = { 0 };
	u64 billionths;

	at = time_of_day(at, &parts, &billionths);
	if (!at || !take_zone(at, moment))
		return false;
	moment->ns = (u64)(parts.tm_hour * 3600 + parts.tm_min * 60 + parts.tm_sec) * SECOND + billionths;
	return true;
}

/* Return: how many seconds east of UTC the local clock is at @utc, in seconds since 1970. */
static s64 zone_at(s64 utc)
{
	time_t time = (time_t)utc;
	struct tm parts;

	return localtime_r(&time, &parts) ? parts.tm_gmtoff : 0;
}

/* Return: the first second after @from with another zone than @from has. @to has another one. */
static s64 zone_change(s64 from, s64 to)
{
	s64 zone = zone_at(from), middle;

	while (to - from > 1) {
		middle = from + (to - from) / 2;
		if (zone_at(middle) == zone)
			from = middle;
		else
			to = middle;
	}
	return to;
}

static u64 utc_ns(s64 seconds, u64 billionths)
{
	return seconds < 0 ? 0 : (u64)seconds >= UTC_MOST ? ~0ull : (u64)seconds * SECOND + billionths;
}

/*
 * Finds when the clock shows @local, seconds since 1970 as if it were UTC: in the zone of @moment, if that names one,
 * else in the local zone, where a time may exist twice, or not at all. Times outside 64 bits of ns become their ends.
 * Return: the first such time, in seconds since 1970, which may be negative.
 */
static s64 find_local(struct time_asked *moment, s64 local, u64 billionths)
{
	s64 before = zone_at(local - DAY), after = zone_at(local + DAY), one = local - before, other = local - after;
	bool is_one = zone_at(one) == before, is_other = zone_at(other) == after;

	if (moment->zoned) {
		one = other = local - moment->zone;
	} else if (!is_one && !is_other) {
		moment->skipped = true;
		one = other = zone_change(local - DAY, local + DAY);
		billionths = 0;
	} else {
		one = is_one ? one : other;
		other = is_other ? other : one;
	}
	moment->kind = WHEN_WALL;
	moment->ns = utc_ns(one < other ? one : other, billionths);
	moment->later = utc_ns(one < other ? other : one, billionths);
	return one < other ? one : other;
}

/* Does the day exist? The 30th of February does not. @parts has no time of day yet. */
static bool is_day(const struct tm *parts)
{
	struct tm normal = *parts;

	return timegm(&normal) >= 0 && normal.tm_mday == parts->tm_mday && normal.tm_mon == parts->tm_mon;
}

static bool is_date(const char *at, struct time_asked *moment)
{
	struct tm parts = { 0 };
	u64 billionths = 0;
	int used;

	if (!is_digit(*at) || sscanf(at, "%4d-%2d-%2d%n", &parts.tm_year, &parts.tm_mon, &parts.tm_mday, &used) != 3)
		return false;
	at += used;
	parts.tm_year -= 1900;
	parts.tm_mon--;
	if (!is_day(&parts))
		return false;
	if (*at == 'T' || (*at == ' ' && is_digit(at[1])))
		at = time_of_day(at + 1, &parts, &billionths);
	if (!at || !take_zone(at, moment))
		return false;
	/* No clock that the log knows was before 1970, which 64 bits of ns do not reach. */
	return find_local(moment, timegm(&parts), billionths) >= 0;
}

int parse_duration(const char *option, const char *text, u64 *ns)
{
	/* Zero is as long in each unit. */
	*ns = 0;
	if (!strcmp(text, "0") || is_duration(text, ns))
		return 0;
	complain("%s takes a duration such as 5s, 200ms, 1h or 1h 30m, not \"%s\"", option, text);
	return -1;
}

bool is_time_asked(const char *text, struct time_asked *moment)
{
	*moment = (struct time_asked){ .text = text };
	/* "-5s" is "5s". */
	if (is_duration(text + (text[0] == '-'), &moment->ns))
		moment->kind = WHEN_BEFORE;
	else if (is_seconds(text, &moment->ns))
		moment->kind = WHEN_BOOT;
	else if (is_clock(text, moment))
		moment->kind = WHEN_CLOCK;
	else if (is_date(text, moment))
		moment->kind = WHEN_WALL;
	else
		moment->kind = WHEN_NONE;
	if (moment->kind != WHEN_WALL)
		moment->later = moment->ns;
	return moment->kind != WHEN_NONE;
}

int parse_moment(const char *option, const char *text, struct time_asked *moment)
{
	if (is_time_asked(text, moment))
		return 0;
	complain("%s takes " MOMENT_FORMS ", not \"%s\"", option, text);
	return -1;
}

struct time_asked clock_on_day(const struct time_asked *clock, u64 utc, int days)
{
	s64 local = (s64)(utc / SECOND);
	struct time_asked wall = *clock;

	local += clock->zoned ? clock->zone : zone_at(local);
	local += days * (s64)DAY - (local % DAY + DAY) % DAY;
	find_local(&wall, local + (s64)(clock->ns / SECOND), clock->ns % SECOND);
	return wall;
}
