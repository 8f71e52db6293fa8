// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Times as the subcommands show them: see times.h. */
#include <stdlib.h>
#include <time.h>

#include "host/linux.h"
#include "output.h"
#include "complain/complain.h"
#include "state/clock.h"
#include "times.h"

#define SECOND 1000000000u
#define NEVER_MORE 0xFFFFFFFFu	/* the precision that means "or more" */

static const char *const time_modes[] = { "boot", "wall", "relative", "delta" };

/* Widths of the column: `1234567.123456789`, and `2026-11-23 14:03:05.123456`. */
static const u32 time_widths[] = { 17, 26, 17, 17 };

int clock_choose(struct clock *clock, const char *text)
{
	size_t i;

	for (i = 0; i < sizeof(time_modes) / sizeof(time_modes[0]); i++) {
		if (!strcmp(text, time_modes[i])) {
			clock->mode = (enum time_mode)i;
			return 0;
		}
	}
	complain("--time takes boot, wall, relative or delta, not \"%s\"", text);
	return -1;
}

int wall_add(struct clock *clock, const struct bcoslog_wall *reading)
{
	if (!clock->readings)
		clock->readings = bcoslog_clock_new();
	if (!clock->readings || bcoslog_clock_add(clock->readings, reading)) {
		complain("no memory for what the wall clock showed");
		return -ENOMEM;
	}
	clock->known = true;
	return 0;
}

int wall_learn(struct clock *clock, const struct bcos_entry *entry)
{
	struct bcoslog_wall reading;

	return bcoslog_wall_clock(entry, &reading) ? wall_add(clock, &reading) : 0;
}

void wall_now(struct clock *clock)
{
	struct bcoslog_wall now = { .boot = clock_now(CLOCK_BOOTTIME), .utc = clock_now(CLOCK_REALTIME) };

	wall_add(clock, &now);
}

void wall_forget(struct clock *clock)
{
	bcoslog_clock_free(clock->readings);
	clock->readings = NULL;
	clock->known = false;
}

u64 wall_time(const struct clock *clock, u64 time)
{
	return clock->readings ? bcoslog_clock_wall(clock->readings, time) : time;
}

bool wall_was_set(struct clock *clock, const struct bcos_entry *entry, u64 *by)
{
	struct bcoslog_clock_step step;
	struct bcoslog_wall stated;
	u64 i;

	if (!bcoslog_wall_clock(entry, &stated) || wall_learn(clock, entry))
		return false;
	while (bcoslog_clock_step(clock->readings, clock->past, &step) && step.time < entry->time)
		clock->past++;
	for (i = clock->past; bcoslog_clock_step(clock->readings, i, &step) && step.time == entry->time; i++) {
		if (step.to != stated.utc)
			continue;
		*by = step.to - step.from;
		return true;
	}
	return false;
}

const char *set_text(char *text, u64 by)
{
	char span[SPAN_TEXT];

	snprintf(text, SET_TEXT, "the clock was set %s by %s", (s64)by < 0 ? "back" : "forward",
		 span_text(span, (s64)by < 0 ? -by : by));
	return text;
}

/* The number of steps of the clock that get a sentence each. */
#define STEPS_SAID 8

void wall_say_steps(struct clock *clock, u64 since, u64 until)
{
	char text[SET_TEXT], from[TIME_TEXT], at[TIME_TEXT];
	struct bcoslog_clock_step step;
	u64 i, said = 0;

	for (i = 0; clock->readings && bcoslog_clock_step(clock->readings, i, &step); i++) {
		if (step.time <= since || (until && step.time > until) || ++said > STEPS_SAID)
			continue;
		moment_text(clock, from, step.time - 1, true);
		moment_text(clock, at, step.time, true);
		complain("%s: after %s came %s", set_text(text, step.to - step.from), from, at);
	}
	if (said > STEPS_SAID)
		complain("the clock was set %llu times in all", (unsigned long long)said);
}

size_t wall_text(struct clock *clock, char *text, u64 time)
{
	u64 utc = wall_time(clock, time);
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

static s64 zone_at(s64 utc)
{
	time_t time = (time_t)utc;
	struct tm parts;

	return localtime_r(&time, &parts) ? parts.tm_gmtoff : 0;
}

/* Does the local clock show another time, in seconds since 1970, as it shows @utc? */
static bool exists_twice(s64 utc)
{
	s64 zone = zone_at(utc), other = zone_at(utc - 86400), back = utc + zone - other;

	if (other != zone && zone_at(back) == other)
		return true;
	other = zone_at(utc + 86400);
	back = utc + zone - other;
	return other != zone && zone_at(back) == other;
}

static void write_local(struct clock *clock, u64 second)
{
	time_t seconds = (time_t)second;
	struct tm parts;

	localtime_r(&seconds, &parts);
	clock->local.length = strftime(clock->local.text, sizeof(clock->local.text), "%Y-%m-%d %H:%M:%S.", &parts);
	clock->local.zone_length = exists_twice((s64)seconds) ? strftime(clock->local.zone, sizeof(clock->local.zone), "%z", &parts) : 0;
	clock->local.second = second;
}

static void put_wall(struct clock *clock, u64 time)
{
	u64 utc = wall_time(clock, time);
	char fraction[16];

	if (!clock->local.length || clock->local.second != utc / SECOND)
		write_local(clock, utc / SECOND);
	put_bytes(clock->local.text, clock->local.length);
	/* Shows microseconds only, since no clock is set to the nanosecond. */
	decimal_nine(fraction, (u32)(utc % SECOND));
	put_bytes(fraction, 6);
	put_bytes(clock->local.zone, clock->local.zone_length);
}

void moment_text(struct clock *clock, char *text, u64 time, bool by_wall)
{
	size_t mark, length;

	if (!by_wall) {
		text = decimal_put(text, time / SECOND);
		*text = '.';
		*decimal_nine(text + 1, (u32)(time % SECOND)) = 0;
		return;
	}
	/* put_wall(clock, ) puts less than TIME_TEXT bytes into the output buffer, from which they are copied and removed. */
	output_room();
	mark = output.used;
	put_wall(clock, time);
	length = output.used - mark;
	memcpy(text, output.buffer + mark, length);
	text[length] = 0;
	output.used = mark;
}

void time_text(struct clock *clock, char *text, u64 time)
{
	moment_text(clock, text, time, clock->mode == TIME_WALL);
}

s64 time_since(struct clock *clock, const struct bcos_entry *entry)
{
	s64 since;

	if (!clock->has_origin)
		clock->origin = entry->time;
	clock->has_origin = true;
	since = (s64)(entry->time - clock->origin);
	if (clock->mode == TIME_DELTA)
		clock->origin = entry->time;
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

void put_stamp(struct clock *clock, const struct bcos_entry *entry)
{
	static const char since_boot[] = "since boot";
	size_t width;

	/* The item existed when the log found it. Its begin is unknown, and no other time is relative to it. */
	if (unlikely(began_before(entry))) {
		for (width = time_widths[clock->mode]; width >= sizeof(since_boot); width--)
			put_char(' ');
		put_literal("since boot");
	} else if (likely(clock->mode == TIME_BOOT)) {
		put_time(entry->time);
	} else if (clock->mode == TIME_WALL) {
		put_wall(clock, entry->time);
	} else {
		put_since(time_since(clock, entry));
	}
}

const char *precision_text(char *text, u64 precision)
{
	char *to = stpcpy(text, "+");

	if (precision <= 1)
		return strcpy(text, "");
	if (precision >= NEVER_MORE)
		return strcpy(text, "or later");
	/* The precision reaches to the latest possible time, so larger units are rounded up. */
	if (precision < 10000)
		strcpy(decimal_put(to, precision), "ns");
	else if (precision < 10000000)
		strcpy(decimal_put(to, (precision + 999ull) / 1000), "us");
	else
		strcpy(decimal_put(to, (precision + 999999ull) / 1000000), "ms");
	return text;
}

static void put_span(u64 precision)
{
	char text[PRECISION_TEXT];

	put_literal("  ");
	put_string(precision_text(text, precision));
}

void put_precision(const struct bcos_entry *entry)
{
	if (entry->precision > 1 && !began_before(entry))
		put_span(entry->precision);
}

void put_uncertainty(struct clock *clock, const struct bcos_entry *entry)
{
	u64 precision = entry->precision;

	if (clock->mode == TIME_WALL && clock->known)
		precision += bcoslog_clock_at(clock->readings, entry->time)->precision;
	if (precision > (clock->mode == TIME_WALL ? 1000 : 1) && !began_before(entry))
		put_span(precision);
}
