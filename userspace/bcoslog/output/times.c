// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Times as the subcommands show them: see times.h. */
#include <time.h>

#include "complain.h"
#include "host/clock.h"
#include "output.h"
#include "times.h"

#define SECOND 1000000000u
#define NEVER_MORE 0xFFFFFFFFu	/* the precision that means "or more" */

enum time_mode time_mode;
struct bcoslog_wall wall;
bool wall_needed, wall_known;

static const char *const time_modes[] = { "boot", "wall", "relative", "delta" };

/* Widths of the column: `1234567.123456789`, and `2026-11-23 14:03:05.123456`. */
static const u32 time_widths[] = { 17, 26, 17, 17 };

int take_time(void *context, const char *text)
{
	size_t i;

	(void)context;
	for (i = 0; i < sizeof(time_modes) / sizeof(time_modes[0]); i++) {
		if (!strcmp(text, time_modes[i])) {
			time_mode = (enum time_mode)i;
			return 0;
		}
	}
	complain("--time takes boot, wall, relative or delta, not \"%s\"", text);
	return -1;
}

int take_wall_time(void *context, const char *text)
{
	(void)context;
	(void)text;
	time_mode = TIME_WALL;
	return 0;
}

void wall_learn(const struct bcos_entry *entry)
{
	wall_known |= bcoslog_wall_clock(entry, &wall);
}

void wall_now(void)
{
	wall.boot = clock_now(CLOCK_BOOTTIME);
	wall.utc = clock_now(CLOCK_REALTIME);
	wall_known = true;
}

size_t wall_text(char *text, u64 time)
{
	u64 utc = bcoslog_wall_time(&wall, time);
	time_t seconds = (time_t)(utc / SECOND);
	struct tm parts;
	size_t length;

	gmtime_r(&seconds, &parts);
	length = strftime(text, WALL_TEXT, "%Y-%m-%dT%H:%M:%S", &parts);
	return length + (size_t)snprintf(text + length, WALL_TEXT - length, ".%09uZ", (u32)(utc % SECOND));
}

const char *span_text(char *text, u64 ns)
{
	u64 seconds = ns / SECOND, days = seconds / 86400;
	u32 hours = (u32)(seconds / 3600 % 24), minutes = (u32)(seconds / 60 % 60);
	int n = 0;

	if (seconds < 60) {
		snprintf(text, SPAN_TEXT, "%u.%03u s", (u32)seconds, (u32)(ns % SECOND / 1000000));
		return text;
	}
	if (days)
		n += snprintf(text, SPAN_TEXT, "%llu d ", (unsigned long long)days);
	if (days || hours)
		n += snprintf(text + n, SPAN_TEXT - (size_t)n, "%u h ", hours);
	snprintf(text + n, SPAN_TEXT - (size_t)n, "%u min %u s", minutes, (u32)(seconds % 60));
	return text;
}

/* The text of the second that was shown last. The next entry is probably of that second, too. */
static struct {
	u64 second;
	size_t length;
	char text[WALL_TEXT];
} local;

static void put_wall(u64 time)
{
	u64 utc = bcoslog_wall_time(&wall, time);
	time_t seconds = (time_t)(utc / SECOND);
	char fraction[16];
	struct tm parts;

	if (!local.length || local.second != utc / SECOND) {
		localtime_r(&seconds, &parts);
		local.length = strftime(local.text, sizeof(local.text), "%Y-%m-%d %H:%M:%S.", &parts);
		local.second = utc / SECOND;
	}
	put_bytes(local.text, local.length);
	/* Shows microseconds only, since no clock is set to the nanosecond. */
	decimal_nine(fraction, (u32)(utc % SECOND));
	put_bytes(fraction, 6);
}

void time_text(char *text, u64 time)
{
	size_t mark, length;

	if (time_mode != TIME_WALL) {
		text = decimal_put(text, time / SECOND);
		*text = '.';
		*decimal_nine(text + 1, (u32)(time % SECOND)) = 0;
		return;
	}
	/* put_wall() puts less than TIME_TEXT bytes into the output buffer, from which they are copied and removed. */
	output_room();
	mark = output.used;
	put_wall(time);
	length = output.used - mark;
	memcpy(text, output.buffer + mark, length);
	text[length] = 0;
	output.used = mark;
}

/* The time relative to which the next one is shown, once it is known. */
static struct {
	u64 time;
	bool known;
} origin;

s64 time_since(const struct bcos_entry *entry)
{
	s64 since;

	if (!origin.known)
		origin.time = entry->time;
	origin.known = true;
	since = (s64)(entry->time - origin.time);
	if (time_mode == TIME_DELTA)
		origin.time = entry->time;
	return since;
}

static void put_since(s64 since)
{
	u64 size = since < 0 ? -(u64)since : (u64)since;
	char text[DECIMAL_MAX + 1], *first = decimal_before(text + sizeof(text), size / SECOND);
	size_t length, width = time_widths[TIME_RELATIVE] - 10;

	if (since < 0)
		*--first = '-';
	length = (size_t)(text + sizeof(text) - first);
	for (; width > length; width--)
		put_char(' ');
	put_bytes(first, length);
	put_char('.');
	decimal_nine(output.buffer + output.used, (u32)(size % SECOND));
	output.used += 9;
}

static bool began_before(const struct bcos_entry *entry)
{
	return entry->precision == NEVER_MORE && entry->type & BCOS_TYPE_HISTORICAL;
}

void put_stamp(const struct bcos_entry *entry)
{
	static const char since_boot[] = "since boot";
	size_t width;

	/* The item existed when the log found it. Its begin is unknown, and no other time is relative to it. */
	if (unlikely(began_before(entry))) {
		for (width = time_widths[time_mode]; width >= sizeof(since_boot); width--)
			put_char(' ');
		put_literal("since boot");
	} else if (likely(time_mode == TIME_BOOT)) {
		put_time(entry->time);
	} else if (time_mode == TIME_WALL) {
		put_wall(entry->time);
	} else {
		put_since(time_since(entry));
	}
}

static void put_span(u64 precision)
{
	if (precision >= NEVER_MORE) {
		put_literal("  or later");
		return;
	}
	put_literal("  +");
	/* The precision reaches to the latest possible time, so larger units are rounded up. */
	if (precision < 10000) {
		put_number(precision);
		put_literal("ns");
	} else if (precision < 10000000) {
		put_number((precision + 999ull) / 1000);
		put_literal("us");
	} else {
		put_number((precision + 999999ull) / 1000000);
		put_literal("ms");
	}
}

void put_precision(const struct bcos_entry *entry)
{
	if (entry->precision > 1 && !began_before(entry))
		put_span(entry->precision);
}

void put_uncertainty(const struct bcos_entry *entry)
{
	u64 precision = entry->precision;

	if (time_mode == TIME_WALL)
		precision += wall.precision;
	if (precision > (time_mode == TIME_WALL ? 1000 : 1) && !began_before(entry))
		put_span(precision);
}
