// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Times and durations as users write them: see when.h. */
#include <stdlib.h>
#include <time.h>

#include "output/complain.h"
#include "when.h"

#define SECOND 1000000000ull
#define DAY 86400

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

/* Return: whether the text is a duration, which @ns then gets. */
static bool is_duration(const char *at, u64 *ns)
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

static bool is_clock(const char *at, u64 *ns)
{
	struct tm parts = { 0 };
	u64 billionths;

	at = time_of_day(at, &parts, &billionths);
	if (!at || *at)
		return false;
	*ns = (u64)(parts.tm_hour * 3600 + parts.tm_min * 60 + parts.tm_sec) * SECOND + billionths;
	return true;
}

/* Does the day exist? The 30th of February does not. @parts has no time of day yet. */
static bool is_day(const struct tm *parts)
{
	struct tm normal = *parts;

	return timegm(&normal) >= 0 && normal.tm_mday == parts->tm_mday && normal.tm_mon == parts->tm_mon;
}

static bool is_date(const char *at, u64 *ns)
{
	struct tm parts = { 0 };
	u64 billionths = 0;
	time_t seconds;
	int used;

	if (!is_digit(*at) || sscanf(at, "%4d-%2d-%2d%n", &parts.tm_year, &parts.tm_mon, &parts.tm_mday, &used) != 3)
		return false;
	at += used;
	parts.tm_year -= 1900;
	parts.tm_mon--;
	if (!is_day(&parts))
		return false;
	if (*at == ' ' || *at == 'T')
		at = time_of_day(at + 1, &parts, &billionths);
	if (!at || (*at && strcmp(at, "Z")))
		return false;
	parts.tm_isdst = -1;
	seconds = *at ? timegm(&parts) : mktime(&parts);
	*ns = (u64)seconds * SECOND + billionths;
	return seconds >= 0;
}

int parse_duration(const char *option, const char *text, u64 *ns)
{
	if (is_duration(text, ns))
		return 0;
	complain("%s takes a duration such as 5s, 200ms, 1h or 1h 30m, not \"%s\"", option, text);
	return -1;
}

int parse_moment(const char *option, const char *text, struct moment *moment)
{
	/* "-5s" is "5s". */
	if (is_duration(text + (text[0] == '-'), &moment->ns))
		moment->kind = WHEN_BEFORE;
	else if (is_seconds(text, &moment->ns))
		moment->kind = WHEN_BOOT;
	else if (is_clock(text, &moment->ns))
		moment->kind = WHEN_CLOCK;
	else if (is_date(text, &moment->ns))
		moment->kind = WHEN_WALL;
	else
		moment->kind = WHEN_NONE;
	if (moment->kind != WHEN_NONE)
		return 0;
	complain("%s takes seconds since boot (123.5), a time of the wall clock (14:03, \"2026-11-23 14:03:05.5\"), or "
		 "how long before the end (5s, 200ms, 1h), not \"%s\"", option, text);
	return -1;
}

u64 last_clock(u64 ns, u64 end)
{
	time_t day = (time_t)(end / SECOND), seconds;
	struct tm parts;
	int back;
	u64 time;

	for (back = 0; ; back++) {
		day = (time_t)(end / SECOND) - (time_t)back * DAY;
		localtime_r(&day, &parts);
		parts.tm_hour = (int)(ns / SECOND / 3600);
		parts.tm_min = (int)(ns / SECOND / 60 % 60);
		parts.tm_sec = (int)(ns / SECOND % 60);
		parts.tm_isdst = -1;
		seconds = mktime(&parts);
		time = seconds < 0 ? 0 : (u64)seconds * SECOND + ns % SECOND;
		if (time <= end || back == 2)
			return time;
	}
}
